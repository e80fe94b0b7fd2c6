// What the picture and the list of an execution have in common: the signs, the title, the texts of a step, the verdict.
//
// For show.cpp; show.hpp is what others use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/report/row.hpp"
#include "gainsay/report/show.hpp"

namespace gainsay {

inline constexpr std::size_t width_least = 40;
inline constexpr std::size_t changes_together = 46;  // as many changes as this holds share a line

struct Glyphs {
  std::string_view lifeline, down;
  std::string_view sender, receiver, timer, task, start, crash, restart;
  std::string_view line, cross, right, left;
  std::string_view lost_line, lost, doubled, changed;
  std::string_view cut, cut_cross;
  std::string_view cause, to, more, rule, bad;
};
inline constexpr Glyphs unicode_glyphs = {"│", "┊", "○", "●", "◔", "◇", "◆", "✗", "▲", "─", "┼", "▶",
                                          "◀", "╌", "✗", "²", "≠", "═", "╪", "◂", "→", "…", "━", "✗"};
inline constexpr Glyphs ascii_glyphs = {"|", ":", "o", "*", "t", "c", "s", "X", "^",  "-",   "+", ">",
                                        "<", ".", "x", "2", "~", "=", "#", "<", "->", "...", "=", "X"};

inline bool across(EventKind kind) {
  return kind == EventKind::partition || kind == EventKind::heal || kind == EventKind::stop;
}
inline bool at_message(EventKind kind) {
  return kind == EventKind::drop || kind == EventKind::duplicate || kind == EventKind::corrupt ||
         kind == EventKind::lost;
}

// "fail_write" is FAIL WRITE.
inline std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c == '_' ? ' ' : c);
  return out;
}

inline bool is_shown(const TraceDocument& document, std::size_t index, const ShowOptions& options) {
  if (index + 1 < options.from || index + 1 > options.to) return false;
  if (options.actors.empty()) return true;
  const DocumentStep& step = document.steps[index];
  return across(step.kind) ||
         std::any_of(options.actors.begin(), options.actors.end(),
                     [&](const std::string& actor) { return step.to == actor || step.from == actor; });
}

// What both forms have in common: title, texts of a step, verdict.
class Teller {
 public:
  Teller(const TraceDocument& document, const ShowOptions& options)
      : document_(document), options_(options), glyphs_(options.ascii ? ascii_glyphs : unicode_glyphs) {
    options_.width = std::max(options.width, width_least);
    for (std::size_t i = 0; i < document.steps.size(); ++i) shown_.push_back(is_shown(document, i, options));
  }

 protected:
  std::string cleaned(std::string_view text) const { return clean(text, options_.ascii); }
  std::vector<std::string> lines_of(std::string_view text) const {
    std::vector<std::string> lines;
    while (true) {
      const std::size_t end = text.find('\n');
      lines.push_back(cleaned(text.substr(0, end)));
      if (end == std::string_view::npos) return lines;
      text.remove_prefix(end + 1);
    }
  }

  // "Finish{code: 3}", "timer Retry", "CRASH", "DROP Prepare{ballot: 1}".
  std::string event_text(const DocumentStep& step) const {
    const std::string message = cleaned(step.message);
    switch (step.kind) {
      case EventKind::deliver:
        return message.empty() ? "(a message)" : message;
      case EventKind::start:
        return message.empty() ? "starts" : "starts " + message;
      case EventKind::timer:
        return message.empty() ? "timer" : "timer " + message;
      case EventKind::task:
        return message.empty() ? "task" : "task " + message;
      case EventKind::lost:
        return fmt::format("{}  lost ({})", message.empty() ? "(a message)" : message, cleaned(step.cut));
      case EventKind::stop:
        return message.empty() ? "stops here" : "stops here: " + message;
      default:
        return message.empty() ? upper(kind_name(step.kind)) : upper(kind_name(step.kind)) + " " + message;
    }
  }
  static Ink event_ink(EventKind kind) {
    return is_fault(kind) || kind == EventKind::lost ? Ink::fault : Ink::message;
  }

  std::string cause_text(const DocumentStep& step) const {
    return step.parent == no_step ? std::string{} : fmt::format("{}{}", glyphs_.cause, step.parent + 1ULL);
  }

  struct Detail {
    std::string text;
    Ink ink;
  };
  std::vector<Detail> details(const DocumentStep& step) const {
    std::vector<Detail> result;
    for (std::size_t i = 0; i < step.choices.size(); ++i)
      result.push_back({cleaned(choice_text(step, i)), Ink::plain});
    if (options_.changes) {
      const std::string together = cleaned(fmt::format("{}", fmt::join(step.changes, "; ")));
      if (step.changes.size() > 1 && display_width(together) <= changes_together) {
        result.push_back({together, Ink::change});
      } else {
        for (const std::string& change : step.changes) result.push_back({cleaned(change), Ink::change});
      }
    }
    for (const std::string& disk : step.disk) result.push_back({"disk: " + cleaned(disk), Ink::change});
    if (options_.sent) {
      for (const std::string& sent : step.sent) result.push_back({"sent: " + cleaned(sent), Ink::plain});
    }
    for (const std::string& note : step.notes) {
      bool first = true;
      for (const std::string& line : lines_of(note)) {
        result.push_back({(first ? "note: " : "      ") + line, Ink::plain});
        first = false;
      }
    }
    return result;
  }

