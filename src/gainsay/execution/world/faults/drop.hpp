// drop: a pending message is lost.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault drop_fault;

}  // namespace gainsay
