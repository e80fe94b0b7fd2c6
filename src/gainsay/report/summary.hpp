// Summaries: what a person reads when a verb is done.
//
// The first line is the verdict in words. Then the numbers, each with its unit;
// what the result means and what it does not; warnings; and for every violation
// how to see it again. The first violation is drawn, the others take a line each.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/report/show.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

struct SummaryOptions {
  std::string program = "gainsay";       // as it was called, so that the commands in a summary can be pasted
  std::vector<std::string> trace_files;  // of the violations, in their order; "": it could not be written
  std::string certificate{};             // the file that was written, if any
  bool diagram = true;
  ShowOptions show;  // its width is that of the text, too
};

std::string summary_text(const HuntResult& result, const SummaryOptions& options);
std::string summary_text(const ExploreResult& result, const SummaryOptions& options);

// What the bound of the strategy says about these runs, in plain words; empty where there is none.
std::string guarantee_sentence(const HuntResult& result);

// A scenario or a strategy, as `list` shows it.
struct Listing {
  std::string name;
  std::string description;
  std::string kind;  // of a strategy: "random" or "search"
  std::vector<OptionInfo> options;
  std::vector<std::string> actors;  // of a scenario with its default options
  std::string problem;              // why it cannot be built as it stands; usually empty
};

// A seeded bug: a value of the option `bug` other than none.
struct SeededBug {
  std::string option;  // "bug=overtake"
  std::string description;
};
std::vector<SeededBug> seeded_bugs(const std::vector<OptionInfo>& options);

std::string summary_text(const std::vector<Listing>& listings, std::size_t width);

// What a shrinking came to.
struct ShrinkReport {
  std::string trace_file;
  std::string small_file;
  std::size_t steps_before = 0;
  std::size_t attempts = 0;
  TraceDocument document;  // of the smaller execution
};

// What became of the replay of a trace file.
struct ReplayReport {
  enum class Outcome { same_violation, no_violation, not_repeated };

  Outcome outcome = Outcome::no_violation;
  std::string trace_file;
  TraceDocument document;  // as it was executed now
  std::optional<Violation> violation;
};

std::string summary_text(const ShrinkReport& report, const std::string& program);
std::string summary_text(const ReplayReport& report, const std::string& program);

// The words as a shell takes them, quoted where that is needed.
std::string shell_command(const std::vector<std::string>& words);

}  // namespace gainsay
