// Findings: what a campaign has come to so far, put together from the tallies of its workers. Whoever merges holds the
// lock, where there are several.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/campaign/worker.hpp"

namespace gainsay {

struct Findings {
  Tally total;
  DistinctTraces distinct;
  DistinctTraces classes;  // under the strategy's own dependence, where it has one
  SearchClaim claim;
  bool exhausted = false;   // of searches: nothing is left
  bool clock_read = false;  // of searches: in simulated time, by some handler
  Guarantee guarantee;
  std::vector<StrategyShare> shares;
  std::uint64_t handler_calls = 0;
  ScoutReport scouts;
  std::vector<FoundViolation> confirmed;  // the first ones of `total.violations`

  // Folds in what was tallied and forgets its details: memory stays flat in long campaigns.
  void add(const Tally& tally) {
    distinct.add(tally.trace_classes);
    classes.add(tally.run_classes);
    total += tally;
  }
  // Executes again what is new among the violations and tells whoever asked to be told (HuntOptions::found). Parts
  // are merged in order, so new ones come last.
  void confirm_new(const CampaignPlan& plan);
  // Counters for whoever watches.
  void publish(HuntProgress* progress) const {
    if (progress == nullptr) return;
    progress->runs = total.counts.runs;
    progress->steps = total.counts.steps;
    progress->buggy_runs = total.counts.buggy_runs;
    progress->distinct_traces = distinct.count();
  }
  TraceCounts trace_counts() const {
    return {distinct.count(), distinct.is_lower_bound(), distinct.seen_once(),
            classes.count() > 0 ? classes.count() : distinct.count(), distinct.set_hash()};
  }
};

}  // namespace gainsay
