// group_causes: the findings of a campaign by what caused them (trace/causes.hpp) instead of by what showed.
//
// Each finding is shrunk first. Findings that then have the same shape become one, with the shortest execution and the
// runs of all of them. A campaign keeps one execution of each symptom (symptom_key), so one symptom is at most one
// cause here.
#pragma once

#include <vector>

#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

// What cannot be repeated is left as it is.
std::vector<FoundViolation> group_causes(const Blueprint& blueprint, const RunHeader& header,
                                         std::vector<FoundViolation> findings);

}  // namespace gainsay
