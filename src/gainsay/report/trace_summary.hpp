// Summaries of what was done with one trace: replayed or shrunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gainsay/report/summary.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

// The result of shrinking a trace.
struct ShrinkReport {
  std::string trace_file;
  std::string small_file;
  std::size_t steps_before = 0;
  std::size_t attempts = 0;
  std::vector<std::string> simpler{};  // "clients: 5 -> 2": what was made simpler in the world itself
  TraceDocument document;              // of the smaller execution
};

// The result of replaying a trace file.
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

}  // namespace gainsay
