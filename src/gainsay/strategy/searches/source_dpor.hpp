// sdpor: dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas,
// "Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction", JACM 2017, algorithm 1), for actors.
//
// Words. Step j *follows* step i if i happens before j. A *race* is a pair i < j of dependent steps with nothing
// between them, where j could have come first (search_stack.hpp). The *initials* of some steps are those that
// follow no other of them. An event is *wanted* at a state if the search will execute it from there.
//
// The rule. For a race (i, j) let v be the steps after i that do not follow i, and then j. One initial of v must be
// wanted before i. With sleep sets, every complete execution is the only one of its class. This differs from the
// paper in two points.
//
// 1. A step that is moved may touch other things. Besides its receiver a step may touch properties, the history and
// mailboxes. Which of them depends on the earlier steps of its receiver. If i and j meet at one receiver, then j,
// moved before i, may depend on steps of v on which it does not depend here. So in such a race v holds only the
// steps that the creation of j follows, and then j. At the end of the execution more is wanted before i: take the
// steps that do not follow i and touch more than their receiver, with the steps that they follow; all initials of
// these are wanted. Under keys two steps of one receiver may meet elsewhere only; then j, moved before i, touches the
// same, and v is that of the paper.
//
// 2. Steps may disable others. In the paper no process disables another; here gates, crashes, cancelled timers,
// drops, partitions, budgets and violations do. Let p be a step, w some steps that are independent of p, and d the
// first step after w that depends on p. If d is not possible after p, no execution that begins with p shows the
// race of p and d. So more is wanted before p:
//   vanished   an event that is enabled before p and not after it.
//   late       d is an event at a gated receiver, created after p and not by p, and executed after another step of its
//              receiver or never: one initial of the causes of d after p.
//   spent      p used up a budget: all initials of the steps that do not follow p.
//   optional   the execution ended and p was not needed for that (a fault, or a timer where timers are optional): one
//              initial of the steps that do not follow p, so that the search also ends without p.
//   violated   p ended the execution: all that was enabled.
// Where dependence is not transitive (properties, histories, budgets), d may depend on steps of w although p does
// not. There `vanished` and `late` want all initials of the steps that do not follow p. In each case the first step
// of w, or d where w is empty, is an initial of every execution with w and d, which is what a source set must have.
// random_search.test.cpp compares all of this with an enumerator.
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
  // Whether two steps have one receiver and depend on each other there. Under keys they may meet elsewhere only.
  bool meet_at_receiver(std::size_t earlier, std::size_t later) const;

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
