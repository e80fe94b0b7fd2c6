// shrink_violation: a smaller execution of the same scenario with the same violation.
#pragma once

#include "gainsay/execution/execution.hpp"
#include "gainsay/trace/shrink.hpp"

namespace gainsay {

// REQUIRES: `steps` shows the violation (same `violation_key`). The result does too, and is never longer.
Shrunk shrink_violation(const Blueprint& blueprint, const std::vector<Step>& steps,
                        const Violation& violation);

}  // namespace gainsay
