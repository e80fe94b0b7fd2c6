#include "gainsay/report/label_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/report/row.hpp"

namespace gainsay {
namespace {

// Wider text is hard to read, however wide the terminal is.
constexpr std::size_t text_columns_max = 110;

}  // namespace

LabelRows::LabelRows(std::size_t width) : width_(std::min(width, text_columns_max)) {}

void LabelRows::add(std::string label, std::string text) {
  if (!text.empty()) rows_.emplace_back(std::move(label), std::move(text));
}

std::string LabelRows::text() const {
  std::size_t label_width = 0;
  for (const auto& row : rows_) label_width = std::max(label_width, display_width(row.first));
  const std::size_t before = label_width + 4;
  std::string out;
  for (const auto& [label, text] : rows_) {
    std::string head = "  " + label + std::string(label_width - display_width(label) + 2, ' ');
    for (const std::string& line :
         wrapped(clean(text, false), std::max<std::size_t>(width_, before + 30) - before)) {
      out += head + line + "\n";
      head.assign(before, ' ');
    }
  }
  return out;
}

std::string options_text(const std::vector<std::pair<std::string, std::string>>& options) {
  std::string text;
  for (const auto& [name, value] : options)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

}  // namespace gainsay
