#include "gainsay/execution/world/faults/tear_write.hpp"

#include "gainsay/execution/world/faults/disk.hpp"

namespace gainsay {
namespace {

struct TearWrite {
  static void offer(const Kernel& kernel, const Budgets& budgets, const WorldState& world, Offers& out) {
    const std::vector<Tear>& plans = kernel.blueprint().faults.tears;
    for (std::size_t i = 0; i < plans.size(); ++i)
      offer_disks(EventKind::tear_write, kernel, world, plans[i], i, budgets.tear(i), out);
  }
  static EventId id(const WorldState& world, std::uint32_t target) {
    return numbered_id(world, EventKind::tear_write, target);
  }
  static std::size_t budget(const Budgets& budgets, std::uint32_t target, const ValueType*) {
    return budgets.tear(plan_of(budgets.blueprint(), target));
  }
  static std::uint32_t planned(const FaultPlan& plan) { return planned_in_all(plan.tears); }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t target, EventId id, Asker&) {
    return set_disk(stepper, world, {EventKind::tear_write, target}, id,
                    budget(stepper.budgets(), target, nullptr), Disk::tears);
  }
};

}  // namespace

constinit const Fault tear_write_fault = {EventKind::tear_write, FaultSubject::actor, TearWrite::offer,
                                          TearWrite::id,         TearWrite::budget,   TearWrite::planned,
                                          TearWrite::apply};

}  // namespace gainsay
