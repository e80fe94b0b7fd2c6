// Summaries: what a person reads when a verb is done.
//
// The first line is the verdict in words. Of a violation two more lines say where it was found and that it was
// confirmed; the first one is drawn, the others take a line each, and all come with the commands that replay, shrink
// and show them. Without a violation, or with `verbose`, the numbers follow, each with its unit, what the result means
// and what it does not. Warnings are never left out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gainsay/report/show.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

struct SummaryOptions {
  std::string program = "gainsay";       // as it was called, so that the commands in a summary can be pasted
  std::vector<std::string> trace_files;  // of the violations, in their order; "": it could not be written
  std::string certificate{};             // the file that was written, if any
  bool diagram = true;
  bool verbose = false;  // all numbers, also where a violation was found
  bool numbers = true;   // false: not even where none was found, unless verbose
  bool determinism_checked = false;
  ShowOptions show;  // its width is that of the text, too
};

std::string summary_text(const HuntResult& result, const SummaryOptions& options);
std::string summary_text(const ExploreResult& result, const SummaryOptions& options);

// What the bound of the strategy says about these runs, in plain words; empty where there is none.
std::string guarantee_sentence(const HuntResult& result);

}  // namespace gainsay
