// recreate: an actor, up or down, is replaced by a new one of its name: first fields, nothing durable, no timers, and
// on_start runs in this step. Counters stay, so that what it spawns and invokes from now on has names of its own.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault recreate_fault;

}  // namespace gainsay
