#include "gainsay/execution/world/faults/isolate.hpp"

#include "gainsay/execution/world/faults/cut.hpp"
#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct Isolate {
  static void offer(const Kernel& kernel, const Budgets& budgets, const WorldState& world, Offers& out) {
    if (world.partition != 0) return;
    offer_actors(
        EventKind::isolate, kernel, world, kernel.blueprint().faults.isolation, 0, budgets.isolation(),
        [](Slot) { return true; }, out);
  }
  // As partitions are numbered: one cut begins where no other is.
  static EventId id(const WorldState& world, std::uint32_t slot) {
    return outside_event_id(EventKind::isolate, ActorId{slot}, world.partition_ordinal);
  }
  static std::size_t budget(const Budgets& budgets, std::uint32_t, const ValueType*) {
    return budgets.isolation();
  }
  static std::uint32_t planned(const FaultPlan& plan) { return plan.isolation.budget; }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t slot, EventId id, Asker&) {
    GAINSAY_CHECK(world.partition == 0, "one cut at a time");
    spend(world, stepper.budgets().isolation());
    const FaultPlan& plan = stepper.kernel().blueprint().faults;
    ++world.partition_ordinal;
    world.partition = cut_of_isolation(plan, slot);
    world.partition_steps_left = plan.isolation.steps + 1;  // this step does not count
    stepper.fold_everywhere(world, id);
    return {};
  }
};

}  // namespace

constinit const Fault isolate_fault = {EventKind::isolate, FaultSubject::links, Isolate::offer, Isolate::id,
                                       Isolate::budget,    Isolate::planned,    Isolate::apply};

}  // namespace gainsay
