#include "gainsay/execution/world/alternative.hpp"

#include "gainsay/execution/world/network.hpp"

namespace gainsay {

Alternative Alternatives::at_with_faults(const WorldState& world, std::size_t index) const {
  GAINSAY_CHECK(network != nullptr && index < count, "one of those that there are");
  if (index >= ordinary) {
    if (may_stop && index == count - 1) return {EventKind::stop, 0};
    if (!faults_listed) {
      list.clear();
      network->list_faults(world, list);
      faults_listed = true;
      GAINSAY_CHECK(list.size() == count - ordinary - (may_stop ? 1 : 0), "faults are counted");
    }
    return list[index - ordinary];
  }
  const std::size_t place = world.pending.places().nth_without(closed(world), index);
  return {network->kind_of(world, place), static_cast<std::uint32_t>(place)};
}

bool concerns_pending(const Alternative& alternative) {
  return is_ordinary(alternative.kind) ||
         (is_fault(alternative.kind) && fault_of(alternative.kind).subject == FaultSubject::message);
}

Event event_of(const Kernel& kernel, const Pending& pending) {
  const Envelope& envelope = kernel.envelope(pending.envelope);
  const std::uint64_t type = envelope.message == 0 ? 0 : envelope.type->name_hash;
  return {pending.id, envelope.kind, envelope.receiver, envelope.from, type, pending.parent};
}

Event event_of(const Kernel& kernel, const WorldState& world, const Alternative& alternative) {
  Event event;
  if (concerns_pending(alternative)) {
    GAINSAY_CHECK(world.pending.has(alternative.target), "the event is pending");
    event = event_of(kernel, world.pending[alternative.target]);
  }
  event.kind = alternative.kind;
  if (!is_fault(alternative.kind)) return event;
  if (fault_of(alternative.kind).subject == FaultSubject::actor)
    event.receiver = kernel.directory().id_of(actor_of(kernel.blueprint(), alternative.target));
  event.id = fault_id(world, alternative);
  return event;
}

}  // namespace gainsay
