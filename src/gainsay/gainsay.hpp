// Everything a scenario needs, in one include. Actors that are coroutines, or that wrap code that blocks, need
// gainsay/tasks.hpp as well.
#pragma once

#include "gainsay/oracle/client_history.hpp"  // IWYU pragma: export
#include "gainsay/scenario/context.hpp"       // IWYU pragma: export
#include "gainsay/scenario/context_slot.hpp"  // IWYU pragma: export
#include "gainsay/scenario/machine.hpp"       // IWYU pragma: export
#include "gainsay/scenario/monitor.hpp"       // IWYU pragma: export
#include "gainsay/scenario/registry.hpp"      // IWYU pragma: export
#include "gainsay/scenario/world.hpp"         // IWYU pragma: export
