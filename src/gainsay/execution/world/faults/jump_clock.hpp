// jump_clock: what the actor's clock shows jumps (simulated time). Its timers, and all windows, do not.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault jump_clock_fault;

}  // namespace gainsay
