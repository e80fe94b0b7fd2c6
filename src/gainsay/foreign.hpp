// What you need to wrap a C library, in addition to gainsay.hpp: a heap for each object, calls that may fault, and
// asynchronous input and output as events. See docs/wrapping_c.md.
#pragma once

#include "gainsay/base/foreign_call.hpp"  // IWYU pragma: export
#include "gainsay/base/foreign_heap.hpp"  // IWYU pragma: export
#include "gainsay/gainsay.hpp"            // IWYU pragma: export
#include "gainsay/scenario/io_queue.hpp"  // IWYU pragma: export
