// What disk faults share. Each of them only says what becomes of what an actor persists next (Disk, in the actor's
// cell); HandlerCall::persist does it. So they are local to the actor, like crashes.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"
#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {

// Actors that are up, with no disk fault on.
void offer_disks(EventKind kind, const Kernel& kernel, const WorldState& world, const ActorFault& plan,
                 std::size_t plan_index, std::size_t budget, Offers& out);
StepResult set_disk(Stepper& stepper, WorldState& world, const Alternative& fault, EventId id,
                    std::size_t budget, Disk disk);

}  // namespace gainsay
