// A smallest contradiction in a history that is not linearizable: a few operations that cannot be put in order.
//
// Leaving an operation out of a history can make it wrong (a read without the write it saw), so that alone would
// explain nothing. Two ways of leaving out are sound: what is linearizable stays so
//   - when the outcome of an operation is forgotten: it may have happened at any point after its invocation, with
//     any result, or never;
//   - for queues, stacks and the like, when all operations on one value are taken out (fast.hpp).
// The operations that are kept are a contradiction if the history is still violated after that. They are found
// by leaving out ever smaller chunks, and minimal when none of them can be left out in this way. The first way goes
// for sequential consistency as well, where an operation that is forgotten may happen at any point after what its
// process did before it.
#pragma once

#include "gainsay/oracle/linearizable/part.hpp"

namespace gainsay::linearizable {

struct Contradiction {
  std::vector<std::size_t> operations;  // ascending; empty where the steps did not suffice to begin
  bool is_minimal = false;
  std::uint64_t steps = 0;
};

// REQUIRES: `violated` is the result of judging this part, and says so.
Contradiction smallest_contradiction(const History& history, const Part& part, const SpecType& spec,
                                     const AnyValue& initial, CheckOptions::Consistency consistency,
                                     const PartResult& violated, const Budget& budget);

}  // namespace gainsay::linearizable
