// Tasks: actors that are coroutines (`Task<> run(TaskContext&)`), when_all and when_any, and blocking code on fibres or
// threads. Apart from gainsay.hpp, because most scenarios need none of it and would wait for it all the same.
#pragma once

#include "gainsay/gainsay.hpp"              // IWYU pragma: export
#include "gainsay/scenario/task_actor.hpp"  // IWYU pragma: export
