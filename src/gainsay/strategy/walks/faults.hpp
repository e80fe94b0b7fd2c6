// When faults happen, for strategies that weigh them apart from ordinary events.
//
// Where any is possible, a step is a fault with a fixed probability, kind first, then target; else budgets
// would burn in the first steps. At quiescence a run stops or goes on with a fault with equal chances.
#pragma once

#include <cstddef>

#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

// Whether a strategy schedules crashes and restarts itself, as events like others.
enum class CrashesAre { faults, events };

constexpr bool is_crash_or_restart(EventKind kind) {
  return kind == EventKind::crash || kind == EventKind::restart;
}

// Not an optional: that one costs more than all else a random step does (GCC 12 copies it through memory).
inline constexpr std::size_t no_fault = ~std::size_t{0};

// Where a fault or a stop is possible: the one that happens now, or `no_fault`.
std::size_t roll_possible_fault(const ChoicePoint& point, double rate, Rng& rng, CrashesAre crashes);

// The fault (or stop) that happens now; `no_fault`: it is the turn of another event. REQUIRES: there is one.
inline std::size_t roll_fault(const ChoicePoint& point, double rate, Rng& rng,
                              CrashesAre crashes = CrashesAre::faults) {
  if (point.ordinary() == point.size()) return no_fault;
  return roll_possible_fault(point, rate, rng, crashes);
}

}  // namespace gainsay
