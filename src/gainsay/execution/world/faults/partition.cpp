#include "gainsay/execution/world/faults/partition.hpp"

#include "gainsay/execution/world/faults/cut.hpp"
#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct Partition {
  static void offer(const Kernel& kernel, const Budgets& budgets, const WorldState& world, Offers& out) {
    if (world.partition != 0 || world.budgets[Budgets::partitions] == 0) return;
    const FaultPlan& plan = kernel.blueprint().faults;
    // Cuts are numbered by what is left of their budget, which a fingerprint contains.
    const std::uint32_t phase = (plan.partition_events - world.budgets[Budgets::partitions]) % plan.phases();
    if (!out.listed()) {
      out.add_unseen(budgets.cuts_in(phase));
      return;
    }
    for (std::size_t i = 0; i < plan.partitions.size(); ++i) {
      if (plan.partitions[i].phase == phase) out.add(EventKind::partition, static_cast<std::uint32_t>(i));
    }
  }
  static EventId id(const WorldState& world, std::uint32_t which) {
    return outside_event_id(EventKind::partition, ActorId{which}, world.partition_ordinal);
  }
  static std::size_t budget(const Budgets&, std::uint32_t, const ValueType*) { return Budgets::partitions; }
  static std::uint32_t planned(const FaultPlan& plan) { return plan.partition_events; }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t which, EventId id, Asker&) {
    GAINSAY_CHECK(world.partition == 0, "one cut at a time");
    spend(world, Budgets::partitions);
    ++world.partition_ordinal;
    world.partition = cut_of_partition(which);
    const std::uint32_t steps = stepper.kernel().blueprint().faults.partitions[which].steps;
    world.partition_steps_left = steps == 0 ? 0 : steps + 1;  // this step does not count
    stepper.fold_everywhere(world, id);
    return {};
  }
};

struct Heal {
  // Isolations end by themselves.
  static void offer(const Kernel&, const Budgets&, const WorldState& world, Offers& out) {
    if (world.partition != 0 && world.partition_steps_left == 0)
      out.add(EventKind::heal, world.partition - 1);
  }
  static EventId id(const WorldState& world, std::uint32_t which) {
    return outside_event_id(EventKind::heal, ActorId{which}, world.partition_ordinal);
  }
  static std::size_t budget(const Budgets&, std::uint32_t, const ValueType*) { return Budgets::none; }
  static std::uint32_t planned(const FaultPlan&) { return 0; }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t which, EventId id, Asker&) {
    GAINSAY_CHECK(world.partition == cut_of_partition(which), "this cut is in force");
    ++world.partition_ordinal;
    world.partition = 0;
    world.partition_steps_left = 0;
    stepper.fold_everywhere(world, id);
    return {};
  }
};

}  // namespace

constinit const Fault partition_fault = {EventKind::partition, FaultSubject::links, Partition::offer,
                                         Partition::id,        Partition::budget,   Partition::planned,
                                         Partition::apply};
constinit const Fault heal_fault = {EventKind::heal, FaultSubject::links, Heal::offer, Heal::id,
                                    Heal::budget,    Heal::planned,       Heal::apply};

}  // namespace gainsay
