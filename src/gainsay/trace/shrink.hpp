// shrink: a smaller execution with the same violation, by delta debugging over the events that are asked for.
//
// Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002), on sequences of event
// ids. The caller runs a wish list approximately (what is not enabled is skipped) and says which steps were
// really executed, if the violation showed. We keep what was executed, not what was asked for, so every
// result is an execution. Where we differ: after the minimising rounds each step is tried alone once more
// until nothing can go (1-minimal with respect to the approximate replay).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gainsay/trace/trace.hpp"

namespace gainsay {

// Runs the wish list; the executed steps if the same violation showed, else nothing.
using TryShrunk = std::function<std::optional<std::vector<Step>>(const std::vector<Step>& wishes)>;

struct Shrunk {
  std::vector<Step> steps;
  std::size_t attempts = 0;
};

// REQUIRES: `steps` shows the violation. Never returns more steps than it was given.
Shrunk shrink(std::vector<Step> steps, const TryShrunk& attempt, std::size_t attempts_max = 100'000);

}  // namespace gainsay
