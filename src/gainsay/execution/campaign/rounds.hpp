// Rounds: a campaign of random runs, by any number of workers with one result.
//
// Runs are handed out in parts of fixed size and merged in their order. Rounds are the parts 0, 1, 2-3, 4-7, 8-15, ...:
// what all runs before a round taught is what those in it know, so it does not matter who made which run. Without
// `keep_going` the lowest buggy run wins and nothing after it counts.
#pragma once

#include "gainsay/execution/campaign/findings.hpp"
#include "gainsay/execution/campaign/scouts.hpp"
#include "gainsay/execution/campaign/worker.hpp"

namespace gainsay {

// `scouted`: what the scouts taught.
void make_rounds(const CampaignPlan& plan, Scouted scouted, Findings& findings);

}  // namespace gainsay
