#include "papers/searches/ds2.hpp"

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

SearchOptions ds2_search_options(const Ds2Options& options) {
  SearchOptions search;
  search.dependence = Dependence::receiver;
  search.first = options.first;
  return search;
}

const RegisterStrategy ds2_registration{ds2_strategy()};

}  // namespace

StrategyInfo ds2_strategy() {
  StrategyInfo made = StrategyInfo::of<Ds2Options>(
      "ds2", "the schedulers of DS2 as it has them; heuristics, they leave trace classes out",
      StrategyKind::search, [](const Ds2Options& options) { return std::make_unique<Ds2Search>(options); });
  made.heuristic = true;
  made.unlisted_is_free = true;
  return made;
}

Ds2Search::Ds2Search(const Ds2Options& options)
    : ReducingSearch("ds2", ds2_search_options(options), false), how_(options) {
  never_complete(
      "the schedulers of DS2 are heuristics: what they want before a step need not lead to the reversal");
}

DependenceRules Ds2Search::choose_rules(const WorldTraits& world) const {
  if (how_.rule != Ds2Options::Rule::lv) return ReducingSearch::choose_rules(world);
  DependenceRules rules = rules_for(Dependence::keyed, world);
  rules.properties = rules.histories = false;
  rules.unlisted_is_free = true;
  return rules;
}

void Ds2Search::at_state(std::size_t state) {
  if (frozen_.size() <= state) frozen_.resize(state + 1);
  frozen_[state] = false;
  for (const Handle handle : stack().state(state).all_pending()) look_at(handle, state);
}

void Ds2Search::look_at(Handle pending, std::size_t state) {
  const SearchStack::Known& known = stack().known(pending);
  const DependenceRules& rules = stack().rules();
  for (std::size_t i = state; i-- > 0;) {
    if (stack().event_of(i).receiver != known.event.receiver) continue;
    if (rules.keyed && !keys_meet(stack().step(i).footprint.key, known.traits.key, rules.unlisted_is_free))
      continue;
    if (how_.enablement && stack().before_creation(i, known.event)) continue;
    backtrack(i, pending, state);
    return;
  }
}

void Ds2Search::backtrack(std::size_t i, Handle pending, std::size_t end) {
  GAINSAY_CHECK(i < end, "a step before this state");
  if (branch_of(i, pending) != nothing) {
    add(i, pending);
    return;
  }
  switch (how_.rule) {
    case Ds2Options::Rule::dp:
      for (std::size_t k = i + 1; k < end; ++k) add(i, stack().step(k).handle);
      break;
    case Ds2Options::Rule::td:
      if (i + 1 < end) add(i, stack().step(i + 1).handle);
      break;
    case Ds2Options::Rule::ir:
    case Ds2Options::Rule::lv: {
      Handle chain = pending;
      for (std::size_t e = end; e-- > i + 1;) {
        if (stack().known(chain).event.sender == stack().event_of(e).receiver) chain = stack().step(e).handle;
      }
      if (chain != pending) add(i, chain);
      break;
    }
  }
}

void Ds2Search::add(std::size_t i, Handle candidate) {
  const bool freezes = how_.rule != Ds2Options::Rule::dp;
  const std::uint32_t branch = branch_of(i, candidate);
  if (branch == nothing || node(i).branches[branch].wanted || (freezes && frozen_[i])) return;
  node(i).branches[branch].wanted = true;
  frozen_[i] = freezes;
}

}  // namespace gainsay
