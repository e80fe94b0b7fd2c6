#include "gainsay/execution/world/faults/jump_clock.hpp"

#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct JumpClock {
  static void offer(const Kernel& kernel, const Budgets& budgets, const WorldState& world, Offers& out) {
    const std::vector<ClockJump>& plans = kernel.blueprint().faults.clock_jumps;
    const auto is_up = [&](Slot slot) { return status_of(kernel, world, slot) == ActorStatus::alive; };
    for (std::size_t i = 0; i < plans.size(); ++i)
      offer_actors(EventKind::jump_clock, kernel, world, plans[i], i, budgets.clock_jump(i), is_up, out);
  }
  static EventId id(const WorldState& world, std::uint32_t target) {
    return numbered_id(world, EventKind::jump_clock, target);
  }
  static std::size_t budget(const Budgets& budgets, std::uint32_t target, const ValueType*) {
    return budgets.clock_jump(plan_of(budgets.blueprint(), target));
  }
  static std::uint32_t planned(const FaultPlan& plan) { return planned_in_all(plan.clock_jumps); }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t target, EventId id, Asker&) {
    const Blueprint& blueprint = stepper.kernel().blueprint();
    GAINSAY_CHECK(blueprint.timed, "without time there is no clock");
    spend(world, budget(stepper.budgets(), target, nullptr));
    note_happened(world, EventKind::jump_clock, target);
    const Slot slot = actor_of(blueprint, target);
    if (slot >= world.clock_jumps_ns.size()) world.clock_jumps_ns.resize(blueprint.actors.size(), 0);
    std::int64_t& jumped = world.clock_jumps_ns[slot];
    jumped = later(jumped, blueprint.faults.clock_jumps[plan_of(blueprint, target)].by);
    stepper.fold(world, slot, id);
    return {};
  }
};

}  // namespace

constinit const Fault jump_clock_fault = {EventKind::jump_clock, FaultSubject::actor, JumpClock::offer,
                                          JumpClock::id,         JumpClock::budget,   JumpClock::planned,
                                          JumpClock::apply};

}  // namespace gainsay
