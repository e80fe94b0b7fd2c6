// Prints tables of the zoo as Markdown whose columns are aligned, so that it can be read on a terminal as well.
#pragma once

#include <string>
#include <vector>

#include "papers/zoo/row.hpp"
#include "papers/zoo/table.hpp"

namespace gainsay::tools::zoo {

// Cells in columns; the first row is the heading.
std::string markdown_table(const std::vector<std::vector<std::string>>& cells);

// The whole table, under a line that says on what and with what it was measured.
// When and on what rows were measured, as a sentence.
std::string measured_text(const std::vector<Row>& rows);

std::string table_text(const Table& table, const Heading& heading, const std::vector<Row>& rows);

bool has_section(const std::string& document, const std::string& name);
// The document with the part between `<!-- zoo NAME -->` and `<!-- end zoo NAME -->` replaced. Throws UserError that
// names `where` if the marks are not there.
std::string with_section(const std::string& document, const std::string& name, const std::string& section,
                         const std::string& where);

}  // namespace gainsay::tools::zoo
