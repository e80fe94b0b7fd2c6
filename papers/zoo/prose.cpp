#include "papers/zoo/prose.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "papers/zoo/cells.hpp"

namespace gainsay::tools::zoo {
namespace {

const std::string closing_mark = "<!--/-->";

std::size_t line_at(const std::string& text, std::size_t place) {
  return 1 + static_cast<std::size_t>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

std::string without_blanks(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \n") - begin + 1);
}

// "4,200" may stand as 4'200 or 4200 in a program.
bool stands_in(const std::string& number, const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw UserError(fmt::format("{}: cannot be read", file.string()));
  std::stringstream content;
  content << in.rdbuf();
  std::string text = content.str(), digits = number;
  std::erase(digits, ',');
  std::erase(text, '\'');
  std::erase(text, ',');
  const auto digit_at = [&](std::size_t place) {
    return place < text.size() && std::isdigit(static_cast<unsigned char>(text[place])) != 0;
  };
  for (std::size_t at = text.find(digits); at != std::string::npos; at = text.find(digits, at + 1)) {
    if ((at == 0 || !digit_at(at - 1)) && !digit_at(at + digits.size())) return true;
  }
  return false;
}

// A mark and what stands in it.
struct Mark {
  char kind = ' ';  // = ? :
  std::string inside;
  std::size_t begin = 0;       // of the mark
  std::size_t text_begin = 0;  // of what it marks
  std::size_t text_end = 0;
};

// The next mark from a place on; nothing: there is none. Throws UserError for one without an end.
std::optional<Mark> next_mark(const std::string& document, std::size_t from) {
  for (std::size_t at = document.find("<!--", from); at != std::string::npos;
       at = document.find("<!--", at + 4)) {
    const char kind = at + 4 < document.size() ? document[at + 4] : ' ';
    if (kind != '=' && kind != '?' && kind != ':') continue;
    const std::size_t end = document.find("-->", at);
    if (end == std::string::npos) throw UserError("a mark has no end; expected '-->'");
    Mark mark{kind, without_blanks(document.substr(at + 5, end - at - 5)), at, end + 3, end + 3};
    if (kind == '?') return mark;
    mark.text_end = document.find(closing_mark, end);
    const std::size_t next = document.find("<!--", end);
    if (mark.text_end == std::string::npos || next != mark.text_end)
      throw UserError(
          fmt::format("'{}' has no end; expected '{}' behind its text", mark.inside, closing_mark));
    return mark;
  }
  return std::nullopt;
}

// The same length, blanks where nothing is to be seen.
void blank(std::string& text, std::size_t begin, std::size_t end) {
  GAINSAY_CHECK(begin <= end && end <= text.size(), "what is blanked is there");
  for (std::size_t i = begin; i < end; ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

void blank_all(std::string& text, const std::regex& what) {
  const std::string before = text;
  for (std::sregex_iterator it(before.begin(), before.end(), what), none; it != none; ++it)
    blank(text, static_cast<std::size_t>(it->position()),
          static_cast<std::size_t>(it->position() + it->length()));
}

}  // namespace

Prose with_prose(const std::string& document, const std::string& where, const std::string& root) {
  const std::vector<PageTable> tables = tables_in(document);
  Prose prose;
  std::size_t done = 0;
  const auto fault = [&](std::size_t place, const std::string& what) {
    prose.faults.push_back(fmt::format("{}:{}: {}", where, line_at(document, place), what));
  };
  while (true) {
    std::optional<Mark> mark;
    try {
      mark = next_mark(document, done);
    } catch (const UserError& e) {
      fault(done, e.what());
    }
    if (!mark) break;
    std::string text = document.substr(mark->text_begin, mark->text_end - mark->text_begin);
    try {
      if (mark->kind == ':') {
        if (!mark->inside.empty() && !stands_in(text, std::filesystem::path(root) / mark->inside))
          fault(mark->begin, fmt::format("{} does not stand in {}", text, mark->inside));
      } else {
        const Value value = evaluate(mark->inside, tables);
        if (value.claim != (mark->kind == '?'))
          throw UserError(fmt::format("'{}': expected {}", mark->inside,
                                      value.claim ? "a number, not a claim" : "a claim, with < or > or =="));
        if (value.claim && value.number == 0)
          fault(mark->begin, fmt::format("does not hold: {}", mark->inside));
        if (!value.claim) text = said(value);
      }
    } catch (const UserError& e) {
      fault(mark->begin, e.what());
    }
    prose.document += document.substr(done, mark->text_begin - done) + text;
    done = mark->text_end;
  }
  prose.document += document.substr(done);
  return prose;
}

std::vector<std::string> unmarked_numbers(const std::string& document, const std::string& where) {
  std::string rest = document;
  // What the program writes, and what is marked.
  for (std::size_t at = rest.find("<!-- zoo "); at != std::string::npos;
       at = rest.find("<!-- zoo ", at + 1)) {
    const std::size_t end = rest.find("<!-- end zoo ", at);
    blank(rest, at, end == std::string::npos ? rest.size() : end);
  }
  for (std::optional<Mark> mark = next_mark(document, 0); mark; mark = next_mark(document, mark->text_end))
    blank(rest, mark->begin, mark->text_end);
  static const std::vector<std::regex> names = {
      std::regex("<!--[^>]*-->"), std::regex("`[^`]*`"), std::regex("\\]\\([^)]*\\)"), std::regex("^    .*"),
      // Tables, figures, sections and the like, also several of them.
      std::regex("([Tt]ables?|[Ff]igures?|[Ss]ections?|Theorem|Proposition|Example|Chapter) "
                 "[A-Z]?[0-9.]*[0-9]((, | and | to | or )[A-Z]?[0-9.]*[0-9])*"),
      std::regex("\\b[A-Z][A-Za-z]*[0-9]+\\b"), std::regex("\\b[A-Z]+-[0-9]+"),
      std::regex("\\b(arXiv |[A-Za-z]+ v)[0-9.]+"), std::regex("\\b(19|20)[0-9][0-9]\\b")};
  for (const std::regex& name : names) blank_all(rest, name);
  static const std::regex number(
      "[0-9][0-9,.]*|\\b(twice|thrice|half|tenth|quarters?|tens|dozens?|hundreds?|hundredth|thousands?|"
      "thousandth|millions?)\\b|\\b(two|three|four|five|six|ten) times\\b|\\b(a|the) third\\b");
  std::vector<std::string> found;
  for (std::sregex_iterator it(rest.begin(), rest.end(), number), none; it != none; ++it)
    found.push_back(fmt::format("{}:{}: '{}' stands there without a mark", where,
                                line_at(rest, static_cast<std::size_t>(it->position())), it->str()));
  return found;
}

}  // namespace gainsay::tools::zoo
