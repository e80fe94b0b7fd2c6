// odpor: optimal dynamic partial-order reduction with wakeup trees (Abdulla, Aronis, Jonsson, Sagonas, JACM 2017,
// algorithm 2).
//
// Races are looked at where an execution has ended. For a race (i, j) let v be the steps after i that do not follow
// from i, then j: unless something done before i may come first in v, v is inserted into the wakeup tree of the state
// before i. Trees are explored from left to right and handed down, so no execution is blocked and none is made twice:
// as many executions as trace classes, under same-receiver dependence in worlds where no step takes others away and no
// handler asks questions.
//
// Elsewhere (gates, faults, budgets, cancelled timers, causal order, other dependence) v need not be an execution, and
// with questions all answers of a prescribed event are tried, also those after which nothing is prescribed. From the
// first question on, and in such worlds from the beginning, single events are wanted as in source_dpor.hpp; executions
// may then be blocked, though none is made twice. Trees may be large in theory; they were small in practice.
#pragma once

#include "gainsay/strategy/searches/source_dpor.hpp"
#include "gainsay/strategy/searches/wakeup_tree.hpp"

namespace gainsay {

class OptimalDpor final : public SourceDpor {
 public:
  explicit OptimalDpor(const SearchOptions& options) : SourceDpor("odpor", options, true) {}

 protected:
  void prepare(const WorldTraits& world) override;
  void at_state(std::size_t state) override;
  void at_end(const RunEnd& end) override;
  void want(std::size_t state, Handle handle) override;
  void race(std::size_t earlier, std::size_t later) override;
  std::uint32_t next_branch(std::size_t state) override;
  std::uint32_t first_branch(std::size_t state) override;
  void asked() override;
  std::string statement() const override { return "every trace class within the bounds, exactly once"; }

 private:
  struct Trees {
    WakeupTree waiting;        // branches not yet started
    WakeupTree::Child chosen;  // the one that was, with what is prescribed below it
  };
  void reverse(std::size_t earlier, std::size_t later);
  WakeupEvent event_of(std::size_t step) const;

  bool exact_ = true;
  bool was_exact_ = false;    // until this run
  std::vector<Trees> trees_;  // by state
};

StrategyInfo odpor_strategy();

}  // namespace gainsay
