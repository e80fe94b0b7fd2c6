#include "gainsay/report/show.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/report/row.hpp"

namespace gainsay {
namespace {

constexpr std::size_t width_least = 40;
constexpr std::size_t pitch_least = 4;         // room for an arrow: o-->*
constexpr std::size_t text_least = 24;         // columns for what a step says; with less, a list is better
constexpr std::size_t text_comfortable = 56;   // more is not asked for
constexpr std::size_t text_beside_names = 34;  // with less, the names make room and stand one below the other
constexpr std::size_t lines_beside = 3;  // a longer text is cut in the picture and told in full below its row
constexpr std::size_t changes_together = 46;  // as many changes as this holds share a line
constexpr std::size_t steps_per_head = 40;    // the names are repeated, or they scroll out of sight

struct Glyphs {
  std::string_view lifeline, down;
  std::string_view sender, receiver, timer, task, start, crash, restart;
  std::string_view line, cross, right, left;
  std::string_view lost_line, lost, doubled, changed;
  std::string_view cut, cut_cross;
  std::string_view cause, to, more, rule, bad;
};
constexpr Glyphs unicode_glyphs = {"│", "┊", "○", "●", "◔", "◇", "◆", "✗", "▲", "─", "┼", "▶",
                                   "◀", "╌", "✗", "²", "≠", "═", "╪", "◂", "→", "…", "━", "✗"};
constexpr Glyphs ascii_glyphs = {"|", ":", "o", "*", "t", "c", "s", "X", "^",  "-",   "+", ">",
                                 "<", ".", "x", "2", "~", "=", "#", "<", "->", "...", "=", "X"};

bool across(EventKind kind) {
  return kind == EventKind::partition || kind == EventKind::heal || kind == EventKind::stop;
}
bool at_message(EventKind kind) {
  return kind == EventKind::drop || kind == EventKind::duplicate || kind == EventKind::corrupt ||
         kind == EventKind::lost;
}

// "fail_write" is FAIL WRITE.
std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c == '_' ? ' ' : c);
  return out;
}

