// Strong d-hitting families of upgrowing posets. Niksic's thesis (2019), section 6.2, Definition 6.2, Theorem
// 6.2.
//
// The poset is revealed element by element, 0, 1, 2, ..., each maximal when it appears. A schedule index (λ,
// n_1, ..., n_(d-1)) names a chain of the online partition and d - 1 distinct steps; its schedule strongly
// hits (x_0, x_1, ...) for every x_0 of chain λ and x_i revealed in step n_i. All indices together are a
// strong d-hitting family of at most chains * n (n-1) ... (n-d+2) schedules, and a (d+1)-hitting one.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/family/poset.hpp"

namespace gainsay::family {

struct ScheduleIndex {
  std::uint32_t chain = 0;
  std::vector<std::uint32_t>
      steps;  // n_1, ..., n_(d-1), from 0: step k reveals element k; may lie beyond the poset
};

// Whether the numbers are an upgrowing order: nobody is above a later number.
bool is_upgrowing(const Poset& poset);
// An isomorphic poset with upgrowing numbers, and the old number of each new one.
struct Upgrown {
  Poset poset;
  std::vector<Element> old_number;
};
Upgrown upgrown(const Poset& poset);

// The chain of each element in the online partition (chain_partition.hpp), and how many there are.
struct OnlineChains {
  std::vector<std::uint32_t> chain_of;
  std::size_t chains = 0;
};
OnlineChains online_chains(const Poset& poset);

// The schedule of one index, built online: elements are inserted as they are revealed, and never change
// places.
Schedule strong_schedule(const Poset& poset, const OnlineChains& chains, const ScheduleIndex& index);
// All of them, without doubles. REQUIRES (all three): is_upgrowing(poset).
Family strong_family(const Poset& poset, std::size_t d);

}  // namespace gainsay::family
