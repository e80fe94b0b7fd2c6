// shrink_violation: a smaller execution of the same scenario with the same violation.
#pragma once

#include "gainsay/execution/run/execution.hpp"
#include "gainsay/trace/shrink.hpp"

namespace gainsay {

struct ShrunkViolation {
  Shrunk shrunk;
  Violation violation;  // as the smaller execution shows it
};

// REQUIRES: `steps` shows the violation (same `violation_key`). The result does too, and is never longer. A loop
// stays a loop, be it another one. A monitor that was hot for too long is about the length itself: such an execution
// is left as it is.
ShrunkViolation shrink_violation(const Blueprint& blueprint, const std::vector<Decision>& steps,
                                 const Violation& violation);

}  // namespace gainsay
