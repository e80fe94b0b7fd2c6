// Fast paths: histories of well-known objects in which no value is written or inserted twice, in O(n log n).
//
//   register        Gibbons and Korach 1997, section 4: zones of the operations on each value
//   set             one element at a time: one successful add, at most one successful remove
//   queue           the bad patterns of Henzinger, Sezgin and Vafeiadis 2013: out of order, or empty although
//                   something must be inside
//   stack           repeatedly takes away the outermost value of a stretch of time in which the stack cannot be
//                   empty (the decomposition of Abdulla et al. 2025 and Lee and Mathur 2025, with own proofs)
//   priority queue  values from the first to the last: each leaves at the first moment at which nothing that goes
//                   before it must be inside
//
// Unknown outcomes: an insert that nobody saw is left out, one that somebody saw has happened, with no end. A
// remove with unknown outcome may have taken anything: the history without it is tried, and where that does not
// work, the search decides.
//
// An order found here is executed by the specification before it is believed. Where there is none, some values
// are named that contradict each other; leaving out the others is sound because each of these objects stays
// correct when a value is taken out of the whole history.
#pragma once

#include <optional>

#include "gainsay/oracle/linearizable/part.hpp"

namespace gainsay::linearizable {

// Nothing where no fast path applies.
std::optional<PartResult> judge_fast(const History& history, const Part& part, const SpecType& spec,
                                     const AnyValue& initial);

// Groups of operations that can be taken out of the history together, without making a correct history wrong:
// those on one value. Empty where the object's shape says nothing about that.
std::vector<std::vector<std::uint32_t>> value_groups(const History& history, const Part& part,
                                                     const SpecType& spec);

}  // namespace gainsay::linearizable
