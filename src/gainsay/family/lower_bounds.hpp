// How small a hitting family can be at best. Niksic's thesis (2019), section 5.2.
//
// A family that hits all d-tuples of an order hits those of every part of it. So what a part needs, the order needs:
//   a chain of m elements and one beside it   m + 1 schedules, d >= 3 (Proposition 5.3); each of the triples
//                                             (i, beside, i+1) has a schedule of its own
//   an antichain of w elements                log (w-1)(w-2)...(w-r) / log (r+1), d >= 2r + 1 (Theorem 5.4, before it
//                                             is simplified): columns of a matrix over 0..r that must all differ
//   the standard example S_n                  n schedules, d >= 2 (Example 5.1)
//   two elements that are not ordered         2 schedules, d >= 2
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/family/choose.hpp"

namespace gainsay::family {

// The greatest m such that some element is beside a chain of m: incomparable with all of it. 0: the order is a chain.
std::size_t chain_beside(const Poset& poset);
std::size_t chain_beside(const Tree& tree);

// Theorem 5.4 for an antichain of w elements; at least 1. The best of all r with 2 r + 1 <= d.
std::uint64_t antichain_lower_bound(std::uint64_t w, std::uint64_t d);

struct LowerBound {
  std::uint64_t schedules = 1;  // every d-hitting family has at least so many
  std::string because;          // with the place in the thesis
};
// What is known, the best first. `poset` may be null where only a tree is known.
std::vector<LowerBound> lower_bounds(const OrderFacts& facts, const Poset* poset, std::size_t d);

}  // namespace gainsay::family
