// What every benchmark says about where it ran, and the clock that all of them use: CPU time of this process.
#pragma once

#include <ctime>
#include <string>

#include "tools/machine.hpp"

namespace benchmarks {

inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

using gainsay::tools::cpu_model;
inline std::string commit() { return gainsay::tools::commit_text(); }

}  // namespace benchmarks
