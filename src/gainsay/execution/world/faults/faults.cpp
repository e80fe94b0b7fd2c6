#include "gainsay/execution/world/faults/faults.hpp"

#include <algorithm>
#include <array>

#include "gainsay/base/check.hpp"
#include "gainsay/execution/world/faults/corrupt.hpp"
#include "gainsay/execution/world/faults/crash.hpp"
#include "gainsay/execution/world/faults/drop.hpp"
#include "gainsay/execution/world/faults/duplicate.hpp"
#include "gainsay/execution/world/faults/fail_write.hpp"
#include "gainsay/execution/world/faults/isolate.hpp"
#include "gainsay/execution/world/faults/jump_clock.hpp"
#include "gainsay/execution/world/faults/lose_write.hpp"
#include "gainsay/execution/world/faults/partition.hpp"
#include "gainsay/execution/world/faults/recreate.hpp"
#include "gainsay/execution/world/faults/restart.hpp"
#include "gainsay/execution/world/faults/tear_write.hpp"

namespace gainsay {
namespace {

constexpr std::array<const Fault*, 13> listed = {
    &drop_fault,       &duplicate_fault,  &corrupt_fault,    &crash_fault,    &restart_fault,
    &heal_fault,       &partition_fault,  &isolate_fault,    &recreate_fault, &fail_write_fault,
    &tear_write_fault, &lose_write_fault, &jump_clock_fault,
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

namespace {

std::uint64_t number_key(EventKind kind, std::uint32_t target) {
  return mix(static_cast<std::uint64_t>(kind) + 1, target);
}

}  // namespace

EventId numbered_id(const WorldState& world, EventKind kind, std::uint32_t target) {
  const auto before = std::count(world.happened.begin(), world.happened.end(), number_key(kind, target));
  return outside_event_id(kind, ActorId{target}, static_cast<std::uint32_t>(before));
}

void note_happened(WorldState& world, EventKind kind, std::uint32_t target) {
  world.happened.push_back(number_key(kind, target));
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
