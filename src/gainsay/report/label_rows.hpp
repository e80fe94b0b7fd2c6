// Rows of a summary: `  label   text`, the text broken and indented under itself.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gainsay {

class LabelRows {
 public:
  explicit LabelRows(std::size_t width);

  // An empty text adds no row.
  void add(std::string label, std::string text);
  std::string text() const;

 private:
  std::size_t width_;
  std::vector<std::pair<std::string, std::string>> rows_;
};

// "a=1 b=2"
std::string options_text(const std::vector<std::pair<std::string, std::string>>& options);

}  // namespace gainsay
