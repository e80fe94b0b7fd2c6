#include "gainsay/execution/world/faults/fail_write.hpp"

#include "gainsay/execution/world/faults/disk.hpp"

namespace gainsay {
namespace {

struct FailWrite {
  static void offer(const Kernel& kernel, const Budgets& budgets, const WorldState& world, Offers& out) {
    offer_disks(EventKind::fail_write, kernel, world, kernel.blueprint().faults.failing_writes, 0,
                budgets.failing_write(), out);
  }
  static EventId id(const WorldState& world, std::uint32_t slot) {
    return numbered_id(world, EventKind::fail_write, slot);
  }
  static std::size_t budget(const Budgets& budgets, std::uint32_t, const ValueType*) {
    return budgets.failing_write();
  }
  static std::uint32_t planned(const FaultPlan& plan) { return plan.failing_writes.budget; }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t slot, EventId id, Asker&) {
    return set_disk(stepper, world, {EventKind::fail_write, slot}, id, stepper.budgets().failing_write(),
                    Disk::fails);
  }
};

}  // namespace

constinit const Fault fail_write_fault = {EventKind::fail_write, FaultSubject::actor, FailWrite::offer,
                                          FailWrite::id,         FailWrite::budget,   FailWrite::planned,
                                          FailWrite::apply};

}  // namespace gainsay
