// The world that a trace was recorded in, built again.
#pragma once

#include <string>

#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/trace/document.hpp"

namespace gainsay::tools {

// What does not fit is the file's fault, so every complaint begins with its name.
Blueprint recorded_world(const std::string& file, const TraceDocument& recorded);

}  // namespace gainsay::tools
