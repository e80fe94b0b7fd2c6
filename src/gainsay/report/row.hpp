// Row: one line of a terminal picture, drawn cell by cell, and the cutting of texts to its width.
//
// A cell holds one code point, taken to be one column wide. Colours are kept beside the cells, so that widths
// are right whether they are printed or not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gainsay {

enum class Ink { plain, faint, name, message, change, fault, bad };

class Row {
 public:
  // Draws over what is there.
  void put(std::size_t column, std::string_view text, Ink ink = Ink::plain);
  // After the last cell drawn so far.
  void append(std::string_view text, Ink ink = Ink::plain) { put(cells_.size(), text, ink); }

  std::size_t width() const { return cells_.size(); }
  // With a line feed, without blanks at the end.
  std::string text(bool color) const;

 private:
  struct Cell {
    std::string glyph = " ";
    Ink ink = Ink::plain;
  };

  std::vector<Cell> cells_;
};

// One line of valid UTF-8 without control characters; with `ascii`, whatever is not ASCII becomes '?'.
std::string clean(std::string_view text, bool ascii);
// At most `width` columns, the last of them `mark` if something was cut off.
std::string shortened(std::string_view text, std::size_t width, std::string_view mark);
// Lines of at most `width` columns, cut at blanks where there are any, else anywhere. Never empty. REQUIRES:
// width > 0.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace gainsay