  void print(const Row& row) { out_ += row.text(options_.color); }
  // Lines of the whole width, the later ones indented further.
  void paragraph(std::size_t indent, std::string_view text, Ink ink, std::size_t hanging = 0) {
    bool first = true;
    for (const std::string& line : wrapped(text, options_.width - indent - hanging)) {
      Row row;
      row.put(first ? indent : indent + hanging, line, ink);
      print(row);
      first = false;
    }
  }

  void title() {
    std::string text = cleaned(document_.scenario);
    for (const auto& [name, value] : document_.options)
      text += fmt::format("  {}={}", cleaned(name), cleaned(value));
    if (!text.empty()) paragraph(0, text, Ink::name, 2);
    if (document_.strategy.empty()) return;
    paragraph(
        0,
        fmt::format("strategy {}, seed {}, run {}, {} step{}", cleaned(document_.strategy), document_.seed,
                    document_.run, document_.steps.size(), document_.steps.size() == 1 ? "" : "s"),
        Ink::faint, 2);
  }

  // The line before the first step of a loop, and the one after its last.
  void loop_begins(std::size_t index) {
    if (!document_.violation || document_.violation->loop_from != index) return;
    loop_line(fmt::format("the loop: steps {} to {} can be repeated for ever", index + 1,
                          document_.violation->step + 1ULL));
  }
  void loop_ends(std::size_t index) {
    if (!document_.violation || document_.violation->loop_from == no_step ||
        document_.violation->step != index)
      return;
    loop_line(fmt::format("back to the world before step {}", document_.violation->loop_from + 1ULL));
  }

  bool violated_after(std::size_t index) const {
    return document_.violation && document_.violation->step == index;
  }

  void verdict() {
    out_ += "\n";
    if (!document_.violation) {
      const std::string end =
          document_.end.empty() ? "the execution ends here" : "end: " + cleaned(document_.end);
      paragraph(0, end + "; no violation", Ink::name);
      for (const std::string& held : document_.held) paragraph(2, cleaned(held), Ink::plain);
      return;
    }
    const Violation& violation = *document_.violation;
    Row head;
    for (int i = 0; i < 4; ++i) head.append(glyphs_.rule, Ink::bad);
    head.append(fmt::format(" {} VIOLATION ", glyphs_.bad), Ink::bad);
    while (head.width() < options_.width) head.append(glyphs_.rule, Ink::bad);
    print(head);
    for (const std::string& line : lines_of(violation.message)) paragraph(2, line, Ink::bad);
    fact("property", cleaned(violation.property));
    if (!document_.violating_actor.empty()) fact("actor", cleaned(document_.violating_actor));
    fact("noticed", violation.step == no_step ? "before the first step"
                                              : fmt::format("after step {}", violation.step + 1ULL));
    for (const std::string& held : document_.held) fact("note", cleaned(held));
    Row foot;
    while (foot.width() < options_.width) foot.append(glyphs_.rule, Ink::bad);
    print(foot);
  }

  // Whether the step is left out. Before the next one that is not, a line says how many were.
  bool is_hidden(std::size_t index) {
    if (!shown_[index]) {
      ++hidden_;
      return true;
    }
    say_hidden();
    return false;
  }
  void say_hidden() {
    if (hidden_ == 0) return;
    paragraph(2, fmt::format("{} {} not shown", glyphs_.more, counted(hidden_, "step")), Ink::faint);
    hidden_ = 0;
  }

  const TraceDocument& document_;
  ShowOptions options_;
  const Glyphs& glyphs_;
  std::vector<bool> shown_;  // by step
  std::string out_;

 private:
  std::size_t hidden_ = 0;  // since the last step that was shown

  void loop_line(const std::string& text) {
    Row row;
    for (int i = 0; i < 4; ++i) row.append(glyphs_.rule, Ink::bad);
    row.append(" " + text + " ", Ink::bad);
    while (row.width() < options_.width) row.append(glyphs_.rule, Ink::bad);
    print(row);
  }

  void fact(std::string_view name, const std::string& value) {
    std::size_t column = 2;
    for (const std::string& line : wrapped(value, options_.width - 12)) {
      Row row;
      if (column == 2) row.put(2, name, Ink::faint);
      row.put(12, line, Ink::plain);
      column = 12;
      print(row);
    }
  }
};

}  // namespace gainsay
