#include "papers/searches/transdpor.hpp"

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

StrategyInfo info(FreezingDpor::Rule rule, std::string name, std::string description, bool heuristic) {
  StrategyInfo made = StrategyInfo::of<SearchOptions>(
      std::move(name), std::move(description), StrategyKind::search,
      [rule](const SearchOptions& options) { return std::make_unique<FreezingDpor>(rule, options); });
  made.heuristic = heuristic;
  return made;
}

const char* name_of(FreezingDpor::Rule rule) {
  switch (rule) {
    case FreezingDpor::Rule::transdpor:
      return "transdpor";
    case FreezingDpor::Rule::ired:
      return "ired";
    case FreezingDpor::Rule::liviola:
      return "liviola";
  }
  return "";
}

const RegisterStrategy transdpor{transdpor_strategy()};
const RegisterStrategy ired{ired_strategy()};
const RegisterStrategy liviola{liviola_strategy()};

}  // namespace

StrategyInfo transdpor_strategy() {
  return info(FreezingDpor::Rule::transdpor, "transdpor",
              "one alternative at a time; complete only in unordered worlds without gates and faults", false);
}
StrategyInfo ired_strategy() {
  return info(FreezingDpor::Rule::ired, "ired", "chains of senders; a heuristic, it leaves trace classes out",
              true);
}
StrategyInfo liviola_strategy() {
  StrategyInfo made =
      info(FreezingDpor::Rule::liviola, "liviola",
           "chains of senders, by keys of messages; a heuristic, it leaves trace classes out", true);
  made.unlisted_is_free = true;
  return made;
}

FreezingDpor::FreezingDpor(Rule rule, const SearchOptions& options)
    : PendingDpor(name_of(rule), options, false), rule_(rule) {
  if (rule == Rule::ired)
    never_complete("ired is a heuristic: a chain of senders may miss what a message's past begins with");
  if (rule == Rule::liviola)
    never_complete(
        "liviola is a heuristic: messages without a key are never reordered, and chains of senders miss");
}

DependenceRules FreezingDpor::choose_rules(const WorldTraits& world) const {
  if (rule_ != Rule::liviola) return PendingDpor::choose_rules(world);
  DependenceRules rules = rules_for(Dependence::keyed, world);
  rules.properties = rules.histories = false;
  rules.unlisted_is_free = true;
  return rules;
}

std::string FreezingDpor::shortcoming() const {
  if (rule_ != Rule::transdpor) return PendingDpor::shortcoming();
  const WorldTraits& world = stack().world();
  if (world.ordered || world.gated || world.faulty || world.timer_budgets || world.timers_optional)
    return "transdpor is complete only in unordered worlds without gates, faults and budgets";
  if (vanished())
    return "transdpor is complete only where every event happens in the end; some were cancelled";
  if (stack().rules().policy != Dependence::receiver)
    return "transdpor is complete only under same-receiver dependence, which these properties do not allow";
  return {};
}

std::string FreezingDpor::statement() const {
  return rule_ == Rule::transdpor ? "every trace class within the bounds, some several times"
                                  : "none: a heuristic search";
}

void FreezingDpor::at_state(std::size_t state) {
  if (frozen_.size() <= state) frozen_.resize(state + 1);
  frozen_[state] = false;
  PendingDpor::at_state(state);
}

void FreezingDpor::started(std::size_t state) { frozen_[state] = false; }

void FreezingDpor::backtrack(std::size_t i, Handle pending, std::size_t end) {
  if (frozen_[i]) return;
  if (branch_of(i, pending) != nothing) {
    add(i, pending);
    return;
  }
  const Event& event = stack().known(pending).event;
  if (rule_ == Rule::transdpor) {
    for (std::size_t k = i + 1; k < end; ++k) {
      if (!stack().before_creation(k, event)) continue;
      add(i, stack().step(k).handle);
      return;
    }
    return;
  }
  Handle chain = pending;
  for (std::size_t e = end; e-- > i + 1;) {
    if (stack().known(chain).event.sender == stack().event_of(e).receiver) chain = stack().step(e).handle;
  }
  if (chain != pending) add(i, chain);
}

void FreezingDpor::add(std::size_t i, Handle candidate) {
  const std::uint32_t branch = branch_of(i, candidate);
  if (branch == nothing || node(i).branches[branch].wanted) return;
  GAINSAY_CHECK(!frozen_[i], "one alternative at a time");
  node(i).branches[branch].wanted = true;
  frozen_[i] = true;
}

}  // namespace gainsay
