// ds2: the schedulers of DS2 as its section 2.2 and its figures have them (Al-Mahfoudh et al., "Efficient
// linearizability checking for actor-based systems", arXiv 2110.06407).
//
// A pending receive m and the last step i at its receiver are dependent. If m was enabled before i, it is wanted there.
// Else, by rule:
//   dp  the entire filtered set: all steps after i that were enabled before i.
//   td  the first step after i, if it was enabled before i.
//   ir  the root of the chain of senders, read off backwards from the last step, if it was enabled before i.
//   lv  as ir, with keys (World::key): receives with keys that do not meet are independent, types without a key depend
//       on nothing.
// All but dp add one receive at a time to a state (it is frozen until its next one is started).
//
// The original papers differ: DPOR adds *one* of m's past, TransDPOR the first *of m's past* (dpor, transdpor). DS2's
// pseudo-code leaves out pairs where i leads to m (`enablement=true`); its figures 5 and 6 do not, and with the test
// both have one schedule, where the paper has two and one. Heuristics all four, and none claims to be complete.
#pragma once

#include <vector>

#include "gainsay/strategy/searches/reduction.hpp"

namespace gainsay {

struct Ds2Options {
  enum class Rule { dp, td, ir, lv };
  Rule rule = Rule::dp;
  bool enablement = false;
  std::uint64_t first = 0;

  static void describe(Describe<Ds2Options>& d) {
    d.field(&Ds2Options::rule, "which of its schedulers");
    d.value(Rule::dp, "DPOR: all receives in between that were enabled");
    d.value(Rule::td, "TransDPOR: the first receive after the dependent one");
    d.value(Rule::ir, "IRed: the root of the chain of senders");
    d.value(Rule::lv, "LiViola: as ir, by keys of messages");
    d.field(&Ds2Options::enablement, "no pair of which the earlier led to the later, as in the pseudo-code");
    d.field(&Ds2Options::first, "draw first choices from this seed (0: the oldest event first)");
  }
};

class Ds2Search final : public ReducingSearch {
 public:
  explicit Ds2Search(const Ds2Options& options);

 protected:
  void at_state(std::size_t state) override;
  void started(std::size_t state) override { frozen_[state] = false; }
  std::string statement() const override { return "none: a heuristic search"; }
  DependenceRules choose_rules(const WorldTraits& world) const override;

 private:
  void look_at(Handle pending, std::size_t state);
  void backtrack(std::size_t i, Handle pending, std::size_t end);
  void add(std::size_t i, Handle candidate);

  Ds2Options how_;
  std::vector<bool> frozen_;  // by state
};

StrategyInfo ds2_strategy();

}  // namespace gainsay
