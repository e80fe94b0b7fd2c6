// transdpor, ired, liviola: searches of papers that add one alternative at a time to a state.
//
// They look at every pending message at every state, as dpor does (strategy/searches/dpor.hpp): m might have come
// before step i. At most one alternative is added to a state until its next one is started (the state is frozen):
//   transdpor  Tasharofi et al., "TransDPOR", FORTE 2012: m, or the *first* step after i in m's past. The
//              happens-before must have the edges from a sending to its delivery; read without them it misses
//              classes. The argument that it is complete needs that every message is delivered in the end and that
//              dependence is transitive.
//   ired       Mohamed et al., "DS2" 2021 (IRed): the chain of senders, read off backwards from the last step. A
//              heuristic: the last step of the sender need not be the one that sent m, and the chain's root need not
//              be the root of m's past. Both lose classes.
//   liviola    the same with keys: messages with different keys (World::key) are independent, types without a key
//              depend on nothing. A heuristic twice over.
// No sleep sets, so classes are executed more than once. transdpor claims to be complete only in unordered worlds
// without gates and faults, where no timer is cancelled, under same-receiver dependence.
#pragma once

#include <vector>

#include "gainsay/strategy/searches/dpor.hpp"

namespace gainsay {

class FreezingDpor final : public PendingDpor {
 public:
  enum class Rule : std::uint8_t { transdpor, ired, liviola };

  FreezingDpor(Rule rule, const SearchOptions& options);

 protected:
  void at_state(std::size_t state) override;
  void race(std::size_t, std::size_t) override {}
  void backtrack(std::size_t i, Handle pending, std::size_t end) override;
  void started(std::size_t state) override;
  std::string shortcoming() const override;
  std::string statement() const override;
  DependenceRules choose_rules(const WorldTraits& world) const override;

 private:
  void add(std::size_t i, Handle candidate);

  Rule rule_;
  std::vector<bool> frozen_;  // by state
};

StrategyInfo transdpor_strategy();
StrategyInfo ired_strategy();
StrategyInfo liviola_strategy();

}  // namespace gainsay