bool is_shown(const TraceDocument& document, std::size_t index, const ShowOptions& options) {
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

// --- The list --------------------------------------------------------------------------------------------

class List : public Teller {
 public:
  using Teller::Teller;

  std::string compact() {
    for (std::size_t i = 0; i < document_.steps.size(); ++i) {
      if (!shown_[i]) continue;
      std::string line = line_of(i);
      const DocumentStep& step = document_.steps[i];
      for (std::size_t k = 0; k < step.choices.size(); ++k)
        line += "  (" + cleaned(choice_text(step, k)) + ")";
      Row row;
      row.put(0, prefix(i), Ink::faint);
      row.append(line, event_ink(document_.steps[i].kind));
      print(row);
    }
    return std::move(out_);
  }

  std::string full() {
    options_.width = std::max(options_.width, display_width(prefix_head()) + text_least);
    title();
    out_ += "\n";
    Row head;
    head.put(0, prefix_head(), Ink::faint);
    print(head);
    if (document_.steps.empty()) paragraph(2, "(no steps)", Ink::faint);
    for (std::size_t i = 0; i < document_.steps.size(); ++i) {
      if (is_hidden(i)) continue;
      const DocumentStep& step = document_.steps[i];
      const std::string start = prefix(i);
      const std::size_t indent = display_width(start);
      loop_begins(i);
      bool first = true;
      for (const std::string& text : wrapped(line_of(i), options_.width - indent - 2)) {
        Row row;
        if (first) row.put(0, start, Ink::faint);
        row.put(first ? indent : indent + 2, text, event_ink(step.kind));
        print(row);
        first = false;
      }
      for (const Detail& detail : details(step)) paragraph(indent + 2, detail.text, detail.ink, 2);
      loop_ends(i);
      if (violated_after(i)) paragraph(indent, fmt::format("{} VIOLATED", glyphs_.bad), Ink::bad);
    }
    say_hidden();
    verdict();
    return std::move(out_);
  }

 private:
  std::size_t digits() const {
    return std::max<std::size_t>(4, std::to_string(document_.steps.size()).size());
  }
  std::size_t time_width() const {
    std::size_t width = 4;
    for (const DocumentStep& step : document_.steps)
      width = std::max(width, duration_text(step.time_ns).size());
    return width;
  }
  std::string prefix_head() const {
    return fmt::format("{:>{}}  {}{:>{}}  event", "step", digits(),
                       document_.timed ? fmt::format("{:>{}}  ", "time", time_width()) : "", "cause",
                       digits() + 1);
  }
  std::string prefix(std::size_t index) const {
    const DocumentStep& step = document_.steps[index];
    const std::string time =
        document_.timed ? fmt::format("{:>{}}  ", duration_text(step.time_ns), time_width()) : std::string{};
    return fmt::format("{:>{}}  {}{:>{}}  ", index + 1, digits(), time, cause_text(step), digits() + 1);
  }
  std::string line_of(std::size_t index) const {
    const DocumentStep& step = document_.steps[index];
    const std::string text = event_text(step);
    const std::string from = cleaned(step.from);
    const std::string to = cleaned(step.to);
    const bool arrow = step.kind == EventKind::deliver || at_message(step.kind);
    if (arrow && !from.empty()) return fmt::format("{} {} {}  {}", from, glyphs_.to, to, text);
    return to.empty() ? text : fmt::format("{}  {}", to, text);
  }
};

// --- The picture -----------------------------------------------------------------------------------------

class Picture : public Teller {
 public:
  Picture(const TraceDocument& document, const ShowOptions& options) : Teller(document, options) {
    const bool all = options.actors.empty();
    for (const std::string& actor : document.actors) {
      if (all || takes_part(actor)) add_column(actor);
    }
    for (std::size_t i = 0; i < document.steps.size(); ++i) {
      const DocumentStep& step = document.steps[i];
      if (!shown_[i]) continue;
      // Whoever is not among the actors still gets a column.
      if (!step.to.empty()) add_column(step.to);
      if (!step.from.empty() && step.from != "outside") add_column(step.from);
    }
    down_.assign(names_.size(), false);
    lay_out();
  }

  bool fits() const { return fits_; }

  std::string draw() {
    GAINSAY_CHECK(fits_, "the columns fit into the width");
    title();
    legend();
    out_ += "\n";
    heads();
    if (document_.steps.empty()) paragraph(2, "(no steps)", Ink::faint);
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < document_.steps.size(); ++i) {
      if (is_hidden(i)) {
        note_status(document_.steps[i]);
        continue;
      }
      if (drawn > 0 && drawn % steps_per_head == 0) {
        print(lifelines());
        heads();
      }
      ++drawn;
      loop_begins(i);
      draw_step(i);
      loop_ends(i);
      if (violated_after(i)) draw_violated();
    }
    say_hidden();
    verdict();
    return std::move(out_);
  }

 private:
  bool takes_part(const std::string& actor) const {
    for (std::size_t i = 0; i < document_.steps.size(); ++i) {
      if (shown_[i] && (document_.steps[i].to == actor || document_.steps[i].from == actor)) return true;
    }
    return false;
  }
  void add_column(const std::string& actor) {
    if (column_of_.emplace(actor, names_.size()).second) names_.push_back(cleaned(actor));
  }

  // Decides where the columns stand; `fits_` is false if a list is better.
  void lay_out() {
    digits_ = std::max<std::size_t>(4, std::to_string(document_.steps.size()).size());
    std::size_t text_wanted = text_least;
    std::size_t time_width = 4;
    for (std::size_t i = 0; i < document_.steps.size(); ++i) {
      if (!shown_[i]) continue;
      const DocumentStep& step = document_.steps[i];
      text_wanted = std::max(text_wanted, display_width(event_text(step)));
      for (const Detail& detail : details(step)) {
        text_wanted = std::max(text_wanted, display_width(detail.text) + 2);
      }
      time_width = std::max(time_width, duration_text(step.time_ns).size());
    }
    text_wanted = std::min(text_wanted, text_comfortable);
    time_width_ = document_.timed ? time_width : 0;
    left_ = digits_ + (time_width_ > 0 ? time_width_ + 2 : 0) + 2 + (digits_ + 1) + 3;

    const std::size_t gaps = names_.empty() ? 0 : names_.size() - 1;
    const std::size_t room =
        options_.width > left_ + 4 ? options_.width - left_ - 4 : 0;  // for gaps and text
    std::size_t longest = 0;  // the last name may run over the text's columns
    for (std::size_t c = 0; c + 1 < names_.size(); ++c) longest = std::max(longest, display_width(names_[c]));
    const std::size_t one_row = std::max<std::size_t>(longest + 2, 6);
    const std::size_t gap_room = room > text_wanted ? room - text_wanted : 0;
    const std::size_t pitch_wanted = gap_room / std::max<std::size_t>(gaps, 1);
    staircase_ = gaps * one_row + std::min(text_wanted, text_beside_names) > room;
    pitch_ = staircase_ ? std::clamp<std::size_t>(pitch_wanted, pitch_least, 10)
                        : std::clamp(pitch_wanted, one_row, std::max<std::size_t>(one_row, 14));
    fits_ = gaps * pitch_ + text_least <= room;
    text_at_ = left_ + gaps * pitch_ + 4;
    if (names_.empty()) text_at_ = left_;
  }

  std::size_t column(std::size_t actor) const { return left_ + actor * pitch_; }
  std::size_t column(const std::string& actor) const { return column(column_of_.at(actor)); }

  void legend() {
    std::set<EventKind> kinds;
    bool outside_seen = false;
    bool sent_seen = false;
    for (const DocumentStep& step : document_.steps) {
      kinds.insert(step.kind);
      outside_seen = outside_seen || step.from == "outside";
      sent_seen =
          sent_seen || (step.kind == EventKind::deliver && !step.from.empty() && step.from != "outside");
    }
    std::vector<std::string> parts;
    const Glyphs& g = glyphs_;
    if (sent_seen)
      parts.push_back(fmt::format("{}{}{}{} a message arrives", g.sender, g.line, g.right, g.receiver));
    if (outside_seen) parts.push_back(fmt::format("{}{} from outside", g.right, g.receiver));
    if (kinds.contains(EventKind::timer)) parts.push_back(fmt::format("{} a timer fires", g.timer));
    if (kinds.contains(EventKind::task)) parts.push_back(fmt::format("{} a task continues", g.task));
    if (kinds.contains(EventKind::start)) parts.push_back(fmt::format("{} an actor starts", g.start));
    if (kinds.contains(EventKind::drop) || kinds.contains(EventKind::lost))
      parts.push_back(fmt::format("{}{}{} a message is lost", g.sender, g.lost_line, g.lost));
    if (kinds.contains(EventKind::crash))
      parts.push_back(fmt::format("{} a crash, {} down", g.crash, g.down));
    if (!document_.steps.empty()) parts.push_back(fmt::format("{}n caused by step n", g.cause));
    std::string line;
    for (const std::string& part : parts) {
      if (!line.empty() && display_width(line) + 3 + display_width(part) > options_.width) {
        paragraph(0, line, Ink::faint);
        line.clear();
      }
      line += (line.empty() ? "" : "   ") + part;
    }
    if (!line.empty()) paragraph(0, line, Ink::faint);
  }

  void heads() {
    Row titles;
    titles.put(0, fmt::format("{:>{}}", "step", digits_), Ink::faint);
    if (time_width_ > 0) titles.put(digits_ + 2, fmt::format("{:>{}}", "time", time_width_), Ink::faint);
    titles.put(left_ - digits_ - 4, fmt::format("{:>{}}", "cause", digits_ + 1), Ink::faint);
    for (std::size_t c = 0; c < names_.size(); ++c) {
      titles.put(column(c), shortened(names_[c], options_.width - column(c), glyphs_.more), Ink::name);
      if (!staircase_) continue;
      print(titles);
      titles = Row();
      for (std::size_t above = 0; above <= c; ++above) put_lifeline(titles, above);
    }
    if (!staircase_) print(titles);
    print(lifelines());
  }

  void put_lifeline(Row& row, std::size_t actor) const {
    row.put(column(actor), down_[actor] ? glyphs_.down : glyphs_.lifeline, Ink::faint);
  }
  Row lifelines() const {
    Row row;
    for (std::size_t c = 0; c < names_.size(); ++c) put_lifeline(row, c);
    return row;
  }

  void draw_step(std::size_t index) {
    const DocumentStep& step = document_.steps[index];
    Row row = lifelines();
    row.put(0, fmt::format("{:>{}}", index + 1, digits_), Ink::message);
    if (time_width_ > 0)
      row.put(digits_ + 2, fmt::format("{:>{}}", duration_text(step.time_ns), time_width_), Ink::faint);
    row.put(left_ - digits_ - 4, fmt::format("{:>{}}", cause_text(step), digits_ + 1), Ink::faint);
    std::string text = event_text(step);
    if (across(step.kind)) {
      draw_across(row, step.kind);
    } else if (!step.to.empty()) {
      draw_event(row, step);
      const bool lost = step.kind == EventKind::deliver && down_[column_of_.at(step.to)];
      if (lost) text += "  (lost, the actor is down)";
      if (step.kind == EventKind::deliver && step.from == step.to) text += "  (to itself)";
    }
    note_status(step);
    say(row, 0, text, event_ink(step.kind));
    for (const Detail& detail : details(step)) say(lifelines(), 2, detail.text, detail.ink);
  }

  // Who is down after it.
  void note_status(const DocumentStep& step) {
    const auto column = column_of_.find(step.to);
    if (column == column_of_.end()) return;
    if (step.kind == EventKind::crash) down_[column->second] = true;
    if (step.kind == EventKind::restart || step.kind == EventKind::recreate) down_[column->second] = false;
  }

  // Beside the picture in a few lines; else its beginning there and all of it below.
  void say(Row row, std::size_t indent, const std::string& text, Ink ink) {
    const std::size_t at = text_at_ + indent;
    const std::size_t width = options_.width - at;
    // Two columns are for the hanging indent of all lines but the first.
    const auto lines = wrapped(text, display_width(text) <= width ? width : width - 2);
    if (lines.size() > lines_beside) {
      row.put(at, shortened(text, width, glyphs_.more), ink);
      print(row);
      paragraph(digits_ + 2, text, ink, 2);
      return;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      row.put(i == 0 ? at : at + 2, lines[i], ink);
      print(row);
      row = lifelines();
    }
  }

  void draw_across(Row& row, EventKind kind) {
    const bool cut = kind == EventKind::partition;
    const Ink ink = kind == EventKind::stop ? Ink::faint : Ink::fault;
    const std::size_t end = names_.empty() ? 0 : column(names_.size() - 1) + 1;
    for (std::size_t x = left_ > 0 ? left_ - 1 : 0; x < end + 1 && end > 0; ++x) {
      row.put(x, cut ? glyphs_.cut : glyphs_.lost_line, ink);
    }
    for (std::size_t c = 0; c < names_.size(); ++c)
      row.put(column(c), cut ? glyphs_.cut_cross : glyphs_.cross, ink);
  }

  void draw_event(Row& row, const DocumentStep& step) {
    const std::size_t to = column(step.to);
    const bool message_fault = at_message(step.kind);
    const Ink ink = event_ink(step.kind);
    const bool has_sender = !step.from.empty() && step.from != "outside" && step.from != step.to &&
                            (step.kind == EventKind::deliver || message_fault);
    if (has_sender) {
      const std::size_t from = column(step.from);
      draw_arrow(row, from, to, step.kind, ink);
    } else if (step.from == "outside" && (step.kind == EventKind::deliver || message_fault)) {
      row.put(to - 1, message_fault ? mark_of(step.kind) : glyphs_.right, ink);
    }
    if (!message_fault && !(step.kind == EventKind::deliver && down_[column_of_.at(step.to)])) {
      row.put(to, mark_of(step.kind), ink);
    }
    if (message_fault && step.from == step.to) row.put(to - 1, mark_of(step.kind), ink);
  }

  // From the sender's column to the receiver's: the head touches the receiver, or ends before it where
  // nothing arrives.
  void draw_arrow(Row& row, std::size_t from, std::size_t to, EventKind kind, Ink ink) const {
    const bool arrives = kind == EventKind::deliver;
    const bool rightwards = from < to;
    const std::size_t head = rightwards ? to - 1 : to + 1;
    for (std::size_t x = std::min(from, to) + 1; x < std::max(from, to); ++x) {
      row.put(x, arrives ? glyphs_.line : glyphs_.lost_line, ink);
    }
    for (std::size_t c = 0; arrives && c < names_.size(); ++c) {
      const std::size_t x = column(c);
      if (x > std::min(from, to) && x < std::max(from, to)) row.put(x, glyphs_.cross, ink);
    }
    row.put(from, glyphs_.sender, ink);
    row.put(head, arrives ? (rightwards ? glyphs_.right : glyphs_.left) : mark_of(kind), ink);
  }

  std::string_view mark_of(EventKind kind) const {
    switch (kind) {
      case EventKind::start:
        return glyphs_.start;
      case EventKind::timer:
        return glyphs_.timer;
      case EventKind::task:
        return glyphs_.task;
      case EventKind::crash:
        return glyphs_.crash;
      case EventKind::restart:
      case EventKind::recreate:
        return glyphs_.restart;
      case EventKind::isolate:
        return glyphs_.cut_cross;
      case EventKind::drop:
      case EventKind::lost:
        return glyphs_.lost;
      case EventKind::duplicate:
        return glyphs_.doubled;
      case EventKind::corrupt:
      case EventKind::fail_write:
      case EventKind::tear_write:
      case EventKind::lose_write:
      case EventKind::jump_clock:
        return glyphs_.changed;
      default:
        return glyphs_.receiver;
    }
  }

  void draw_violated() {
    Row row = lifelines();
    const auto found = column_of_.find(document_.violating_actor);
    if (found != column_of_.end()) row.put(column(found->second), glyphs_.bad, Ink::bad);
    row.put(text_at_, fmt::format("{} VIOLATED", glyphs_.bad), Ink::bad);
    print(row);
  }

  std::vector<std::string> names_;                // by column, cleaned
  std::map<std::string, std::size_t> column_of_;  // by the actor's own name
  std::vector<bool> down_;                        // crashed, as of the step being drawn
  bool fits_ = false;
  bool staircase_ = false;  // names stand one below the other, each where its lifeline begins
  std::size_t digits_ = 4;
  std::size_t time_width_ = 0;  // 0: untimed
  std::size_t left_ = 0;        // the first lifeline
  std::size_t pitch_ = 0;       // from one lifeline to the next
  std::size_t text_at_ = 0;
};

}  // namespace

std::string choice_text(const DocumentStep& step, std::size_t index) {
  GAINSAY_CHECK(index < step.choices.size(), "the step has that choice");
  const DataChoice& choice = step.choices[index];
  if (choice.is_time) return fmt::format("the clock shows {}", duration_text(choice.time_ns));
  if (choice.late) return choice.answer == 1 ? "what waited was due before" : "what waited was not yet due";
  std::string label = index < step.labels.size() ? step.labels[index] : std::string{};
  if (choice.among == 2 && label.ends_with('?')) {
    label.pop_back();
    return fmt::format("{}: {}", label, choice.answer == 1);
  }
  return fmt::format("{}{} of 0..{}", label.empty() ? "chose " : label + ": ", choice.answer,
                     choice.among - 1);
}

std::string space_time_diagram(const TraceDocument& document, const ShowOptions& options) {
  Picture picture(document, options);
  return picture.fits() ? picture.draw() : List(document, options).full();
}

std::string event_list(const TraceDocument& document, const ShowOptions& options) {
  return List(document, options).compact();
}

}  // namespace gainsay
