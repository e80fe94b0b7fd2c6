// The tables of a document, read back, and expressions over their cells (prose.hpp says what these look like).
#pragma once

#include <string>
#include <vector>

namespace gainsay::tools::zoo {

struct PageRow {
  std::vector<std::string> cells;  // without backquotes
  std::vector<std::string> names;  // as `cells`, but what a paper's row leaves out is that of the row above
  bool paper = false;
};

struct PageTable {
  std::string section;  // of the marks around it
  std::string heading;  // the last "### ..." in it
  std::vector<std::string> columns;
  std::vector<PageRow> rows;
};

std::vector<PageTable> tables_in(const std::string& document);

// Seconds of a time, 0 where nothing was found, infinite where it is more than the budget. Throws UserError otherwise.
double cell_number(const std::string& cell);

struct Value {
  double number = 0;
  std::string text;  // of the cell that it is; empty: it was worked out
  bool claim = false;
};
// Of a claim the number is 1 or 0. Throws UserError that says what was expected.
Value evaluate(const std::string& expression, const std::vector<PageTable>& tables);

// As in a sentence: "12,345", "0.35", "2.1".
std::string said(const Value& value);

}  // namespace gainsay::tools::zoo
