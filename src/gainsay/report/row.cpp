#include "gainsay/report/row.hpp"

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

std::string_view escape_of(Ink ink) {
  switch (ink) {
    case Ink::plain:
      return "\x1b[0m";
    case Ink::faint:
      return "\x1b[0;2m";
    case Ink::name:
      return "\x1b[0;1;36m";
    case Ink::message:
      return "\x1b[0;1m";
    case Ink::change:
      return "\x1b[0;32m";
    case Ink::fault:
      return "\x1b[0;33m";
    case Ink::bad:
      return "\x1b[0;1;31m";
  }
  return "";
}

// The code points of valid UTF-8.
std::vector<std::string_view> code_points(std::string_view text) {
  std::vector<std::string_view> points;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) ++end;
    points.push_back(text.substr(i, end - i));
    i = end;
  }
  return points;
}

}  // namespace

void Row::put(std::size_t column, std::string_view text, Ink ink) {
  for (const std::string_view point : code_points(text)) {
    if (column >= cells_.size()) cells_.resize(column + 1);
    cells_[column++] = Cell{std::string(point), ink};
  }
}

std::string Row::text(bool color) const {
  std::size_t end = cells_.size();
  while (end > 0 && cells_[end - 1].glyph == " ") --end;
  std::string out;
  Ink ink = Ink::plain;
  for (std::size_t i = 0; i < end; ++i) {
    if (color && cells_[i].ink != ink && cells_[i].glyph != " ") {
      ink = cells_[i].ink;
      out += escape_of(ink);
    }
    out += cells_[i].glyph;
  }
  if (ink != Ink::plain) out += escape_of(Ink::plain);
  return out + "\n";
}

namespace {

// Marks that change the direction of the text around them (U+061C, U+200E..F, U+202A..E, U+2066..9): they could make
// a line read otherwise than it is.
bool turns_text(std::string_view point) {
  if (point == "\u061c") return true;
  if (point.size() != 3 || !point.starts_with("\xe2")) return false;
  const auto last = static_cast<unsigned char>(point[2]);
  if (point[1] == '\x80') return last == 0x8e || last == 0x8f || (last >= 0xaa && last <= 0xae);
  return point[1] == '\x81' && last >= 0xa6 && last <= 0xa9;
}

}  // namespace

std::string clean(std::string_view text, bool ascii) {
  const std::string valid = printable_utf8(text);
  std::string out;
  for (const std::string_view point : code_points(valid)) {
    const auto first = static_cast<unsigned char>(point.front());
    const bool c1_control = point.size() == 2 && first == 0xc2 && static_cast<unsigned char>(point[1]) < 0xa0;
    if (first < 0x20 || first == 0x7f || c1_control || turns_text(point)) {
      out += ' ';
    } else {
      out += ascii && point.size() > 1 ? "?" : point;
    }
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t width, std::string_view mark) {
  const auto points = code_points(text);
  if (points.size() <= width) return std::string(text);
  const std::size_t mark_width = display_width(mark);
  if (mark_width >= width)
    return std::string(mark.substr(0, mark_width == mark.size() ? width : mark.size()));
  std::string out;
  for (std::size_t i = 0; i < width - mark_width; ++i) out += points[i];
  return out.append(mark);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  GAINSAY_CHECK(width > 0, "a line has room for something");
  const auto points = code_points(text);
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (points.size() - start > width) {
    std::size_t end = start + width;  // one past the line
    std::size_t next = end;
    for (std::size_t i = end; i > start + width / 2; --i) {
      if (points[i] != " ") continue;
      end = i;
      next = i + 1;
      break;
    }
    std::string line;
    for (std::size_t i = start; i < end; ++i) line += points[i];
    lines.push_back(std::move(line));
    start = next;
  }
  std::string rest;
  for (std::size_t i = start; i < points.size(); ++i) rest += points[i];
  if (!rest.empty() || lines.empty()) lines.push_back(std::move(rest));
  return lines;
}

}  // namespace gainsay
