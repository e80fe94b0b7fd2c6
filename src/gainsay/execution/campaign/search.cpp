#include "gainsay/execution/campaign/search.hpp"

#include <algorithm>
#include <mutex>

#include "gainsay/base/check.hpp"
#include "gainsay/base/parallel.hpp"

namespace gainsay {
namespace {

void search_alone(const CampaignPlan& plan, Findings& findings) {
  const HuntOptions& options = plan.options;
  Worker worker(plan);
  std::uint64_t next = 0;
  Worker::Ended ended = Worker::Ended::whole;
  while (ended == Worker::Ended::whole) {
    const std::uint64_t end = std::min(options.runs.value_or(next + part_runs), next + part_runs);
    if (next == end) break;  // as many runs as were asked for
    Tally tally;
    ended =
        worker.make_runs(next, end, options.keep_going ? Worker::AtBug::go_on : Worker::AtBug::stop, tally);
    findings.add(tally);
    findings.publish(options.progress);
    findings.confirm_new(plan);
    worker.tidy();
  }
  findings.exhausted = ended == Worker::Ended::exhausted;
  findings.guarantee = worker.strategy().guarantee();
  findings.claim = worker.claim();
  findings.clock_read = worker.clock_read();
  findings.handler_calls += worker.handler_calls();
}

// What a violation left behind is of no use: false. Also where the search cannot be split.
bool search_together(const CampaignPlan& plan, Findings& findings) {
  const unsigned jobs = plan.options.jobs;
  const std::unique_ptr<Strategy> tried = plan.make_strategy();
  if (tried->reducer() == nullptr || !tried->reducer()->take_share(0, jobs)) return false;
  std::atomic<bool> violated{false};
  std::mutex mutex;
  unsigned done = 0;
  Findings shared;
  run_together(jobs, [&](unsigned share) {
    Worker worker(plan);
    const bool taken = worker.strategy().reducer()->take_share(share, jobs);
    GAINSAY_CHECK(taken, "what can be split can be split for everybody");
    std::uint64_t next = 0;
    Worker::Ended ended = Worker::Ended::whole;
    while (ended == Worker::Ended::whole && !violated) {
      Tally tally;
      ended = worker.make_runs(next, next + part_runs, Worker::AtBug::stop, tally);
      if (ended == Worker::Ended::found) violated = true;
      worker.tidy();
      const std::lock_guard lock(mutex);
      shared.add(tally);
      shared.publish(plan.options.progress);
    }
    const std::lock_guard lock(mutex);
    done += ended == Worker::Ended::exhausted ? 1 : 0;
    const SearchClaim claim = worker.claim();
    if (shared.claim.complete || shared.claim.dependence.empty()) shared.claim = claim;
    shared.guarantee = worker.strategy().guarantee();
    shared.handler_calls += worker.handler_calls();
  });
  if (violated) return false;
  shared.exhausted = done == jobs;
  findings = std::move(shared);
  return true;
}

}  // namespace

void make_search(const CampaignPlan& plan, Findings& findings) {
  GAINSAY_CHECK(plan.search && !plan.unfair_steps_max, "a search leaves out what it says");
  const bool whole = !plan.options.runs && !plan.options.watch;
  if (plan.options.jobs < 2 || !whole || !search_together(plan, findings)) search_alone(plan, findings);
}

}  // namespace gainsay
