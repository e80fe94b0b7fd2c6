#include "gainsay/report/show.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/report/row.hpp"
#include "gainsay/report/teller.hpp"

namespace gainsay {
namespace {

constexpr std::size_t pitch_least = 4;         // room for an arrow: o-->*
constexpr std::size_t text_least = 24;         // columns for what a step says; with less, a list is better
constexpr std::size_t text_comfortable = 56;   // more is not asked for
constexpr std::size_t text_beside_names = 34;  // with less, the names make room and stand one below the other
constexpr std::size_t lines_beside = 3;  // a longer text is cut in the picture and told in full below its row
constexpr std::size_t steps_per_head = 40;  // the names are repeated, or they scroll out of sight

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
