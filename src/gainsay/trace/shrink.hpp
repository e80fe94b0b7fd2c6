// shrink: a smaller execution with the same violation, by leaving out what is asked for.
//
// Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002), on sequences of steps. The caller
// follows a list of them approximately (what is not possible is skipped) and gives the steps that were executed, if the
// violation showed. We keep what was executed, not what was asked for, so every result is an execution.
//
// Where we differ: not every subset is as likely. First goes what the violation does not depend on: steps that neither
// caused nor came before, at the same actor, anything that led to it; then whole actors, and all messages of one type.
// Then, in rounds from coarse to fine: faults, data choices (toward 0), messages; at last each step alone, until
// nothing can go (1-minimal with respect to the approximate replay). In each round the list is followed by ids first
// and then with like events standing in (strategy/follow/approximate.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "gainsay/trace/trace.hpp"

namespace gainsay {

struct ShrinkAttempt {
  std::vector<Step> steps;     // to be followed
  bool stand_ins = false;      // like events may stand in for those that are not possible
  std::size_t steps_most = 0;  // an execution that takes more is of no use
};
// Follows the list; the executed steps if the same violation showed, else nothing.
using TryShrunk = std::function<std::optional<std::vector<Step>>(const ShrinkAttempt&)>;

struct ShrinkPlan {
  std::vector<ActorId> concerned{};  // whose states decide the violation; empty: not known
  std::function<bool()> spent{};     // asked before each attempt: whether to make no more
  std::size_t attempts_max = 100'000;
};

struct Shrunk {
  std::vector<Step> steps;
  std::size_t attempts = 0;
  bool minimal = true;  // false: it was ended before nothing more could go

  std::vector<Decision> decisions() const { return Trace{steps, {}}.decisions(); }
};

// REQUIRES: `steps` shows the violation. Never returns more steps than it was given.
Shrunk shrink(std::vector<Step> steps, const TryShrunk& attempt, const ShrinkPlan& plan = {});

// What is less: fewer steps, then fewer answers that are not 0, then lower ones.
struct ShrinkSize {
  std::size_t steps = 0;
  std::size_t answers = 0;
  std::uint64_t sum = 0;

  friend auto operator<=>(const ShrinkSize&, const ShrinkSize&) = default;
};
ShrinkSize size_of(const std::vector<Step>& steps);

}  // namespace gainsay
