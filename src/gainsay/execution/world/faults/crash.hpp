// crash: an actor goes down. Its timers die with it, and a start that has not happened; a restart takes its place.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault crash_fault;

}  // namespace gainsay
