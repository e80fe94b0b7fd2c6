// Scouts: runs before the first one. They count for nothing, end after at most `scout_steps_max` steps, and are
// reported.
//
// Two kinds. Strategies that learn how long executions are ask for their own (Needs::scout). And where schedules need
// not be fair, a few uniformly random runs say how long a fair execution takes: twice that, and at least
// `unfair_steps_least`, is what an unfair one gets before it may be cut for starving somebody
// (strategy/around/unfair_bound.hpp).
#pragma once

#include <memory>

#include "gainsay/execution/campaign/worker.hpp"

namespace gainsay {

inline constexpr std::size_t scout_steps_max = 10'000;
inline constexpr std::size_t unfair_steps_least = 1'500;

struct Scouted {
  ScoutReport report;
  std::unique_ptr<Lessons> lessons;  // null: the strategy asked for nothing
  std::uint64_t handler_calls = 0;
};

// Sets the plan's bound of unfair schedules: what the options say, or what the fair scouts found. REQUIRES: no search.
Scouted send_scouts(CampaignPlan& plan);

}  // namespace gainsay
