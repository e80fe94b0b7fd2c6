#include "gainsay/execution/world/faults/disk.hpp"

namespace gainsay {

void offer_disks(EventKind kind, const Kernel& kernel, const WorldState& world, const ActorFault& plan,
                 std::size_t plan_index, std::size_t budget, Offers& out) {
  const auto is_sound = [&](Slot slot) {
    const Disk disk =
        world.cells[slot] == live_cell ? world.live[slot].disk : kernel.cell(world.cells[slot]).disk;
    return disk == Disk::sound && status_of(kernel, world, slot) == ActorStatus::alive;
  };
  offer_actors(kind, kernel, world, plan, plan_index, budget, is_sound, out);
}

StepResult set_disk(Stepper& stepper, WorldState& world, const Alternative& fault, EventId id,
                    std::size_t budget, Disk disk) {
  spend(world, budget);
  note_happened(world, fault.kind, fault.target);
  const Slot slot = actor_of(stepper.kernel().blueprint(), fault.target);
  stepper.fold(world, slot, id);
  if (world.cells[slot] == live_cell) {
    GAINSAY_CHECK(world.live[slot].disk == Disk::sound, "one disk fault at a time");
    world.live[slot].disk = disk;
  } else {
    world.cells[slot] = stepper.front().with_disk(world.cells[slot], disk);
  }
  return {slot, true, nullptr, nullptr, false};
}

}  // namespace gainsay
