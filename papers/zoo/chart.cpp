#include "papers/zoo/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay::tools::zoo::chart {
namespace {

// Told apart by most eyes (Okabe and Ito's palette, and two greys).
constexpr std::array<const char*, 10> colours = {"#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7",
                                                 "#56b4e9", "#7f6a00", "#000000", "#777777", "#aa3377"};
std::string line_at(double x1, double y1, double x2, double y2, const char* stroke) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1,
                     y1, x2, y2, stroke);
}

std::string opening(double width, double height, const std::string& title) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
             "font-family=\"sans-serif\" font-size=\"12\">\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
             width, height) +
         text_at(10, 20, "start", title);
}

std::string tick_text(double value) {
  return value >= 1 && value < 1e5 ? fmt::format("{:.0f}", value) : fmt::format("{:g}", value);
}

std::string legend(const std::vector<std::string>& names, double y) {
  std::string svg;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double x = 20 + 175 * static_cast<double>(i % 5);
    const double at = y + 16 * static_cast<double>(i / 5);
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", x, at - 4, colour(i));
    svg += text_at(x + 10, at, "start", names[i]);
  }
  return svg;
}

}  // namespace

const char* colour(std::size_t i) { return colours[i % colours.size()]; }

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(text));
}

std::size_t place_of(std::vector<std::string>& list, const std::string& value) {
  const auto found = std::find(list.begin(), list.end(), value);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(value);
  return list.size() - 1;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string lines_svg(const std::string& title, const std::string& x, const std::string& y,
                      const std::vector<Line>& lines) {
  constexpr double width = 900, height = 420, left = 70, right = 20, top = 60, bottom = 45;
  double x_least = 1e18, x_most = -1e18, y_most = 10;
  std::vector<std::string> names;
  for (const Line& line : lines) {
    names.push_back(line.name);
    for (const auto& [at, value] : line.points) {
      x_least = std::min(x_least, at);
      x_most = std::max(x_most, at);
      while (value > y_most) y_most *= 10;
    }
  }
  GAINSAY_CHECK(x_least <= x_most, "a chart has points");
  const double span = std::max(1.0, x_most - x_least);
  const auto x_at = [&](double v) { return left + (width - left - right) * (v - x_least) / span; };
  const auto y_at = [&](double v) {
    return height - bottom - (height - top - bottom) * std::log10(std::max(1.0, v)) / std::log10(y_most);
  };
  std::string svg = opening(width, height, title) + legend(names, 42);
  for (double tick = 1; tick <= y_most; tick *= 10) {
    svg += line_at(left, y_at(tick), width - right, y_at(tick), "#ddd");
    svg += text_at(left - 8, y_at(tick) + 4, "end", tick_text(tick));
  }
  const double step = std::max(1.0, std::ceil(span / 20));
  for (double tick = x_least; tick <= x_most; tick += step)
    svg += text_at(x_at(tick), height - bottom + 18, "middle", tick_text(tick));
  svg += text_at((left + width) / 2, height - 8, "middle", x);
  svg += text_at(width - right, top - 4, "end", y);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string points;
    for (const auto& [at, value] : lines[i].points)
      points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x_at(at), y_at(value));
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points,
                       colour(i));
  }
  return svg + "</svg>\n";
}

std::string marks_svg(const std::string& title, const std::vector<Mark>& marks) {
  constexpr double width = 1000, left = 260, right = 30, mark_height = 9, gap = 12;
  std::vector<std::string> things;
  std::vector<std::string> series;
  double least = 1, most = 10;
  for (const Mark& mark : marks) {
    place_of(things, mark.thing);
    place_of(series, mark.series);
    GAINSAY_CHECK(mark.least <= mark.value && mark.value <= mark.most, "a value lies between least and most");
    while (mark.most > most) most *= 10;
    for (const double value : {mark.least, mark.value}) {
      while (value > 0 && value < least) least /= 10;
    }
  }
  const double per_thing = mark_height * static_cast<double>(series.size()) + gap;
  const double top = 56 + 16 * std::ceil(static_cast<double>(series.size()) / 5);
  const double height = top + per_thing * static_cast<double>(things.size()) + 30;
  const auto x_at = [&](double value) {
    if (value <= 0) return left - 8;
    return left +
           (width - left - right) * std::log10(std::max(least, value) / least) / std::log10(most / least);
  };
  std::string svg = opening(width, height, title) + legend(series, 42);
  for (double tick = least; tick <= most * 1.001; tick *= 10) {
    svg += line_at(x_at(tick), top, x_at(tick), height - 24, "#ddd");
    svg += text_at(x_at(tick), height - 8, "middle", tick_text(tick));
  }
  for (std::size_t t = 0; t < things.size(); ++t)
    svg += text_at(left - 20, top + per_thing * (static_cast<double>(t) + 0.5), "end", things[t]);
  for (const Mark& mark : marks) {
    const std::size_t s = place_of(series, mark.series);
    const double y = top + per_thing * static_cast<double>(place_of(things, mark.thing)) + gap / 2 +
                     mark_height * (static_cast<double>(s) + 0.5);
    if (mark.least != mark.most) svg += line_at(x_at(mark.least), y, x_at(mark.most), y, colour(s));
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" stroke=\"{}\" "
        "fill=\"{}\"><title>{}</title></circle>\n",
        x_at(mark.value), y, colour(s), mark.value > 0 ? colour(s) : "white",
        escaped(fmt::format("{}: {:g} ({:g} to {:g})", mark.series, mark.value, mark.least, mark.most)));
  }
  return svg + "</svg>\n";
}

}  // namespace gainsay::tools::zoo::chart
