#include "gainsay/execution/campaign/hunt.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gainsay/base/check.hpp"
#include "gainsay/execution/campaign/group_causes.hpp"
#include "gainsay/execution/campaign/hunt_warnings.hpp"
#include "gainsay/execution/campaign/rounds.hpp"
#include "gainsay/execution/campaign/search.hpp"
#include "gainsay/family/coverage.hpp"

namespace gainsay {
namespace {

constexpr std::chrono::seconds random_time{3};  // of random runs that nothing else ends

void refuse_what_does_not_fit(const HuntOptions& options) {
  (void)make_strategy(options);  // complains about its options before any work is done
  if (options.steps_max == 0) throw UserError("--steps must be at least 1");
  if (options.unfair_steps_max && *options.unfair_steps_max == 0)
    throw UserError("--unfair-steps must be at least 1");
  if (options.temperature && *options.temperature == 0) throw UserError("--temperature must be at least 1");
  if (options.watch && options.jobs > 1)
    throw UserError(fmt::format("HuntOptions::watch needs jobs = 1, not {}", options.jobs));
}

// How sure one may be after the clean runs, and how many more runs would make one surer.
void add_confidence(Guarantee& guarantee) {
  if (!guarantee.per_run) return;
  guarantee.confidence = family::confidence_after_runs(*guarantee.per_run, guarantee.runs);
  const auto runs_for = [&](double confidence) -> std::optional<std::uint64_t> {
    const std::uint64_t runs = family::runs_for_confidence(*guarantee.per_run, confidence);
    if (runs == family::too_many) return std::nullopt;
    return runs;
  };
  guarantee.runs_for_95 = runs_for(0.95);
  guarantee.runs_for_99 = runs_for(0.99);
}

// What the scenario asks and a complete search under this dependence does not decide, in words; "" for nothing.
std::string undecided(const WorldTraits& world, const SearchClaim& claim) {
  const auto decides = [&](const char* kind) {
    return std::find(claim.complete_for.begin(), claim.complete_for.end(), kind) != claim.complete_for.end();
  };
  std::vector<std::string> kinds;
  if (world.global_properties && !decides("invariants")) kinds.emplace_back("properties of several actors");
  if (world.histories && !decides("histories")) kinds.emplace_back("what clients see");
  if (kinds.empty()) return {};
  return fmt::format(
      "dependence '{}' does not decide {}, which the scenario requires (--dependence automatic does)",
      claim.dependence, fmt::join(kinds, " and "));
}

// What a complete search says of clocks that handlers read.
constexpr const char* two_times = "the earliest and the latest time of every clock that is read";

// What the campaign may claim: what the strategy claims, if nothing was cut or left.
SearchClaim claim_of(const CampaignPlan& plan, const Findings& findings) {
  SearchClaim claim = findings.claim;
  std::vector<std::string> complete_for = std::exchange(claim.complete_for, {});
  const RunCounts& counts = findings.total.counts;
  const bool all_judged = counts.cut_runs == 0 && counts.unjudged_runs == 0;
  claim.complete = plan.search && findings.exhausted && all_judged && claim.complete;
  if (!claim.complete) return claim;
  claim.complete_for = std::move(complete_for);
  if (claim.complete_for.empty())
    claim.complete_for = {"checks", "invariants", "goals", "monitors", "histories", "deadlock", "end states"};
  if (findings.clock_read) claim.complete_for.emplace_back(two_times);
  claim.incomplete_because = undecided(traits_of(plan.blueprint), claim);
  // Of a search that does not reduce: it came back to a world.
  if (claim.dependence.empty() && findings.total.counts.blocked_runs > 0 && claim.incomplete_because.empty())
    claim.incomplete_because = fmt::format(
        "{} executions reached the same world for the third time and were cut off: nothing else can go "
        "wrong, but a longer loop may keep a monitor hot; use explore to find out",
        findings.total.counts.blocked_runs);
  if (!findings.total.violations.empty() && !plan.options.keep_going) claim.complete = false;
  return claim;
}

void fill(HuntResult& result, const CampaignPlan& plan, Findings& findings) {
  static_cast<RunCounts&>(result) = findings.total.counts;
  static_cast<TraceCounts&>(result) = findings.trace_counts();
  static_cast<SearchClaim&>(result) = claim_of(plan, findings);
  result.handler_calls = findings.handler_calls;
  result.guarantee = findings.guarantee;
  if (findings.clock_read) {
    std::string& within = result.guarantee.within;
    within += fmt::format("{}{}", within.empty() ? "" : " and ", two_times);
  }
  add_confidence(result.guarantee);
  result.shares = findings.shares;
  result.scouts = findings.scouts;
  result.liveness.asked = plan.blueprint.has_liveness();
  result.liveness.fairness = plan.options.fairness;
  result.liveness.temperature = plan.options.temperature.value_or(LivenessOptions::default_temperature);
  result.liveness.suspicions_fail = plan.options.suspicions_fail;
  result.coverage = findings.total.coverage.report(plan.blueprint);
  result.interrupted = plan.alarm.reason() == StopReason::interrupted;
  findings.confirm_new(plan);
  result.violations = std::move(findings.confirmed);
  for (std::size_t i = 0; i < result.violations.size(); ++i)
    result.violations[i].runs = findings.total.violations[i].runs;
  if (!result.violations.empty()) result.first_bug_run = result.violations.front().first_run;
  if (plan.options.by_cause)
    result.violations = group_causes(plan.blueprint, plan.header, std::move(result.violations));
  add_warnings(result, plan.blueprint, findings.total);
}

}  // namespace

HuntResult hunt(const Scenario& scenario, const OptionTexts& scenario_options, const HuntOptions& options) {
  const Budget clock;
  const StrategyInfo& info = find_strategy(options.strategy);
  refuse_what_does_not_fit(options);
  const Blueprint blueprint = scenario.build(scenario_options);

  HuntResult result;
  static_cast<RunHeader&>(result) = {scenario.name(), scenario.complete(scenario_options), options.strategy,
                                     options.seed, options.steps_max};
  result.search = info.kind_with(strategy_options(options, info)) == StrategyKind::search;
  if (options.depth && !info.has_depth())
    result.warnings.push_back(fmt::format("strategy '{}' has no depth: --depth has no effect", info.name));

  std::optional<std::chrono::nanoseconds> time = options.time;
  if (!result.search && !options.runs && !time) time = random_time;
  const BudgetAlarm alarm(Budget(time).until(options.stop));
  CampaignPlan plan{blueprint, options, alarm, result, result.search, {}};
  Findings findings;
  if (plan.search) {
    make_search(plan, findings);
  } else {
    Scouted scouted = send_scouts(plan);
    findings.scouts = scouted.report;
    findings.handler_calls = scouted.handler_calls;
    make_rounds(plan, std::move(scouted), findings);
  }
  fill(result, plan, findings);
  result.elapsed_s = clock.elapsed_s();
  // The alarm has its own thread, and the clocks of two cores of a virtual machine may differ by 20 ms: where it rang
  // because the time was over, so much time has passed.
  if (time && alarm.reason() == StopReason::time)
    result.elapsed_s = std::max(result.elapsed_s, std::chrono::duration<double>(*time).count());
  return result;
}

}  // namespace gainsay
