// d-hitting families: lists of schedules such that every admissible d-tuple of elements is hit by one of
// them.
//
// Niksic's thesis (2019), chapter 5. Each function is one construction of the thesis and promises its bound;
// what is returned holds no schedule twice. `sets of racing elements` prune as in section 5.5: an element
// that races with nobody commutes with all others, so tuples are selected among the racing ones only.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "gainsay/base/rng.hpp"
#include "gainsay/family/poset.hpp"
#include "gainsay/family/series_parallel.hpp"
#include "gainsay/family/tree.hpp"

namespace gainsay::family {

// Proposition 5.1: any poset, at most n^(d-1) schedules; one for each (a_1 ... a_(d-1)), which is scheduled
// first, each with what is below it. With `chosen`, only tuples of these elements.
Family general_family(const Poset& poset, std::size_t d);
Family general_family(const Poset& poset, std::size_t d, std::span<const Element> chosen);

// Proposition 5.2: dimension two, at most 2 n^(d-2): (a_1 ... a_(d-2)) first, the rest as in the realiser. d
// >= 2.
Family dimension_two_family(const Poset& poset, const std::pair<Schedule, Schedule>& realiser, std::size_t d);
Family dimension_two_family(const Poset& poset, const std::pair<Schedule, Schedule>& realiser, std::size_t d,
                            std::span<const Element> chosen);

// Antichains. d = 1: one schedule, d = 2: two. d >= 3: as many random permutations as Theorem 3.1 says (a
// family of that size exists), verified, repaired where a tuple was missed, and thinned of what the others
// cover as well. Where there are more than `tuples_max` tuples to verify, the sample is made larger instead:
// it misses a tuple with probability at most `epsilon`.
struct AntichainFamily {
  Family family;
  std::uint64_t sampled = 0;       // size of the sample (Theorem 3.1)
  std::uint64_t repaired = 0;      // schedules added for tuples the sample missed
  std::uint64_t thinned = 0;       // schedules dropped again
  std::uint64_t lovasz_bound = 0;  // a family of this size exists by the local lemma (Example 3.3)
  bool verified = false;
  double epsilon = 0;  // where not verified
};
AntichainFamily antichain_family(std::size_t n, std::size_t d, Rng& rng, double epsilon = 1e-9,
                                 double tuples_max = 2e6);

// A chain of n elements and one independent element (number n): optimal, 2 schedules for d = 2, n + 1 for d
// >= 3.
Family chain_with_independent_family(std::size_t n, std::size_t d);

// Theorem 5.10 with Lemma 5.8: 3-hitting, at most 4 h' schedules, where h' <= h + Γ ceil(log2 Δ) is the
// height of the binary semilattice that extends the order.
Family series_parallel_family(const SpOrder& order);
// Theorem 5.10 with Lemma 5.9: 3-hitting, at most 4 h' with h' <= h max(1, ceil(log2 Δ)), the height of the
// binary tree.
Family tree_family_of_three(const Tree& tree);

// Sorts and drops doubles.
void make_distinct(Family& family);

}  // namespace gainsay::family
