// Execution::commute: may two deliveries at one value actor be swapped in this world?
//
// Yes if both orders lead to the same local state and each of the two does the same in both: sends the same
// messages, answers the outside alike, and nothing else (no timers, spawns, notifications, history, questions,
// failures). It is not enough that both together do the same: an acknowledgement that crosses a quorum sends what
// the other one would have sent, and then what is sent has another past. Neither may close a gate to the other.
// Where messages keep an order the two must not send on one link, and under causal order not at all: what the second
// one sends tells of the first. There a gate matters as well: what it refuses is overtaken, and once it is accepted it
// holds up the other. Where a property looks at the actor, the states
// between must be such as are seen anyway. The kernel remembers handlers, so this costs four look-ups.
#include <algorithm>

#include "gainsay/execution/run/execution.hpp"

namespace gainsay {
namespace {

bool is_plain(const Transition& transition) {
  const Extras& extras = transition.rest();
  return extras.timers.empty() && extras.spawns().empty() && extras.notifications.empty() &&
         extras.history.empty() && extras.failure() == nullptr;
}

bool same_effects(const Transition& a, const Transition& b) {
  return std::ranges::equal(a.outs(), b.outs()) &&
         std::ranges::equal(a.rest().outside_replies(), b.rest().outside_replies()) &&
         std::ranges::equal(a.rest().notes(), b.rest().notes());
}

}  // namespace

bool Execution::commute(std::size_t position, std::size_t other) const {
  const EnvelopeId a = pending_at(position).envelope;
  const EnvelopeId b = pending_at(other).envelope;
  const Envelope& first = engine_.kernel().envelope(a);
  const Envelope& second = engine_.kernel().envelope(b);
  if (first.to != second.to || first.kind != EventKind::deliver || second.kind != EventKind::deliver)
    return false;
  const CellId cell = world_.cells[first.to];
  if (cell == live_cell || cell == 0 || blueprint_.timed || engine_.network.queued() ||
      engine_.kernel().directory().has_spawned())
    return false;
  if (engine_.kernel().cell(cell).status != ActorStatus::alive) return false;
  // Copies: what was looked up last is valid until the next look-up.
  const auto looked_up = [&](CellId at, EnvelopeId envelope) -> std::optional<Transition> {
    const Transition* found = engine_.kernel().only_transition(at, envelope);
    if (found == nullptr || !is_plain(*found)) return std::nullopt;
    return *found;
  };
  const auto a_first = looked_up(cell, a);
  const auto b_first = a_first ? looked_up(cell, b) : std::nullopt;
  if (!b_first || !engine_.kernel().accepts(a_first->next, b) || !engine_.kernel().accepts(b_first->next, a))
    return false;
  const auto b_second = looked_up(a_first->next, b);
  const auto a_second = b_second ? looked_up(b_first->next, a) : std::nullopt;
  if (!a_second || a_second->next != b_second->next) return false;
  if (!same_effects(*a_first, *a_second) || !same_effects(*b_first, *b_second)) return false;
  if (visibility_.watched(first.to)) {
    const auto seen_anyway = [&](CellId between) { return between == cell || between == a_second->next; };
    if (!seen_anyway(a_first->next) || !seen_anyway(b_first->next)) return false;
  }
  if (engine_.network.unordered()) return true;
  if (engine_.kernel().cell(cell).type->gated) return false;
  if (world_.causal) return a_first->outs().empty() && b_first->outs().empty();
  const auto on_one_link = [&](EnvelopeId of_a) {
    return std::any_of(b_first->outs().begin(), b_first->outs().end(), [&](EnvelopeId of_b) {
      return engine_.kernel().envelope(of_a).to == engine_.kernel().envelope(of_b).to;
    });
  };
  return std::none_of(a_first->outs().begin(), a_first->outs().end(), on_one_link);
}

}  // namespace gainsay
