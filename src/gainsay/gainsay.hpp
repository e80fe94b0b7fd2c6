// Everything a scenario needs, in one include. Coroutines and wrapped blocking code also need gainsay/tasks.hpp.
#pragma once

#include "gainsay/oracle/client_history.hpp"  // IWYU pragma: export
#include "gainsay/scenario/context.hpp"       // IWYU pragma: export
#include "gainsay/scenario/context_slot.hpp"  // IWYU pragma: export
#include "gainsay/scenario/machine.hpp"       // IWYU pragma: export
#include "gainsay/scenario/monitor.hpp"       // IWYU pragma: export
#include "gainsay/scenario/registry.hpp"      // IWYU pragma: export
#include "gainsay/scenario/world.hpp"         // IWYU pragma: export
