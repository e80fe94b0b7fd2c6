#include "gainsay/strategy/searches/dpor.hpp"

#include <algorithm>

namespace gainsay {
namespace {

StrategyInfo info(PendingDpor::Rule rule, std::string name, std::string description, bool heuristic) {
  StrategyInfo made = StrategyInfo::of<SearchOptions>(
      std::move(name), std::move(description), StrategyKind::search,
      [rule](const SearchOptions& options) { return std::make_unique<PendingDpor>(rule, options); });
  made.heuristic = heuristic;
  return made;
}

const char* name_of(PendingDpor::Rule rule) {
  switch (rule) {
    case PendingDpor::Rule::dpor:
      return "dpor";
    case PendingDpor::Rule::transdpor:
      return "transdpor";
    case PendingDpor::Rule::ired:
      return "ired";
    case PendingDpor::Rule::liviola:
      return "liviola";
  }
  return "";
}

}  // namespace

StrategyInfo dpor_strategy() {
  return info(PendingDpor::Rule::dpor, "dpor", "every trace class, as Flanagan and Godefroid; complete",
              false);
}
StrategyInfo transdpor_strategy() {
  return info(PendingDpor::Rule::transdpor, "transdpor",
              "one alternative at a time; complete only in unordered worlds without gates and faults", false);
}
StrategyInfo ired_strategy() {
  return info(PendingDpor::Rule::ired, "ired", "chains of senders; a heuristic, it leaves trace classes out",
              true);
}
StrategyInfo liviola_strategy() {
  return info(PendingDpor::Rule::liviola, "liviola",
              "chains of senders, by keys of messages; a heuristic, it leaves trace classes out", true);
}

PendingDpor::PendingDpor(Rule rule, const SearchOptions& options)
    : SourceDpor(name_of(rule), options, false), rule_(rule) {
  if (rule == Rule::ired)
    never_complete("ired is a heuristic: a chain of senders may miss what a message's past begins with");
  if (rule == Rule::liviola)
    never_complete(
        "liviola is a heuristic: messages without a key are never reordered, and chains of senders miss");
}

DependenceRules PendingDpor::choose_rules(const WorldTraits& world) const {
  if (rule_ != Rule::liviola) return SourceDpor::choose_rules(world);
  DependenceRules rules = rules_for(Dependence::keyed, world);
  rules.properties = rules.histories = false;
  rules.unlisted_is_free = true;
  return rules;
}

std::string PendingDpor::shortcoming() const {
  if (rule_ != Rule::transdpor) return SourceDpor::shortcoming();
  const WorldTraits& world = stack().world();
  if (world.ordered || world.gated || world.faulty || world.timer_budgets || world.timers_optional)
    return "transdpor is complete only in unordered worlds without gates, faults and budgets";
  if (vanished())
    return "transdpor is complete only where every event happens in the end; some were cancelled";
  if (stack().rules().policy != Dependence::receiver)
    return "transdpor is complete only under same-receiver dependence, which these properties do not allow";
  return {};
}

std::string PendingDpor::statement() const {
  return rule_ == Rule::dpor || rule_ == Rule::transdpor
             ? "every trace class within the bounds, some several times"
             : "none: a heuristic search";
}

void PendingDpor::started(std::size_t state) { node(state).frozen = false; }

void PendingDpor::at_state(std::size_t state) {
  SourceDpor::at_state(state);
  if (state == 0) return;
  const ActorId last = stack().event_of(state - 1).receiver;
  for (const Handle handle : stack().state(state).all_pending()) {
    const Event& event = stack().known(handle).event;
    // Nothing has changed for the others since the state before.
    if (event.receiver == last || event.parent == state - 1) look_at(handle, state);
  }
}

// The last step at the receiver of a pending event on which it depends.
void PendingDpor::look_at(Handle pending, std::size_t state) {
  const SearchStack::Known& known = stack().known(pending);
  for (std::size_t i = state; i-- > 0;) {
    const Event& event = stack().event_of(i);
    if (event.receiver != known.event.receiver && event.receiver != nobody) continue;
    const DependenceRules& rules = stack().rules();
    if (rules.keyed && !keys_meet(stack().step(i).footprint.key, known.traits.key, rules.unlisted_is_free))
      continue;
    if (!stack().before_creation(i, known.event) && !stack().waited(i, pending)) backtrack(i, pending, state);
    return;
  }
}

// Races that looking at pending events does not show: those that properties, histories or budgets make, and faults.
void PendingDpor::race(std::size_t earlier, std::size_t later) {
  if (rule_ != Rule::dpor) return;
  const bool was_pending = is_ordinary(stack().event_of(later).kind) && !stack().world().gated;
  if (was_pending && stack().event_of(earlier).receiver == stack().event_of(later).receiver) return;
  SourceDpor::race(earlier, later);
}

void PendingDpor::at_end(const RunEnd& end) { SourceDpor::at_end(end); }

void PendingDpor::backtrack(std::size_t i, Handle pending, std::size_t end) {
  if (rule_ == Rule::dpor) {
    backtrack_dpor(i, pending);
    return;
  }
  if (node(i).frozen) return;
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

void PendingDpor::add(std::size_t i, Handle candidate) {
  const std::uint32_t branch = branch_of(i, candidate);
  if (branch == nothing || node(i).branches[branch].wanted) return;
  node(i).branches[branch].wanted = true;
  node(i).frozen = true;
}

void PendingDpor::backtrack_dpor(std::size_t i, Handle pending) {
  if (!transitive()) may_touch_more(i);
  if (branch_of(i, pending) != nothing) {
    want(i, pending);
    return;
  }
  const Event& event = stack().known(pending).event;
  Handle candidate = no_handle;
  for (std::size_t k = i + 1; k < stack().steps(); ++k) {
    if (!stack().before_creation(k, event)) continue;
    const Handle handle = stack().step(k).handle;
    if (branch_of(i, handle) == nothing) continue;
    if (is_wanted(i, handle)) return;
    if (candidate == no_handle) candidate = handle;
  }
  if (candidate != no_handle) {
    want(i, candidate);
    return;
  }
  for (Branch& branch : node(i).branches) branch.wanted = true;
}

}  // namespace gainsay
