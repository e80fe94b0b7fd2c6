#include "gainsay/execution/campaign/worker.hpp"

#include <fmt/format.h>

#include "gainsay/execution/run/document.hpp"
#include "gainsay/execution/run/visibility.hpp"
#include "gainsay/strategy/around/fair_suffix.hpp"
#include "gainsay/strategy/around/swarm.hpp"
#include "gainsay/strategy/around/unfair_bound.hpp"

namespace gainsay {
namespace {

ExecutionOptions execution_options(const CampaignPlan& plan) {
  const HuntOptions& options = plan.options;
  ExecutionOptions e;
  e.steps_max = options.steps_max;
  e.memo = options.memo;
  e.backtracking = options.backtracking;
  e.stop = &plan.alarm.flag();
  e.judge_histories = options.judge_histories;
  e.liveness.temperature = options.temperature.value_or(0);
  e.liveness.fairness = options.fairness;
  return e;
}

// A handler that cannot be followed twice is a finding of its own.
RunOutcome diverged_outcome(const Execution& execution, const Divergence& divergence) {
  RunOutcome outcome;
  outcome.ending = Ending::violated;
  outcome.steps = execution.steps();
  outcome.violation =
      Violation{std::string(violation_name(ViolationKind::nondeterminism)),
                fmt::format("executing the same prefix of {} steps again gave different choices; a handler "
                            "depends on something outside its fields and its Context",
                            divergence.step),
                nobody, static_cast<std::uint32_t>(divergence.step)};
  return outcome;
}

}  // namespace

OptionTexts strategy_options(const HuntOptions& options, const StrategyInfo& info) {
  OptionTexts texts = options.strategy_options;
  if (options.dependence) {
    if (!info.has_option("dependence"))
      throw UserError(fmt::format("strategy '{}' is not a reducing search; remove --dependence", info.name));
    texts.emplace_back("dependence", *options.dependence);
  }
  if (!options.depth || !info.has_depth()) return texts;
  for (const auto& [name, value] : texts) {
    if (name == info.depth_option)
      throw UserError(fmt::format("the depth is given twice: --depth {} and --option {}={}; remove one",
                                  *options.depth, name, value));
  }
  texts.emplace_back(info.depth_option, std::to_string(*options.depth));
  return texts;
}

std::unique_ptr<Strategy> make_strategy(const HuntOptions& options) {
  const StrategyInfo& info = find_strategy(options.strategy);
  const OptionTexts texts = strategy_options(options, info);
  std::unique_ptr<Strategy> strategy = info.make(texts);
  const bool search = info.kind_with(texts) == StrategyKind::search;
  if (search && options.swarm)
    throw UserError(fmt::format("--swarm works with random strategies; '{}' is a search", info.name));
  if (search && options.fair_after)
    throw UserError(fmt::format("--fair-after works with random strategies; '{}' is a search", info.name));
  if (options.swarm) strategy = std::make_unique<SwarmStrategy>(std::move(strategy));
  if (options.fair_after) strategy = std::make_unique<FairSuffix>(std::move(strategy), *options.fair_after);
  return strategy;
}

std::unique_ptr<Strategy> CampaignPlan::make_strategy() const {
  std::unique_ptr<Strategy> strategy = gainsay::make_strategy(options);
  if (unfair_steps_max) strategy = std::make_unique<UnfairBound>(std::move(strategy), *unfair_steps_max);
  return strategy;
}

Worker::Worker(const CampaignPlan& plan, std::unique_ptr<Strategy> strategy)
    : plan_(plan),
      execution_(plan.blueprint, execution_options(plan)),
      strategy_(std::move(strategy)),
      traits_(traits_of(plan.blueprint)),
      scope_([this] {
        return fmt::format("scenario {}, strategy {}, seed {}, run {}, step {}", plan_.blueprint.scenario,
                           plan_.options.strategy, plan_.options.seed, run_, execution_.steps());
      }) {
  GAINSAY_CHECK(strategy_ != nullptr, "somebody decides");
}

std::optional<RunOutcome> Worker::run(std::uint64_t index, bool scout) {
  run_ = index;
  const HuntOptions& options = plan_.options;
  const std::optional<Keep> keep = strategy_->begin({index, options.seed, options.steps_max, scout, traits_});
  if (!keep) return std::nullopt;
  RunOutcome outcome;
  try {
    outcome = execution_.run(*strategy_, *keep);
  } catch (const Divergence& divergence) {
    outcome = diverged_outcome(execution_, divergence);
  }
  strategy_->end({outcome.ending, outcome.steps});
  if (options.verify_determinism && !scout && outcome.ending != Ending::interrupted) verify(outcome);
  return outcome;
}

void Worker::verify(RunOutcome& outcome) {
  auto difference = find_nondeterminism(plan_.blueprint, execution_.trace().decisions(),
                                        plan_.options.steps_max, outcome.violation);
  if (!difference) return;
  outcome.ending = Ending::violated;
  outcome.violation = std::move(difference);
}

// A search cannot go on with prefixes that cannot be followed.
bool Worker::ends_at(const Violation& violation, AtBug at_bug) const {
  return at_bug == AtBug::stop || (plan_.search && violation.is_nondeterminism());
}

Worker::Ended Worker::make_runs(std::uint64_t& next, std::uint64_t end, AtBug at_bug, Tally& tally) {
  Ended ended = Ended::whole;
  while (next < end && ended == Ended::whole) {
    if (plan_.alarm.raised()) {
      ended = Ended::stopped;
      break;
    }
    const std::optional<RunOutcome> outcome = run(next);
    if (!outcome || outcome->ending == Ending::interrupted) {
      ended = outcome ? Ended::stopped : Ended::exhausted;
      break;
    }
    const bool blocked = plan_.search && outcome->ending == Ending::blocked;
    Reducer* const reducer = strategy_->reducer();
    const bool counts = reducer == nullptr || reducer->owns_run();
    if (counts && blocked) {
      ++tally.counts.blocked_runs;
    } else if (counts) {
      tally.add(next, *outcome, execution_, plan_.options.steps_max,
                plan_.options.by_cause ? OneFinding::by_text : OneFinding::by_property);
      if (const auto run_class = reducer != nullptr ? reducer->run_class() : std::nullopt)
        tally.run_classes.push_back(*run_class);
      if (plan_.options.watch) plan_.options.watch(execution_, *outcome);
    }
    if (outcome->violation && ends_at(*outcome->violation, at_bug)) ended = Ended::found;
    if (!blocked) ++next;
  }
  tally.note_seen(execution_);
  return ended;
}

}  // namespace gainsay
