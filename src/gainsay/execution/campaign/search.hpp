// A campaign that is a search: by several workers where it can be split, else by one.
#pragma once

#include "gainsay/execution/campaign/findings.hpp"
#include "gainsay/execution/campaign/worker.hpp"

namespace gainsay {

// A split search that finds a violation is made again by one worker, so that the result does not depend on how many
// there are.
void make_search(const CampaignPlan& plan, Findings& findings);

}  // namespace gainsay
