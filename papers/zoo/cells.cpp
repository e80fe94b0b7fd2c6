#include "papers/zoo/cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "papers/zoo/columns.hpp"

namespace gainsay::tools::zoo {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(separator, begin);
    parts.push_back(trimmed(text.substr(begin, end == std::string::npos ? end : end - begin)));
  }
  return parts;
}

std::vector<std::string> cells_of_line(const std::string& line) {
  std::vector<std::string> cells = parts_of(line.substr(1, line.rfind('|') - 1), '|');
  for (std::string& cell : cells) std::erase(cell, '`');
  return cells;
}

// What tells rows apart, which a paper's row does not repeat.
bool is_name(const std::string& column) {
  return column == "subject" || column == "system" || column == "bug" || column == "options" ||
         column == "limits";
}

PageRow row_of(const PageTable& table, std::vector<std::string> cells) {
  PageRow row;
  row.names = cells;
  for (std::size_t i = 0; i < cells.size() && i < table.columns.size(); ++i) {
    const std::size_t label = cells[i].find(", paper*");
    if (label != std::string::npos) {
      row.paper = true;
      row.names[i] = cells[i].substr(1, label - 1);
    } else if (cells[i].empty() && is_name(table.columns[i]) && !table.rows.empty()) {
      row.names[i] = table.rows.back().names[i];
    }
  }
  row.cells = std::move(cells);
  return row;
}

// A heading, or its part before a colon.
bool is_under(const PageTable& table, const std::string& heading) {
  return heading == "*" || table.heading == heading || table.heading.starts_with(heading + ":");
}

// A whole cell, or one of several options in a cell; "pctcp*": what begins so; "bug=-": the cell in that column.
bool has_key(const PageTable& table, const PageRow& row, const std::string& key) {
  for (std::size_t i = 0; i < row.names.size() && i < table.columns.size(); ++i) {
    const std::string& name = row.names[i];
    if (key == table.columns[i] + "=" + name) return true;
    if (name == key || (key.ends_with("*") && name.starts_with(key.substr(0, key.size() - 1)))) return true;
    if (table.columns[i] != "options") continue;
    const std::vector<std::string> words = parts_of(name, ' ');
    if (std::find(words.begin(), words.end(), key) != words.end()) return true;
  }
  return false;
}

// --- expressions ---

using Number = double;

class Expression {
 public:
  Expression(const std::string& text, const std::vector<PageTable>& tables) : text_(text), tables_(tables) {}

  Value all() {
    Value value = claims();
    blanks();
    if (at_ != text_.size()) wrong("nothing more");
    return value;
  }

