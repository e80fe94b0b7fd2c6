// shrink_violation: a smaller execution of the same scenario with the same violation.
#pragma once

#include "gainsay/execution/run/execution.hpp"
#include "gainsay/trace/shrink.hpp"

namespace gainsay {

struct ShrunkViolation {
  Shrunk shrunk;
  Violation violation;  // as the smaller execution shows it
};

// What may be left out: anything, or no partition and no isolation. Where messages may be late anyway, a cut is often
// not needed to show what it was made for.
enum class Cutbacks : std::uint8_t { any, keep_cuts };

// Whether it is one of what clients saw. The beginning of a history that is right is right: what comes after the
// contradiction need not happen, so a smaller execution may end there, cut by a bound of as many steps as it has.
bool is_of_history(const Blueprint& blueprint, const Violation& violation);

// REQUIRES: `steps` shows the violation (same `violation_key`). The result does too, and is never longer. A loop
// stays a loop, be it another one. A monitor that was hot for too long is about the length itself: such an execution
// is left as it is.
ShrunkViolation shrink_violation(const Blueprint& blueprint, const std::vector<Decision>& steps,
                                 const Violation& violation, Cutbacks cuts = Cutbacks::any);

}  // namespace gainsay
