// Liveness on the whole graph: is there a reachable loop on which a condition (LivenessCondition of the blueprint)
// is hot somewhere and never cold, and that a fair schedule can walk for ever (explorer/fair_loops.hpp)? If none, in
// a complete search, no fair execution violates it: a proof.
//
// Where actors and messages alone show that nothing can repeat (explorer/local_loops.hpp), there is none. Otherwise the
// records of states that are not cold, which the search kept, are expanded again, by all workers, with edges. Event
// classes are those of execution/world/world_hash.hpp, so what is found here is what an execution can show.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gainsay/base/budget.hpp"
#include "gainsay/explorer/expander.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

struct FoundLoop {
  Violation violation;
  std::vector<Decision> steps;  // the way there, and the loop once
};

class LoopSearch {
 public:
  // `hot`: all states in which some condition is not cold.
  LoopSearch(Shared& shared, std::vector<const HotRecords*> hot, unsigned workers, FairnessKind fairness,
             const Budget& budget);

  // Whether there may be a loop, of whatever condition. `complete`: all states were expanded.
  bool may_loop(bool complete);
  // A loop that violates this condition; nothing where there is none, or where the search was cut.
  std::optional<FoundLoop> find(const LivenessCondition& condition);
  // Why it was cut.
  StopReason stopped() const { return stopped_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  Shared& shared_;
  std::vector<const HotRecords*> hot_;
  unsigned workers_;
  FairnessKind fairness_;
  Budget budget_;
  std::uint64_t bytes_ = 0;
  StopReason stopped_ = StopReason::none;
};

}  // namespace gainsay
