// duplicate: a pending message is there once more; the copy stands behind everything that was sent before it.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault duplicate_fault;

}  // namespace gainsay
