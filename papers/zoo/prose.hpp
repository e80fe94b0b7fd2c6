// Prose: the numbers in a document's sentences are those of the tables in the same document.
//
// Three marks, which a reader of the page does not see:
//
//   <!--= EXPRESSION -->18,396<!--/-->   what stands between is made of the tables
//   <!--? EXPRESSION < EXPRESSION -->    a claim that a sentence makes in words; it must hold
//   <!--: -->500<!--/-->                 a number that was not measured here: the paper's, or one of the program;
//   <!--: FILE -->536<!--/-->            with a file (a test, say), one that stands in it
//
// An expression is made of numbers, + - * / ( ), and cells:
//
//   [SECTION | HEADING | KEY; KEY; ... | COLUMN]
//
// the cell in a column of the one row, in the section `<!-- zoo SECTION -->` under a heading that is HEADING, up to a
// colon (`*`: any), one of whose cells is each KEY: the whole cell, one of its options, with `pctcp*` how it begins, or
// with `bug=-` the cell in that column.
// The key `paper` asks for the row below it that has a paper's figures.
// `least`, `most`, `sum`, `mean` and `count` before a bracket take all rows with these keys. Times are seconds, what
// was not found is 0, `more` (than the budget) is infinite.
//
// So a table that is measured again changes the sentences, or shows that they are no longer true.
#pragma once

#include <string>
#include <vector>

namespace gainsay::tools::zoo {

struct Prose {
  std::string document;             // with the texts made again
  std::vector<std::string> faults;  // claims that do not hold, marks that cannot be read; with their line
};
// `root`: where the files of `<!--: FILE -->` are; `where` names the document in faults.
Prose with_prose(const std::string& document, const std::string& where, const std::string& root);

// Numbers, in digits or in words, that stand in prose without a mark; with their line. What names something (a table,
// a figure, a section, a year, a version, an option in backquotes) is no such number.
std::vector<std::string> unmarked_numbers(const std::string& document, const std::string& where);

}  // namespace gainsay::tools::zoo
