// fail_write: what the actor persists next is not stored, and Context::persist answers false.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault fail_write_fault;

}  // namespace gainsay
