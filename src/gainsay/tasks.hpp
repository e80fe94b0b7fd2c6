// Tasks: actors that are coroutines (`Task<> run(TaskContext&)`), when_all and when_any, and blocking code on fibres
// or threads. Not part of gainsay.hpp, because most scenarios do not need it and it takes time to compile.
#pragma once

#include "gainsay/gainsay.hpp"              // IWYU pragma: export
#include "gainsay/scenario/task_actor.hpp"  // IWYU pragma: export
