// shrink_violation: a smaller execution of the same scenario with the same violation.
//
// Steps are left out (trace/shrink.hpp). What is left is minimal step by step, and may still be a detour: another way
// to the violation may be shorter. So short random walks look for one, among events like those that are left, and
// what they find is shrunk in turn. All of it is bounded by the steps that are executed, so that the result depends on
// nothing else; a time that is given bounds it as well.
#pragma once

#include "gainsay/base/budget.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/trace/shrink.hpp"

namespace gainsay {

struct ShrunkViolation {
  Shrunk shrunk;
  Violation violation;  // as the smaller execution shows it
};

// What may be left out: anything, or no partition and no isolation. Where messages may be late anyway, a cut is often
// not needed to show what it was made for.
enum class Cutbacks : std::uint8_t { any, keep_cuts };

struct ShrinkOptions {
  Cutbacks cuts = Cutbacks::any;
  std::uint64_t leaving_steps_max = 3'000'000;  // executed to leave steps out, each time
  std::uint64_t walking_steps_max = 1'000'000;  // executed by walks that look for a shorter way, in all
  // What the message says must stay the same too, not only the property; numbers may change.
  bool same_text = false;
  Budget budget{};
};

// Whether a smaller execution shows what is shrunk for: numbers in messages may be others, and a loop stays a loop.
bool is_same_violation(const Violation& a, const Violation& b);
// How executions are made that may show the violation in at most so many steps.
ExecutionOptions shrinking_options(const Violation& violation, std::size_t steps);

// REQUIRES: `steps` shows the violation. The result does too, and is never longer. A check that failed may name other
// numbers there. A loop stays a loop, be it another one. A monitor that was hot for too long is about the length
// itself: such an execution is left as it is.
ShrunkViolation shrink_violation(const Blueprint& blueprint, const std::vector<Decision>& steps,
                                 const Violation& violation, const ShrinkOptions& options = {});

}  // namespace gainsay
