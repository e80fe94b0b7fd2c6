// Histories in the terminal: a row for each operation, with its interval to the left and what it did to the right.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/report/history_report.hpp"
#include "gainsay/report/row.hpp"

namespace gainsay {
namespace {

constexpr std::size_t rows_max = 40;
constexpr std::size_t picture_width_least = 60;

struct Strokes {
  std::string_view begin, line, end, open, bad, dot;
};
constexpr Strokes unicode_strokes = {"├", "─", "┤", "╌", "✗", "·"};
constexpr Strokes ascii_strokes = {"|", "-", "|", ".", "X", "."};

std::string seconds(double elapsed_s) {
  return elapsed_s < 0.0995 ? fmt::format("{:.1f} ms", elapsed_s * 1000) : fmt::format("{:.2f} s", elapsed_s);
}

class Timeline {
 public:
  Timeline(const HistoryReport& report, const ShowOptions& options)
      : report_(report), options_(options), strokes_(options.ascii ? ascii_strokes : unicode_strokes) {
    options_.width = std::max(options.width, picture_width_least);
    choose();
  }

  std::string draw() {
    std::size_t process_width = 7;
    double last = 1;
    for (const HistoryBar* bar : rows_) {
      process_width = std::max(process_width, std::min<std::size_t>(display_width(bar->process), 12));
      last = std::max({last, bar->begin + 1, bar->end});
      first_ = std::min(first_, bar->begin);
    }
    last = std::max(last, first_ + 1);
    bars_at_ = process_width + 12;
    bar_width_ = std::max<std::size_t>(20, (options_.width - bars_at_) * 2 / 5);
    scale_ = static_cast<double>(bar_width_ - 1) / (last - first_);
    Row head;
    head.put(2, fmt::format("{:>6}  {}", "#", "process"), Ink::faint);
    head.put(bars_at_, "time runs to the right", Ink::faint);
    std::string out = head.text(options_.color);
    for (const HistoryBar* bar : rows_) out += row(*bar, process_width);
    if (rows_.size() < report_.bars.size()) {
      out += fmt::format("  {} of {} operations are drawn; --html draws more\n", rows_.size(),
                         report_.bars.size());
    }
    return out;
  }

 private:
  // The offending one, those that contradict it, and then its neighbours.
  void choose() {
    std::size_t middle = 0;
    std::vector<bool> taken(report_.bars.size(), false);
    std::size_t count = 0;
    for (std::size_t i = 0; i < report_.bars.size(); ++i) {
      if (report_.bars[i].offending) middle = i;
    }
    for (std::size_t i = report_.bars.size(); i-- > 0 && count < rows_max;) {
      if (!report_.bars[i].offending && !report_.bars[i].contradicts) continue;
      taken[i] = true;
      ++count;
    }
    for (std::size_t distance = 0; distance <= report_.bars.size() && count < rows_max; ++distance) {
      for (const std::size_t i : {middle - distance, middle + distance}) {
        if (i >= report_.bars.size() || taken[i] || count == rows_max) continue;
        taken[i] = true;
        ++count;
      }
    }
    for (std::size_t i = 0; i < report_.bars.size(); ++i) {
      if (taken[i]) rows_.push_back(&report_.bars[i]);
    }
  }

  std::size_t column(double at) const {
    const double offset = std::clamp((at - first_) * scale_, 0.0, static_cast<double>(bar_width_ - 1));
    return bars_at_ + static_cast<std::size_t>(std::lround(offset));
  }

  std::string row(const HistoryBar& bar, std::size_t process_width) {
    Row row;
    const Ink ink = bar.offending     ? Ink::bad
                    : bar.failed      ? Ink::faint
                    : bar.contradicts ? Ink::fault
                                      : Ink::plain;
    if (bar.offending) row.put(0, strokes_.bad, Ink::bad);
    row.put(2, fmt::format("{:>6}", bar.number), Ink::faint);
    row.put(10, shortened(clean(bar.process, options_.ascii), process_width, options_.ascii ? "." : "…"),
            Ink::name);
    const std::size_t begin = column(bar.begin);
    const std::size_t end = bar.open ? bars_at_ + bar_width_ - 1 : std::max(column(bar.end), begin + 1);
    row.put(begin, strokes_.begin, ink);
    for (std::size_t i = begin + 1; i < end; ++i) row.put(i, bar.open ? strokes_.open : strokes_.line, ink);
    row.put(end, bar.open ? strokes_.open : strokes_.end, ink);
    const std::size_t text_at = bars_at_ + bar_width_ + 2;
    std::string text = clean(bar.text, options_.ascii);
    if (bar.failed) text += " (failed)";
    if (bar.open) text += " (no outcome)";
    if (bar.offending) text += options_.ascii ? " <- cannot be placed" : " ◀ cannot be placed";
    if (options_.width > text_at + 8)
      row.put(text_at, shortened(text, options_.width - text_at, options_.ascii ? "..." : "…"), ink);
    return row.text(options_.color);
  }

