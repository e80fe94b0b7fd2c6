// `hunt --estimate`: what a search would have to do, before it does it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gainsay/execution/campaign/hunt.hpp"

namespace gainsay::tools {

struct EstimateArguments {
  std::optional<std::uint64_t> probes;
  std::string dependence = "automatic";
  bool json = false;
};

// Prints how many executions and classes there are, as far as random probes tell, and what the strategy would make of
// them. Returns the exit code: 1 if a probe met a violation, 3 if it was interrupted before the first probe, else 0.
int estimate_hunt(const Scenario& scenario, const OptionTexts& scenario_options, const HuntOptions& options,
                  const EstimateArguments& arguments);

}  // namespace gainsay::tools
