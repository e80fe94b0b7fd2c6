// sdpor: dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas, "Source
// Sets: A Foundation for Optimal Dynamic Partial Order Reduction", JACM 2017, algorithm 1), for actors.
//
// When a step j races with an earlier step i, let v be the steps after i that do not follow from i, then j. Some event
// that may come first in v must be wanted before i. Sleep sets make every complete execution the only one of its class.
//
// What a step touches besides its receiver (properties, histories, mailboxes) may be another thing when it comes before
// another step of its receiver: there j may depend on steps of w1 that it did not depend on here. So for a race at one
// receiver v is only what is in the past of j's creation, then j; and at the end of the execution all is wanted before
// i that may come first among the steps that do not follow from i and touch more than their receiver, or lead to such.
//
// Steps that take others away. The paper lets no process disable another; here gates, crashes, cancelled timers,
// drops, cuts, budgets and violations do. Let p be tried at a state, w1 steps independent of p, d the first step
// dependent on p after w1, and d not possible after p. Then no execution below p has d right after p, and the race is
// not seen. So besides races between executed steps:
//   vanished   an event enabled before p and not after it is wanted before p.
//   late       an event d at a gated receiver that was created after p, not by p, and comes later than another step
//              of its receiver or never: what may come first of d's causes after p is wanted before p.
//   spent      p used up a budget: all that may come first among the steps that do not follow from p is wanted.
//   optional   an execution that ended without a need for p (a fault, or a timer where timers are optional): something
//              that may come first among the steps that do not follow from p is wanted, so that it also ends without p.
//   violated   the last step ended the execution: all else is wanted before it.
// Where dependence is not transitive (properties, histories, budgets), w1 may hold steps on which d depends but p does
// not; then `vanished` and `late` want all that may come first among the steps that do not follow from p. In each case
// the first step of w1, or d if there is none, is an initial of every execution with w1 d, which is what a source set
// must have. random_search.test.cpp compares all of this with an enumerator.
//
// Complete for what the dependence is sound for (strategy/dependence.hpp). Memory is in proportion to steps times
// pending events.
#pragma once

#include "gainsay/strategy/searches/reduction.hpp"

namespace gainsay {

class SourceDpor : public ReducingSearch {
 public:
  explicit SourceDpor(const SearchOptions& options) : SourceDpor("sdpor", options, true) { splits_ = true; }

 protected:
  bool can_split() const override { return splits_; }
  SourceDpor(std::string name, const SearchOptions& options, bool sleeps)
      : ReducingSearch(std::move(name), options, sleeps) {}

  void prepare(const WorldTraits& world) override;
  void at_state(std::size_t state) override;
  void at_step(std::size_t step) override;
  void at_end(const RunEnd& end) override;
  std::string shortcoming() const override;
  std::string statement() const override { return "every trace class within the bounds"; }

  // Wants the branch of this event before the step.
  virtual void want(std::size_t state, Handle handle);
  // Whether it is wanted, or covered by what was done before.
  bool is_wanted(std::size_t state, Handle handle) const;
  // Wants one of the steps that may come first among `v` (and then `last`), unless one is wanted.
  void want_one_of(std::size_t state, std::span<const std::uint32_t> v, Handle last = no_handle);
  void want_all_initials(std::size_t state);
  // A race of executed steps.
  virtual void race(std::size_t earlier, std::size_t later);
  void may_touch_more(std::size_t step) { touching_[step] = true; }

  // Whether dependence is an equivalence: one actor, and nothing else.
  bool transitive() const { return transitive_; }

 private:
  void want_vanished(std::size_t step, std::span<const Handle> still_enabled);
  void want_late(std::size_t end);
  void want_touching(std::size_t state);

  bool splits_ = false;
  bool transitive_ = true;
  std::vector<bool> touching_;  // by step of this run: something else might touch more if it came before
  std::vector<bool> widely_;    // by step of this run: want all initials at the end
  std::vector<std::uint32_t> scratch_;
  std::vector<std::uint32_t> firsts_;
  std::vector<std::uint32_t> marks_;  // by handle
  std::uint32_t mark_ = 0;
};

StrategyInfo sdpor_strategy();

}  // namespace gainsay