 private:
  [[noreturn]] void wrong(const std::string& expected) const {
    throw UserError(fmt::format("'{}': expected {} at '{}'", text_, expected, text_.substr(at_)));
  }
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool takes(const std::string& word) {
    blanks();
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  Value claims() {
    Value value = comparison();
    while (takes("and")) {
      const Value other = comparison();
      if (!value.claim || !other.claim) wrong("claims on both sides of 'and'");
      value.number = value.number != 0 && other.number != 0 ? 1 : 0;
    }
    return value;
  }

  Value comparison() {
    const Value left = sum();
    using Holds = bool (*)(Number, Number);
    static const std::array<std::pair<const char*, Holds>, 5> signs = {{
        {"<=", [](Number a, Number b) { return a <= b; }},
        {">=", [](Number a, Number b) { return a >= b; }},
        {"==", [](Number a, Number b) { return a == b; }},
        {"<", [](Number a, Number b) { return a < b; }},
        {">", [](Number a, Number b) { return a > b; }},
    }};
    for (const auto& [sign, holds] : signs) {
      if (takes(sign)) return {holds(left.number, sum().number) ? 1.0 : 0.0, "", true};
    }
    return left;
  }

  Value sum() {
    Value value = product();
    while (true) {
      if (takes("+")) {
        value = {value.number + product().number, "", false};
      } else if (takes("-")) {
        value = {value.number - product().number, "", false};
      } else {
        return value;
      }
    }
  }

  Value product() {
    Value value = factor();
    while (true) {
      if (takes("*")) {
        value = {value.number * factor().number, "", false};
      } else if (takes("/")) {
        const Number divisor = factor().number;
        if (divisor == 0) wrong("a divisor that is not 0 before this");
        value = {value.number / divisor, "", false};
      } else {
        return value;
      }
    }
  }

  Value factor() {
    if (takes("(")) {
      const Value value = claims();
      if (!takes(")")) wrong("')'");
      return value;
    }
    for (const char* gathering : {"least", "most", "sum", "mean", "count"}) {
      if (takes(gathering)) return gathered(gathering);
    }
    blanks();
    if (at_ < text_.size() && text_[at_] == '[') return one_cell();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.'))
      ++at_;
    const auto number = number_in(text_.substr(begin, at_ - begin));
    if (!number) wrong("a number, a cell in brackets or '('");
    return {*number, "", false};
  }

  std::vector<std::string> found_cells(bool maybe_none = false) {
    if (!takes("[")) wrong("'['");
    const std::size_t end = text_.find(']', at_);
    if (end == std::string::npos) wrong("']'");
    const std::vector<std::string> path = parts_of(text_.substr(at_, end - at_), '|');
    if (path.size() != 4) wrong("SECTION | HEADING | KEYS | COLUMN");
    at_ = end + 1;
    std::vector<std::string> keys = parts_of(path[2], ';');
    const bool paper = std::erase(keys, "paper") > 0;
    std::erase(keys, "*");
    std::vector<std::string> found;
    bool has_section = false, has_column = false;
    for (const PageTable& table : tables_) {
      if (table.section != path[0] || !is_under(table, path[1])) continue;
      has_section = true;
      const auto column = std::find(table.columns.begin(), table.columns.end(), path[3]);
      if (column == table.columns.end()) continue;
      has_column = true;
      const auto place = static_cast<std::size_t>(column - table.columns.begin());
      for (const PageRow& row : table.rows) {
        const bool fits = row.paper == paper &&
                          std::all_of(keys.begin(), keys.end(),
                                      [&](const std::string& key) { return has_key(table, row, key); });
        if (fits && place < row.cells.size()) found.push_back(row.cells[place]);
      }
    }
    if (maybe_none) return found;
    const std::string text = fmt::format("{}", fmt::join(path, " | "));
    if (!has_section) throw UserError(fmt::format("[{}]: no table in such a section", text));
    if (!has_column) throw UserError(fmt::format("[{}]: no such column there", text));
    if (found.empty()) throw UserError(fmt::format("[{}]: no such row there", text));
    return found;
  }

  Value one_cell() {
    const std::size_t begin = at_;
    const std::vector<std::string> cells = found_cells();
    if (cells.size() > 1)
      throw UserError(
          fmt::format("{}: {} rows; expected one", text_.substr(begin, at_ - begin), cells.size()));
    return {cell_number(cells.front()), cells.front(), false};
  }

  Value gathered(const std::string& how) {
    const std::vector<std::string> cells = found_cells(how == "count");
    if (how == "count") return {static_cast<Number>(cells.size()), "", false};
    std::vector<Value> values;
    for (const std::string& cell : cells) values.push_back({cell_number(cell), cell, false});
    const auto less = [](const Value& a, const Value& b) { return a.number < b.number; };
    if (how == "least") return *std::min_element(values.begin(), values.end(), less);
    if (how == "most") return *std::max_element(values.begin(), values.end(), less);
    Number total = 0;
    for (const Value& value : values) total += value.number;
    GAINSAY_CHECK(!values.empty(), "cells that were looked for were found");
    return {how == "mean" ? total / static_cast<Number>(values.size()) : total, "", false};
  }

  const std::string& text_;
  const std::vector<PageTable>& tables_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<PageTable> tables_in(const std::string& document) {
  std::vector<PageTable> tables;
  std::istringstream lines(document);
  std::string section, heading, line;
  bool open = false;  // the last table goes on
  for (; std::getline(lines, line);) {
    static const std::string opening = "<!-- zoo ";
    if (line.starts_with(opening)) {
      section = line.substr(opening.size(), line.rfind(" -->") - opening.size());
      heading.clear();
    } else if (line.starts_with("<!-- end zoo ")) {
      section.clear();
    } else if (line.starts_with("### ")) {
      heading = line.substr(4);
    }
    if (!line.starts_with("|") || section.empty()) {
      open = false;
      continue;
    }
    if (!open) {
      tables.push_back({section, heading, cells_of_line(line), {}});
      open = true;
    } else if (!line.starts_with("|--")) {
      tables.back().rows.push_back(row_of(tables.back(), cells_of_line(line)));
    }
  }
  return tables;
}

double cell_number(const std::string& cell) {
  if (cell == "more") return std::numeric_limits<double>::infinity();
  if (cell == "no" || cell == "-") return 0;
  if (cell == "yes") return 1;
  static const std::string at_least = "more than ";
  const std::string text = cell.starts_with(at_least) ? cell.substr(at_least.size()) : cell;
  const std::optional<double> number = number_in(text);
  if (!number) throw UserError(fmt::format("'{}' is no number; expected a cell that is one", cell));
  if (text.ends_with(" ms")) return *number / 1000;
  return text.ends_with(" m") ? *number * 60 : *number;
}

Value evaluate(const std::string& expression, const std::vector<PageTable>& tables) {
  return Expression(expression, tables).all();
}

std::string said(const Value& value) {
  if (!value.text.empty()) return value.text;
  GAINSAY_CHECK(!value.claim, "a claim holds or does not");
  if (value.number == std::floor(value.number) || value.number >= 10)
    return with_commas(static_cast<std::uint64_t>(std::llround(value.number)));
  return fmt::format("{:.2g}", value.number);
}

}  // namespace gainsay::tools::zoo
