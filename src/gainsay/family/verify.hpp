// Brute force: does a family hit every tuple, and what is the least family that does.
//
// Definitions 5.1 and 6.2 of Niksic's thesis (2019), read literally. A schedule hits (a_1, ..., a_d) if it
// puts them in this order; it strongly hits (x_0, ..., x_(d-1)) if whatever comes at or after x_i is at or
// above some x_j with j >= i. These are the judges of every construction in this room.
#pragma once

#include <cstdint>
#include <optional>

#include "gainsay/family/poset.hpp"

namespace gainsay::family {

bool is_admissible(const Poset& poset, const Tuple& tuple);  // distinct, and some schedule hits it
bool hits(const Schedule& schedule, const Tuple& tuple);
bool strongly_hits(const Poset& poset, const Schedule& schedule, const Tuple& tuple);

// The first admissible d-tuple that no schedule hits. Every schedule must be one of `poset` (checked).
std::optional<Tuple> missed_tuple(const Poset& poset, const Family& family, std::size_t d);
// The first d-tuple (of distinct elements) that no schedule strongly hits.
std::optional<Tuple> strongly_missed_tuple(const Poset& poset, const Family& family, std::size_t d);

// All admissible d-tuples, in lexicographic order; all d-tuples of distinct elements.
std::vector<Tuple> admissible_tuples(const Poset& poset, std::size_t d);
std::vector<Tuple> all_tuples(const Poset& poset, std::size_t d);

// A d-hitting (or strong d-hitting) family of the least size, by search over sets of schedules. Nothing if
// there are more than `schedules_max` schedules to choose from.
struct LeastFamily {
  Family family;
  std::uint64_t nodes = 0;  // of the search
};
std::optional<LeastFamily> least_family(const Poset& poset, std::size_t d, std::size_t schedules_max = 5000);
std::optional<LeastFamily> least_strong_family(const Poset& poset, std::size_t d,
                                               std::size_t schedules_max = 5000);

}  // namespace gainsay::family
