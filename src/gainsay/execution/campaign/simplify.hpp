// simplify: the same violation in a simpler world. The numbers among the scenario's options are lowered (five clients
// become two), and one actor does what several of its kind did.
//
// A list of steps means little in another world: ids are others, and some actors are not there. So actors are found by
// their names, or by their kind where the name is gone, and like events stand in for those that are not possible
// (strategy/follow/approximate.hpp). Where that does not show the violation, a short hunt looks for it in the new
// world. What is found is shrunk, and is kept where it is no longer than before.
#pragma once

#include <string>
#include <vector>

#include "gainsay/execution/campaign/shrink_violation.hpp"
#include "gainsay/scenario/registry.hpp"

namespace gainsay {

struct Simplified {
  OptionTexts options;             // all of the scenario
  std::vector<std::string> lower;  // "clients: 5 -> 2"; "client-1 does what client-3 did"
  ShrunkViolation result;
};

// REQUIRES: `shrunk` shows its violation in the scenario with these options. The result does in the scenario with its
// own, and is never longer. A monitor that was hot for too long is left as it is.
Simplified simplify(const Scenario& scenario, const OptionTexts& options, ShrunkViolation shrunk,
                    const ShrinkOptions& how);

}  // namespace gainsay
