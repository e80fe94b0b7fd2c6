// When faults happen, for strategies that weigh them apart from ordinary events.
//
// Where any is possible, a step is a fault with a fixed probability, kind first, then target; else budgets
// would burn in the first steps. At quiescence a run stops or goes on with a fault with equal chances.
#pragma once

#include <cstddef>
#include <optional>

#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

// Whether a strategy schedules crashes and restarts itself, as events like others.
enum class CrashesAre { faults, events };

constexpr bool is_crash_or_restart(EventKind kind) {
  return kind == EventKind::crash || kind == EventKind::restart;
}

// The fault (or stop) that happens now; nothing: it is the turn of another event. REQUIRES: there is one.
std::optional<std::size_t> roll_fault(const ChoicePoint& point, double rate, Rng& rng,
                                      CrashesAre crashes = CrashesAre::faults);

}  // namespace gainsay
