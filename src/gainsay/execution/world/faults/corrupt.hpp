// corrupt: a pending message is replaced by what the scenario's function makes of it, at the same place.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault corrupt_fault;

}  // namespace gainsay
