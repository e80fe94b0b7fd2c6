// Charts as SVG: lines over a number, and marks for each of some things. Both have a logarithmic axis of values.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gainsay::tools::zoo::chart {

struct Line {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x increasing; y >= 0
};

// Values below 1 are drawn at 1.
std::string lines_svg(const std::string& title, const std::string& x, const std::string& y,
                      const std::vector<Line>& lines);

// A disc at `value`, with a bar from `least` to `most` where they differ.
struct Mark {
  std::string thing;
  std::string series;
  double value = 0;
  double least = 0;
  double most = 0;
};

// One row for each thing, one colour for each series. The axis begins at the power of ten below the least value that
// is not 0; what is 0 stands at the left edge, as a ring.
std::string marks_svg(const std::string& title, const std::vector<Mark>& marks);

// --- what pictures are made of ---

// For text inside of SVG.
std::string escaped(const std::string& text);
std::string text_at(double x, double y, const char* anchor, const std::string& text);
const char* colour(std::size_t series);
// Where the value stands in the list; at its end, if it was not there.
std::size_t place_of(std::vector<std::string>& list, const std::string& value);

}  // namespace gainsay::tools::zoo::chart
