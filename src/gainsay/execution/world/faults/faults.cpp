#include "gainsay/execution/world/faults/faults.hpp"

#include <array>

#include "gainsay/base/check.hpp"
#include "gainsay/execution/world/faults/corrupt.hpp"
#include "gainsay/execution/world/faults/crash.hpp"
#include "gainsay/execution/world/faults/drop.hpp"
#include "gainsay/execution/world/faults/duplicate.hpp"
#include "gainsay/execution/world/faults/partition.hpp"
#include "gainsay/execution/world/faults/restart.hpp"

namespace gainsay {
namespace {

constexpr std::array<const Fault*, 7> listed = {
    &drop_fault,    &duplicate_fault, &corrupt_fault,   &crash_fault,
    &restart_fault, &heal_fault,      &partition_fault,
};

}  // namespace

std::span<const Fault* const> all_faults() { return listed; }

const Fault& fault_of(EventKind kind) {
  static const auto by_kind = [] {
    std::array<const Fault*, event_kinds> table{};
    for (const Fault* fault : listed) table[static_cast<std::size_t>(fault->kind)] = fault;
    return table;
  }();
  const Fault* fault = by_kind[static_cast<std::size_t>(kind)];
  GAINSAY_CHECK(fault != nullptr, "a kind of fault");
  return *fault;
}

EventId fault_id(const WorldState& world, const Alternative& fault) {
  return fault_of(fault.kind).id(world, fault.target);
}

ActorStatus status_of(const Kernel& kernel, const WorldState& world, Slot slot) {
  GAINSAY_CHECK(slot < world.cells.size() && world.cells[slot] != 0, "an actor of this world");
  return world.cells[slot] == live_cell ? world.live[slot].status : kernel.cell(world.cells[slot]).status;
}

void spend(WorldState& world, std::size_t budget) {
  GAINSAY_CHECK(budget < world.budgets.size() && world.budgets[budget] > 0, "the budget is not used up");
  --world.budgets[budget];
}

}  // namespace gainsay
