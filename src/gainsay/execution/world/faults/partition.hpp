// partition: the links between blocks of actors are cut; heal: the cut ends.
//
// A family of cuts has phases: only the cuts of the phase that is next are offered. At most one cut is in force. One
// that lasts for a number of steps ends by itself (Stepper::count_step); the other ones offer a heal. What a cut does
// to messages that cross it is Network's business.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault partition_fault;
extern const Fault heal_fault;

}  // namespace gainsay
