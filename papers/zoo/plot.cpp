#include "papers/zoo/plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "papers/zoo/chart.hpp"

namespace gainsay::tools::zoo {
namespace {

using chart::colour;
using chart::escaped;
using chart::place_of;
using chart::text_at;

constexpr double left = 390;  // the longest name of a bug
constexpr double right = 90;
constexpr double width = 1080;
constexpr double row_gap = 14;  // above and below the marks of a bug
constexpr double mark_height = 9;

struct Axis {
  double most = 10;  // a power of ten

  double at(double runs) const {
    return left + (width - left - right) * std::log10(std::max(1.0, runs)) / std::log10(most);
  }
  double beyond() const { return width - right / 3; }
};

std::string mark(const Axis& axis, const Row& row, double y, const char* colour) {
  const Quartiles& q = row.runs_to_first_bug;
  std::string text;
  if (q.lower) {
    const double to = q.upper ? axis.at(*q.upper) : axis.beyond();
    text +=
        fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" stroke-width="2"/>)",
                    axis.at(*q.lower), y, to, y, colour);
  }
  const double x = q.median ? axis.at(*q.median) : axis.beyond();
  text += fmt::format(
      R"(<circle cx="{:.1f}" cy="{:.1f}" r="3.5" stroke="{}" fill="{}"><title>{}</title></circle>)", x, y,
      colour, q.median ? colour : "white",
      escaped(fmt::format("{}: {} of {} seeds", row.strategy, row.found_by_seeds, row.seeds)));
  return text + "\n";
}

}  // namespace

std::string first_bugs_svg(const std::string& title, const std::vector<Row>& rows) {
  std::vector<std::string> bugs;
  std::vector<std::string> strategies;
  std::vector<const Row*> shown;
  Axis axis;
  for (const Row& row : rows) {
    if (row.bug == "none" || row.states) continue;
    shown.push_back(&row);
    place_of(bugs, row.system + " " + row.bug);
    place_of(strategies, row.strategy);
    for (const auto& runs : {row.runs_to_first_bug.median, row.runs_to_first_bug.upper}) {
      while (runs && *runs > axis.most) axis.most *= 10;
    }
  }
  const double per_bug = mark_height * static_cast<double>(strategies.size()) + row_gap;
  const double top = 50 + 16 * std::ceil(static_cast<double>(strategies.size()) / 4);
  const double height = top + per_bug * static_cast<double>(bugs.size()) + 40;

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, height);
  svg += text_at(10, 22, "start", title);
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    const double x = 20 + 235 * static_cast<double>(i % 4);
    const double y = 44 + 16 * static_cast<double>(i / 4);
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", x, y - 4, colour(i));
    svg += text_at(x + 10, y, "start", strategies[i]);
  }
  for (double tick = 1; tick <= axis.most; tick *= 10) {
    const double x = axis.at(tick);
    svg +=
        fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>\n",
                    x, top, height - 30);
    svg += text_at(x, height - 12, "middle", fmt::format("{:.0f}", tick));
  }
  svg += text_at(axis.beyond(), height - 12, "middle", "more");
  for (std::size_t b = 0; b < bugs.size(); ++b)
    svg += text_at(left - 12, top + per_bug * (static_cast<double>(b) + 0.5), "end", bugs[b]);
  for (const Row* row : shown) {
    const std::size_t b = place_of(bugs, row->system + " " + row->bug);
    const std::size_t s = place_of(strategies, row->strategy);
    const double y =
        top + per_bug * static_cast<double>(b) + row_gap / 2 + mark_height * (static_cast<double>(s) + 0.5);
    svg += mark(axis, *row, y, colour(s));
  }
  return svg + "</svg>\n";
}

}  // namespace gainsay::tools::zoo
