// shrink: a smaller execution with the same violation, by delta debugging over the events that are asked for.
//
// Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002), on sequences of event
// decisions. The caller follows a list of them approximately (what is not enabled is skipped) and says which steps
// were executed, if the violation showed. We keep what was executed, not what was asked for, so every
// result is an execution. Where we differ: after the minimising rounds each step is tried alone once more
// until nothing can go (1-minimal with respect to the approximate replay).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gainsay/trace/decision.hpp"

namespace gainsay {

// Follows the list; the executed steps if the same violation showed, else nothing.
using TryShrunk = std::function<std::optional<std::vector<Decision>>(const std::vector<Decision>& list)>;

struct Shrunk {
  std::vector<Decision> steps;
  std::size_t attempts = 0;
};

// REQUIRES: `steps` shows the violation. Never returns more steps than it was given.
Shrunk shrink(std::vector<Decision> steps, const TryShrunk& attempt, std::size_t attempts_max = 100'000);

}  // namespace gainsay
