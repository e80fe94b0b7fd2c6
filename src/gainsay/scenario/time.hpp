// Time as the scenario sees it: nanoseconds, simulated or absent. The wall clock has no part in an execution.
#pragma once

#include <chrono>

namespace gainsay {

using Duration = std::chrono::nanoseconds;
using Time = std::chrono::nanoseconds;  // since the start of the execution

}  // namespace gainsay
