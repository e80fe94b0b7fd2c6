#include "gainsay/strategy/searches/dpor.hpp"

#include <algorithm>

namespace gainsay {

StrategyInfo dpor_strategy() {
  return StrategyInfo::of<SearchOptions>(
      "dpor", "every trace class, as Flanagan and Godefroid; complete", StrategyKind::search,
      [](const SearchOptions& options) { return std::make_unique<Dpor>(options); });
}

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
void Dpor::race(std::size_t earlier, std::size_t later) {
  const bool was_pending = is_ordinary(stack().event_of(later).kind) && !stack().world().gated;
  if (was_pending && meet_at_receiver(earlier, later)) return;
  SourceDpor::race(earlier, later);
}

void Dpor::backtrack(std::size_t i, Handle pending, std::size_t) {
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
