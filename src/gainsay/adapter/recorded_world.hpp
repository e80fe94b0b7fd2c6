// Worlds, built from what a person or a trace file says.
#pragma once

#include <string>

#include "gainsay/base/options.hpp"
#include "gainsay/scenario/registry.hpp"
#include "gainsay/trace/document.hpp"

namespace gainsay {

// Builds the world once to see that it can be built: whatever
// the body throws becomes a UserError that names the scenario.
Blueprint build_world(const Scenario& scenario, const OptionTexts& options);

// What does not fit is the file's fault, so every complaint begins with its name.
Blueprint recorded_world(const std::string& file, const TraceDocument& recorded);

}  // namespace gainsay
