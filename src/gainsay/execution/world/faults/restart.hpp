// restart: a crashed actor comes back with its first fields and its durable part, and runs on_restart.
#pragma once

#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

extern const Fault restart_fault;

}  // namespace gainsay
