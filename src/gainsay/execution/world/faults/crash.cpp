#include "gainsay/execution/world/faults/crash.hpp"

#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct Crash {
  static void offer(const Kernel& kernel, const Budgets&, const WorldState& world, Offers& out) {
    if (world.budgets[Budgets::crashes] == 0) return;
    for (const ActorId id : kernel.blueprint().faults.crashable) {
      const auto slot = static_cast<Slot>(id.raw);
      if (status_of(kernel, world, slot) == ActorStatus::alive) out.add(EventKind::crash, slot);
    }
  }
  static EventId id(const WorldState& world, std::uint32_t slot) {
    return outside_event_id(EventKind::crash, ActorId{slot}, world.fault_ordinals[slot]);
  }
  static std::size_t budget(const Budgets&, std::uint32_t, const ValueType*) { return Budgets::crashes; }
  static std::uint32_t planned(const FaultPlan& plan) { return plan.crashes; }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t slot, EventId id, Asker&) {
    spend(world, Budgets::crashes);
    ++world.fault_ordinals[slot];
    stepper.fold(world, slot, id);
    if (world.cells[slot] == live_cell) {
      world.live[slot].crash();
    } else {
      world.cells[slot] = stepper.front().crashed(world.cells[slot]);
    }
    stepper.erase_timers(world, slot);
    stepper.erase_start(world, slot);
    return {slot, true, nullptr, nullptr, false};
  }
};

}  // namespace

constinit const Fault crash_fault = {EventKind::crash, FaultSubject::actor, Crash::offer, Crash::id,
                                     Crash::budget,    Crash::planned,      Crash::apply};

}  // namespace gainsay
