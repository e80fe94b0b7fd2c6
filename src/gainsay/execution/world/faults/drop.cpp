#include "gainsay/execution/world/faults/drop.hpp"

#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct Drop {
  static void offer(const Kernel&, const Budgets& budgets, const WorldState& world, Offers& out) {
    offer_messages(
        EventKind::drop, world,
        [&](std::size_t group) { return Budgets::is_left(world.budgets, budgets.groups()[group].drop); },
        out);
  }
  static EventId id(const WorldState& world, std::uint32_t target) {
    return child_event_id(world.pending[target].id.raw, EventKind::drop, 0);
  }
  static std::size_t budget(const Budgets& budgets, std::uint32_t, const ValueType* message) {
    return budgets.drop(*message);
  }
  static std::uint32_t planned(const FaultPlan& plan) { return planned_in_all(plan.drops); }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t target, EventId id, Asker&) {
    Kernel& kernel = stepper.kernel();
    const Envelope& envelope = kernel.envelope(world.pending[target].envelope);
    const Slot receiver = envelope.to;
    spend(world, stepper.budgets().drop(*envelope.type));
    stepper.fold(world, receiver, id);
    stepper.erase_pending(world, target);
    return {};
  }
};

}  // namespace

constinit const Fault drop_fault = {EventKind::drop, FaultSubject::message, Drop::offer, Drop::id,
                                    Drop::budget,    Drop::planned,         Drop::apply};

}  // namespace gainsay