  const HistoryReport& report_;
  ShowOptions options_;
  const Strokes& strokes_;
  std::vector<const HistoryBar*> rows_;
  double first_ = 1e300;
  double scale_ = 1;
  std::size_t bars_at_ = 0;
  std::size_t bar_width_ = 0;
};

}  // namespace

std::string one_line(const HistoryReport& report, std::size_t file_width) {
  std::string line = fmt::format("{:<9} ", report.word());
  if (!report.error.empty()) return line + clean(report.error, false) + "\n";
  line += fmt::format("{:<{}}  {}, {}", clean(report.file, false), file_width,
                      counted(report.operations, "operation"), seconds(report.elapsed_s));
  if (!report.reason.empty()) line += ": " + report.reason;
  if (report.verdict == Verdict::ok && report.operations == 0) line += ": nothing was checked";
  return line + "\n";
}

std::string history_text(const HistoryReport& report, const ShowOptions& options) {
  if (!report.error.empty()) return clean(report.error, options.ascii) + "\n";
  const std::string what =
      report.consistency == "linearizable" || report.consistency == "sequential"
          ? fmt::format("{} {}",
                        report.consistency == "sequential" ? "sequentially consistent" : "linearizable",
                        report.model)
          : fmt::format("{} {}", report.consistency, report.model);
  std::string out;
  Row head;
  if (report.verdict == Verdict::ok && report.model == "rw-register") {
    // Registers show only part of the order of their versions.
    head.append(fmt::format("ok: no anomaly was found in {}, read as a {} history",
                            clean(report.file, options.ascii), what),
                Ink::change);
  } else if (report.verdict == Verdict::ok) {
    head.append(fmt::format("ok: {} is a {} history", clean(report.file, options.ascii), what), Ink::change);
  } else if (report.verdict == Verdict::violated) {
    head.append(fmt::format("violated: {} is not a {} history", clean(report.file, options.ascii), what),
                Ink::bad);
  } else {
    head.append(fmt::format("unknown: could not decide whether {} is a {} history",
                            clean(report.file, options.ascii), what),
                Ink::fault);
  }
  out += head.text(options.color);
  std::vector<std::string> facts = {counted(report.operations, "operation")};
  if (report.parts > 1) facts.push_back(counted(report.parts, "part") + " judged apart");
  facts.push_back(counted(report.steps, "step"));
  facts.push_back(seconds(report.elapsed_s));
  if (!report.format.empty()) facts.push_back("read as " + report.format);
  if (!report.method.empty()) facts.push_back("decided by " + report.method);
  out += fmt::format("  {}\n", fmt::join(facts, ", "));
  if (!report.reason.empty()) out += fmt::format("  because: {}\n", clean(report.reason, options.ascii));
  for (const std::string& note : report.notes) out += fmt::format("  note: {}\n", clean(note, options.ascii));
  if (report.verdict != Verdict::ok && !report.bars.empty()) {
    out += "\n" + Timeline(report, options).draw();
    if (!report.left_out.empty()) out += "  " + report.left_out + "\n";
  }
  if (!report.explanation.empty()) out += "\n";
  for (const std::string& line : report.explanation) out += clean(line, options.ascii) + "\n";
  return out;
}

std::string summary_line(const std::vector<HistoryReport>& reports) {
  std::size_t counts[4] = {};
  std::uint64_t operations = 0;
  for (const HistoryReport& report : reports) {
    ++counts[!report.error.empty() ? 3 : static_cast<std::size_t>(report.verdict)];
    operations += report.operations;
  }
  std::vector<std::string> parts = {fmt::format("{} ok", counts[0]), fmt::format("{} violated", counts[1]),
                                    fmt::format("{} unknown", counts[2])};
  if (counts[3] > 0) parts.push_back(fmt::format("{} could not be read", counts[3]));
  return fmt::format("{}, {}: {}\n", counted(reports.size(), "file"), counted(operations, "operation"),
                     fmt::join(parts, ", "));
}

}  // namespace gainsay
