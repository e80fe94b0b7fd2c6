// `hunt --check-dependence`: what the scenario says about its keys, put to the test.
#pragma once

#include <string>

#include "gainsay/execution/campaign/hunt.hpp"

namespace gainsay::tools {

struct CheckDependenceArguments {
  bool unlisted_is_free = false;  // types without a key depend on nothing (StrategyInfo)
  std::string out;                // the folder of traces
  std::string program;
  bool json = false;
};

// Samples pairs of events that the keys call independent. Returns the exit code: 0 none was refuted, 1 one was, 3 there
// was none to try or it was interrupted.
int check_dependence(const Scenario& scenario, const OptionTexts& scenario_options,
                     const HuntOptions& options, const CheckDependenceArguments& arguments);

}  // namespace gainsay::tools
