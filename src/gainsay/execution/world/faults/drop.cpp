#include "gainsay/execution/world/faults/drop.hpp"

#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct Drop {
  static void offer(const Kernel& kernel, const Budgets& budgets, const WorldState& world, Offers& out) {
    if (!budgets.any_drop_left(world.budgets)) return;
    for (std::size_t i = 0; i < world.pending.size(); ++i) {
      const Pending& pending = world.pending[i];
      if (pending.kind != EventKind::deliver) continue;
      const std::size_t place = budgets.drop_of(pending.envelope, [&]() -> const ValueType& {
        return *kernel.value(kernel.envelope(pending.envelope).message).type;
      });
      if (place != Budgets::none && world.budgets[place] > 0)
        out.add(EventKind::drop, static_cast<std::uint32_t>(i));
    }
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
    spend(world, stepper.budgets().drop(*kernel.value(envelope.message).type));
    stepper.fold(world, receiver, id);
    stepper.erase_pending(world, target);
    return {};
  }
};

}  // namespace

constinit const Fault drop_fault = {EventKind::drop, FaultSubject::message, Drop::offer, Drop::id,
                                    Drop::budget,    Drop::planned,         Drop::apply};

}  // namespace gainsay
