// isolate: an actor is cut off from all others for a number of steps. A cut like a partition (faults/cut.hpp), and at
// most one cut is in force; it ends by itself (Stepper::count_step).
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault isolate_fault;

}  // namespace gainsay
