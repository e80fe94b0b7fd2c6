#include "gainsay/execution/campaign/shrink_violation.hpp"

#include <algorithm>

#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/strategy/follow/approximate.hpp"

namespace gainsay {
namespace {

std::ptrdiff_t cuts_in(const std::vector<Decision>& steps) {
  return std::count_if(steps.begin(), steps.end(), [](const Decision& step) {
    return step.kind == EventKind::partition || step.kind == EventKind::isolate;
  });
}

}  // namespace

bool is_of_history(const Blueprint& blueprint, const Violation& violation) {
  return std::any_of(blueprint.history_properties.begin(), blueprint.history_properties.end(),
                     [&](const HistoryProperty& property) { return property.name == violation.property; });
}

ShrunkViolation shrink_violation(const Blueprint& blueprint, const std::vector<Decision>& steps,
                                 const Violation& violation, Cutbacks cuts) {
  if (violation.is_suspicion()) return {{steps, 0}, violation};
  ExecutionOptions options;
  options.steps_max = steps.size();
  options.liveness.watch = violation.loop_from != no_step;
  options.liveness.lasso_after = 0;
  options.liveness.fairness = violation.fairness;
  options.liveness.temperature = steps.size() + 1;
  Execution execution(blueprint, options);
  const std::string key = violation_key(violation);
  const auto at_end = is_of_history(blueprint, violation) ? ApproximateStrategy::AtEnd::cut
                                                          : ApproximateStrategy::AtEnd::go_on;
  ShrunkViolation result;
  result.violation = violation;
  const auto attempt = [&](const std::vector<Decision>& list) -> std::optional<std::vector<Decision>> {
    ApproximateStrategy strategy(list, at_end);
    strategy.begin({});
    const RunOutcome outcome = execution.run(strategy, Keep{});
    if (!outcome.violation || violation_key(*outcome.violation) != key) return std::nullopt;
    if ((outcome.violation->loop_from == no_step) != (violation.loop_from == no_step)) return std::nullopt;
    std::vector<Decision> decisions = execution.trace().decisions();
    if (cuts == Cutbacks::keep_cuts && cuts_in(decisions) < cuts_in(steps)) return std::nullopt;
    result.violation = *outcome.violation;
    return decisions;
  };
  result.shrunk = shrink(steps, attempt);
  (void)attempt(result.shrunk.steps);  // the last attempt need not be the one that was kept
  return result;
}

}  // namespace gainsay
