// Writes an execution down in words: every step with names, payloads, changed fields, sends and notes.
//
// A Scribe observes an execution step by step. It reads states before and after each step and changes nothing.
#pragma once

#include <optional>
#include <string>

#include "gainsay/execution/run/execution.hpp"
#include "gainsay/trace/document.hpp"

namespace gainsay {

// The result of a replay.
struct Replay {
  TraceDocument
      document;  // of what was executed: names, payloads, changes; header fields are left to the caller
  RunOutcome outcome;
  std::optional<std::size_t> diverged_at;  // the step that could not be followed
  std::string divergence;                  // in words
};

// Executes what the strategy chooses and documents it. Where the strategy throws Divergence, the document has the steps
// before it.
Replay write_down(Execution& execution, Strategy& strategy);

// The printed payload of a pending event; "" where it has none.
std::string message_of(const Event& event, const Execution& execution);

}  // namespace gainsay
