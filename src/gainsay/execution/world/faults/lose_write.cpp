#include "gainsay/execution/world/faults/lose_write.hpp"

#include "gainsay/execution/world/faults/disk.hpp"

namespace gainsay {
namespace {

struct LoseWrite {
  static void offer(const Kernel& kernel, const Budgets& budgets, const WorldState& world, Offers& out) {
    offer_disks(EventKind::lose_write, kernel, world, kernel.blueprint().faults.losing_writes, 0,
                budgets.losing_write(), out);
  }
  static EventId id(const WorldState& world, std::uint32_t slot) {
    return numbered_id(world, EventKind::lose_write, slot);
  }
  static std::size_t budget(const Budgets& budgets, std::uint32_t, const ValueType*) {
    return budgets.losing_write();
  }
  static std::uint32_t planned(const FaultPlan& plan) { return plan.losing_writes.budget; }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t slot, EventId id, Asker&) {
    return set_disk(stepper, world, {EventKind::lose_write, slot}, id, stepper.budgets().losing_write(),
                    Disk::caches);
  }
};

}  // namespace

constinit const Fault lose_write_fault = {EventKind::lose_write, FaultSubject::actor, LoseWrite::offer,
                                          LoseWrite::id,         LoseWrite::budget,   LoseWrite::planned,
                                          LoseWrite::apply};

}  // namespace gainsay
