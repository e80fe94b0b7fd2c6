#include "gainsay/execution/campaign/scouts.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

constexpr std::uint64_t last_run = ~std::uint64_t{0};  // scouts are numbered from the other end
constexpr std::uint64_t fair_scouts = 4;
constexpr std::uint64_t own_scouts_max = 64;

// Whether executions may be cut for starving somebody, as far as the options say.
bool may_starve(const HuntOptions& options) {
  if (options.fair_after) return false;  // the schedule becomes fair by itself
  return !make_strategy(options)->fair();
}

// Nothing: it was stopped.
std::optional<RunOutcome> run_scout(Worker& worker, std::uint64_t number, Scouted& scouted) {
  std::optional<RunOutcome> outcome = worker.run(last_run - number, true);
  if (!outcome || outcome->ending == Ending::interrupted) return std::nullopt;
  ++scouted.report.runs;
  scouted.report.steps += outcome->steps;
  return outcome;
}

// At most `fair_scouts` runs, and none after `scout_steps_max` steps.
void send_fair_scouts(const CampaignPlan& bounded, Scouted& scouted) {
  Worker worker(bounded, find_strategy("random").make({}));
  GAINSAY_CHECK(worker.strategy().fair(), "a random walk is fair");
  ScoutReport& report = scouted.report;
  for (std::uint64_t i = 0; i < fair_scouts && report.steps < scout_steps_max; ++i) {
    const std::optional<RunOutcome> outcome = run_scout(worker, i, scouted);
    if (!outcome) break;
    report.fair_steps_max = std::max<std::uint64_t>(report.fair_steps_max, outcome->steps);
  }
  scouted.handler_calls += worker.handler_calls();
}

// For the strategy, until it asks for no more.
void send_own_scouts(const CampaignPlan& bounded, Scouted& scouted) {
  Worker worker(bounded);
  for (std::uint64_t i = 0; worker.strategy().needs().scout && i < own_scouts_max; ++i) {
    if (!run_scout(worker, i, scouted)) break;
    Learner* const learner = worker.strategy().learner();
    if (learner == nullptr) break;
    std::unique_ptr<Lessons> lessons = learner->take_lessons();
    if (scouted.lessons && lessons) {
      scouted.lessons->merge(*lessons);
    } else {
      scouted.lessons = std::move(lessons);
    }
    if (!scouted.lessons) break;
    learner->learn(*scouted.lessons);
  }
  scouted.handler_calls += worker.handler_calls();
}

}  // namespace

Scouted send_scouts(CampaignPlan& plan) {
  GAINSAY_CHECK(!plan.search, "a search knows what it leaves out");
  const Budget clock;
  const HuntOptions& options = plan.options;
  HuntOptions bounded_options = options;
  bounded_options.steps_max = std::min(options.steps_max, scout_steps_max);
  CampaignPlan bounded{plan.blueprint, bounded_options, plan.alarm, plan.header, false, {}};
  Scouted scouted;
  if (may_starve(options)) {
    std::size_t bound = options.unfair_steps_max.value_or(0);
    if (!options.unfair_steps_max && options.steps_max > unfair_steps_least) {
      send_fair_scouts(bounded, scouted);
      bound = std::max<std::size_t>(unfair_steps_least, 2 * scouted.report.fair_steps_max);
    }
    if (bound > 0 && bound < options.steps_max) plan.unfair_steps_max = bound;
  }
  bounded.unfair_steps_max = plan.unfair_steps_max;
  if (make_strategy(options)->needs().scout) send_own_scouts(bounded, scouted);
  scouted.report.unfair_steps_max = plan.unfair_steps_max;
  scouted.report.elapsed_s = scouted.report.runs == 0 ? 0 : clock.elapsed_s();
  return scouted;
}

}  // namespace gainsay
