// How an implementation is read as its model, for the verb `conform`: GAINSAY_CONFORM(scenario) {
// map.actor<...>(...); }. Apart from gainsay.hpp, because most scenarios are nobody's implementation.
#pragma once

#include "gainsay/gainsay.hpp"            // IWYU pragma: export
#include "gainsay/model/conform_map.hpp"  // IWYU pragma: export
