// How many schedules (linear extensions) an order has: by dynamic programming over its ideals (down-closed sets).
//
// Counting them is #P-complete (Brightwell and Winkler 1991), but an order of w chains of length l has at most
// (l + 1)^w ideals, and orders of executions are narrow: one chain for each actor.
#pragma once

#include <cstddef>
#include <optional>

#include "gainsay/family/poset.hpp"

namespace gainsay::family {

// The number of schedules, exact while it is below 2^64 and to 64 bits of mantissa above. Nothing: there are more
// ideals than allowed.
std::optional<long double> count_schedules(const Poset& poset, std::size_t ideals_max);

}  // namespace gainsay::family
