// Summaries: what a person reads when a verb is done.
//
// The first line is the verdict in words. Of a violation two more lines say where it was found and that it was
// confirmed; the first one is drawn, the others take a line each, and all come with the commands that replay, shrink
// and show them. Without a violation, or with `verbose`, the numbers follow, each with its unit, what the result means
// and what it does not. Warnings are never left out.
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
  bool verbose = false;  // all numbers, also where a violation was found
  bool numbers = true;   // false: not even where none was found, unless verbose
  bool determinism_checked = false;
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
  // Of a scenario with its default options:
  std::vector<std::string> actors;
  std::vector<std::string> monitors;
  std::vector<std::string> properties;  // "always: agreement", "linearizable"
  std::string problem;                  // why it cannot be built as it stands; usually empty
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
  std::vector<std::string> simpler{};  // "clients: 5 -> 2": what was made simpler in the world itself
  TraceDocument document;              // of the smaller execution
};

// What became of the replay of a trace file.
struct ReplayReport {
  enum class Outcome : std::uint8_t {
    same_violation,
    other_violation,     // of another property
    no_violation,        // as recorded
    no_longer_violated,  // the recorded steps are possible, and nothing is wrong with them now
    not_repeated,        // a recorded nondeterminism
    diverged,            // the recorded steps are not possible
  };

  Outcome outcome = Outcome::no_violation;
  std::string trace_file;
  TraceDocument document;  // as it was executed now
  std::optional<Violation> violation{};
  RunHeader recorded{};  // how it was found
  std::size_t step = 0;  // diverged: the first step that is not possible, from 1
  std::string divergence{};
  std::vector<std::string> notes{};

  // 0 nothing wrong, 1 violated, 3 unknown.
  int exit_code() const;
};
// One word or two for an outcome, the same in lines of text and in JSON: "reproduced".
std::string_view outcome_name(ReplayReport::Outcome outcome);
// How to look for the bug again in a program in which its trace cannot be followed.
std::string find_again_command(const RunHeader& header, const std::string& program);

std::string summary_text(const ShrinkReport& report, const SummaryOptions& options);
std::string summary_text(const ReplayReport& report, const SummaryOptions& options);

// The words as a shell takes them, quoted where that is needed.
std::string shell_command(const std::vector<std::string>& words);

}  // namespace gainsay
