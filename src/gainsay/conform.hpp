// Maps an implementation to its model, for the verb `conform`: GAINSAY_CONFORM(scenario) { map.actor<...>(...); }.
// Not part of gainsay.hpp, because most scenarios do not need it.
#pragma once

#include "gainsay/gainsay.hpp"            // IWYU pragma: export
#include "gainsay/model/conform_map.hpp"  // IWYU pragma: export
