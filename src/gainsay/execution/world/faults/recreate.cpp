#include "gainsay/execution/world/faults/recreate.hpp"

#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct Recreate {
  static void offer(const Kernel& kernel, const Budgets& budgets, const WorldState& world, Offers& out) {
    offer_actors(
        EventKind::recreate, kernel, world, kernel.blueprint().faults.recreation, 0, budgets.recreation(),
        [&](Slot slot) { return status_of(kernel, world, slot) != ActorStatus::halted; }, out);
  }
  static EventId id(const WorldState& world, std::uint32_t slot) {
    return numbered_id(world, EventKind::recreate, slot);
  }
  static std::size_t budget(const Budgets& budgets, std::uint32_t, const ValueType*) {
    return budgets.recreation();
  }
  static std::uint32_t planned(const FaultPlan& plan) { return plan.recreation.budget; }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t slot, EventId id, Asker& asker) {
    spend(world, stepper.budgets().recreation());
    note_happened(world, EventKind::recreate, slot);
    const Kernel& kernel = stepper.kernel();
    stepper.erase_timers(world, slot);
    stepper.erase_start(world, slot);
    if (world.cells[slot] == live_cell) {
      world.live[slot].recreate();
    } else {
      world.cells[slot] = stepper.front().recreated(world.cells[slot]);
    }
    const ActorType& type = *kernel.blueprint().actors[slot].type;
    if (type.on_start == nullptr) {
      stepper.fold(world, slot, id);
      return {slot, true, nullptr, nullptr, false};
    }
    StepResult result = stepper.handle(world, slot, stepper.own_envelope(slot, EventKind::start), id, asker);
    result.changed = true;
    return result;
  }
};

}  // namespace

constinit const Fault recreate_fault = {EventKind::recreate, FaultSubject::actor, Recreate::offer,
                                        Recreate::id,        Recreate::budget,    Recreate::planned,
                                        Recreate::apply};

}  // namespace gainsay
