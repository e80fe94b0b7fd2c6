// lose_write: what the actor persists next is stored until it crashes: then what was there before is back.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault lose_write_fault;

}  // namespace gainsay
