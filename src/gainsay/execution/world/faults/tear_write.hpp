// tear_write: of what the actor persists next, what the scenario's function makes of it is stored; it is not told.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault tear_write_fault;

}  // namespace gainsay
