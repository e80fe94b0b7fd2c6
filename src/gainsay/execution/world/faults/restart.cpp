#include "gainsay/execution/world/faults/restart.hpp"

#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct Restart {
  static void offer(const Kernel& kernel, const Budgets&, const WorldState& world, Offers& out) {
    if (world.budgets[Budgets::restarts] == 0) return;
    for (const ActorId id : kernel.blueprint().faults.crashable) {
      const auto slot = static_cast<Slot>(id.raw);
      if (status_of(kernel, world, slot) == ActorStatus::crashed) out.add(EventKind::restart, slot);
    }
  }
  static EventId id(const WorldState& world, std::uint32_t slot) {
    return outside_event_id(EventKind::restart, ActorId{slot}, world.fault_ordinals[slot]);
  }
  static std::size_t budget(const Budgets&, std::uint32_t, const ValueType*) { return Budgets::restarts; }
  static std::uint32_t planned(const FaultPlan& plan) { return plan.restarts; }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t slot, EventId id, Asker& asker) {
    spend(world, Budgets::restarts);
    ++world.fault_ordinals[slot];
    const Kernel& kernel = stepper.kernel();
    const ActorType* type = nullptr;
    if (world.cells[slot] == live_cell) {
      world.live[slot].reset();
      world.live[slot].status = ActorStatus::alive;
      type = world.live[slot].type;
    } else {
      world.cells[slot] = stepper.front().restarted(world.cells[slot]);
      type = kernel.cell(world.cells[slot]).type;
    }
    if (type->on_restart == nullptr) {
      stepper.fold(world, slot, id);
      return {slot, true, nullptr, nullptr, false};
    }
    StepResult result =
        stepper.handle(world, slot, stepper.own_envelope(slot, EventKind::restart), id, asker);
    result.changed = true;
    return result;
  }
};

}  // namespace

constinit const Fault restart_fault = {EventKind::restart, FaultSubject::actor, Restart::offer, Restart::id,
                                       Restart::budget,    Restart::planned,    Restart::apply};

}  // namespace gainsay
