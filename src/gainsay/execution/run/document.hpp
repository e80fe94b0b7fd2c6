// Replays: a recorded execution repeated without the memo, documented and compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gainsay/execution/run/execution.hpp"
#include "gainsay/execution/run/scribe.hpp"
#include "gainsay/trace/document.hpp"

namespace gainsay {

// Follows the decisions live (no memo, so that breakpoints and cheats are seen) and documents them. Of liveness
// only the recorded violation is looked for, if there is one. Where that shows in a prefix, the execution ends with the
// steps.
Replay replay_steps(const Blueprint& blueprint, const std::vector<Decision>& steps, std::size_t steps_max,
                    const std::optional<Violation>& recorded = std::nullopt);

// How an execution is set up that follows a recorded one; `write_down` executes it.
ExecutionOptions replay_options(std::size_t steps_max, const std::optional<Violation>& recorded);

// Where a violation shows: after the step that broke something; in what clients had seen by then, whatever comes
// after; where nothing can happen any more; or in steps that are repeated, or are too many.
enum class Shows : std::uint8_t { in_a_step, in_a_prefix, at_the_end, in_a_loop };
Shows shows_where(const Blueprint& blueprint, const Violation& violation);

// What a document says, to be followed. Receivers are known where their names are those of the scenario's actors;
// types are not: `first_difference` compares what was printed.
std::vector<Decision> decisions_of(const TraceDocument& document, const Blueprint& blueprint);

// The first step at which two documents of the same steps differ, in words; nothing if they agree.
struct DocumentDifference {
  std::size_t step = 0;
  std::string what;
};
std::optional<DocumentDifference> first_difference(const TraceDocument& recorded,
                                                   const TraceDocument& executed);

// Runs the steps twice, live, and compares what every step did: local states, effects, payloads. A difference
// is the work of a handler that depends on more than its fields and its Context; the violation names actor,
// event and field.
std::optional<Violation> find_nondeterminism(const Blueprint& blueprint, const std::vector<Decision>& steps,
                                             std::size_t steps_max,
                                             const std::optional<Violation>& recorded = std::nullopt);

// One event in words: "deliver Flush from terminator to logger".
std::string describe(const Event& event, const Execution& execution);
std::string describe(const DocumentStep& step);

}  // namespace gainsay
