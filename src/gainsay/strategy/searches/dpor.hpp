// dpor, transdpor, ired, liviola: searches that look at every pending message at every state.
//
// Let m be pending, i the last step at its receiver, and i not in m's past (what happens before m's sending). Then m
// might have come before i, and something that leads there is wanted before i:
//   dpor       Flanagan and Godefroid, "Dynamic Partial-Order Reduction for Model Checking Software", POPL 2005, with
//              a process per message: m if it was enabled there, else one of m's past that was, else everything.
//   transdpor  Tasharofi et al., "TransDPOR", FORTE 2012: m, or the *first* step after i in m's past; at most one is
//              added to a state until its next alternative is started (the state is frozen). The happens-before must
//              have the edges from a sending to its delivery; read without them it misses classes. The argument that
//              it is complete needs that every message is delivered in the end and that dependence is transitive.
//   ired       Mohamed et al., "DS2" 2021 (IRed): the chain of senders, read off backwards from the last step. A
//              heuristic: the last step of the sender need not be the one that sent m, and the chain's root need not
//              be the root of m's past. Both lose classes.
//   liviola    the same with keys: messages with different keys (World::key) are independent, types without a key
//              depend on nothing. A heuristic twice over.
// No sleep sets, so classes are executed more than once. dpor adds what source_dpor.hpp says of steps that take others
// away, and the races that properties and histories make; it is complete where sdpor is. transdpor claims to be
// complete only in unordered worlds without gates and faults, where no timer is cancelled, under same-receiver
// dependence.
#pragma once

#include "gainsay/strategy/searches/source_dpor.hpp"

namespace gainsay {

class PendingDpor : public SourceDpor {
 public:
  enum class Rule : std::uint8_t { dpor, transdpor, ired, liviola };

  PendingDpor(Rule rule, const SearchOptions& options);

 protected:
  void at_state(std::size_t state) override;
  void at_end(const RunEnd& end) override;
  void race(std::size_t earlier, std::size_t later) override;
  void started(std::size_t state) override;
  std::string shortcoming() const override;
  std::string statement() const override;
  DependenceRules choose_rules(const WorldTraits& world) const override;

 private:
  void look_at(Handle pending, std::size_t state);
  void backtrack(std::size_t i, Handle pending, std::size_t end);
  void backtrack_dpor(std::size_t i, Handle pending);
  void add(std::size_t i, Handle candidate);

  Rule rule_;
};

StrategyInfo dpor_strategy();
StrategyInfo transdpor_strategy();
StrategyInfo ired_strategy();
StrategyInfo liviola_strategy();

}  // namespace gainsay
