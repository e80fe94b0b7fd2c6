#include "gainsay/execution/world/faults/duplicate.hpp"

#include <algorithm>

#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct Duplicate {
  static void offer(const Kernel&, const Budgets& budgets, const WorldState& world, Offers& out) {
    offer_messages(
        EventKind::duplicate, world,
        [&](std::size_t group) { return Budgets::is_left(world.budgets, budgets.groups()[group].duplicate); },
        out);
  }
  // The number of earlier copies tells copies of one message apart.
  static EventId id(const WorldState& world, std::uint32_t target) {
    const EventId original = world.pending[target].id;
    const auto before = std::count(world.doubled.begin(), world.doubled.end(), original);
    return child_event_id(original.raw, EventKind::duplicate, static_cast<std::uint32_t>(before));
  }
  static std::size_t budget(const Budgets& budgets, std::uint32_t, const ValueType* message) {
    return budgets.duplicate(*message);
  }
  static std::uint32_t planned(const FaultPlan& plan) { return planned_in_all(plan.duplicates); }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t target, EventId id, Asker&) {
    Kernel& kernel = stepper.kernel();
    const Envelope& envelope = kernel.envelope(world.pending[target].envelope);
    const Slot receiver = envelope.to;
    spend(world, stepper.budgets().duplicate(*envelope.type));
    stepper.fold(world, receiver, id);
    stepper.copy_pending(world, target, child_event_id(id.raw, EventKind::deliver, 0));
    return {};
  }
};

}  // namespace

constinit const Fault duplicate_fault = {EventKind::duplicate, FaultSubject::message, Duplicate::offer,
                                         Duplicate::id,        Duplicate::budget,     Duplicate::planned,
                                         Duplicate::apply};

}  // namespace gainsay
