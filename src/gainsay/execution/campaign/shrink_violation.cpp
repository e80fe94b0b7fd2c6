#include "gainsay/execution/campaign/shrink_violation.hpp"

#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/strategy/follow/approximate.hpp"

namespace gainsay {

ShrunkViolation shrink_violation(const Blueprint& blueprint, const std::vector<Decision>& steps,
                                 const Violation& violation) {
  if (violation.hot_from != no_step) return {{steps, 0}, violation};
  ExecutionOptions options;
  options.steps_max = steps.size();
  options.liveness.watch = violation.loop_from != no_step;
  options.liveness.lasso_after = 0;
  options.liveness.temperature = steps.size() + 1;
  Execution execution(blueprint, options);
  const std::string key = violation_key(violation);
  ShrunkViolation result;
  result.violation = violation;
  const auto attempt = [&](const std::vector<Decision>& list) -> std::optional<std::vector<Decision>> {
    ApproximateStrategy strategy(list);
    strategy.begin({});
    const RunOutcome outcome = execution.run(strategy, Keep{});
    if (!outcome.violation || violation_key(*outcome.violation) != key) return std::nullopt;
    if ((outcome.violation->loop_from == no_step) != (violation.loop_from == no_step)) return std::nullopt;
    result.violation = *outcome.violation;
    return execution.trace().decisions();
  };
  result.shrunk = shrink(steps, attempt);
  (void)attempt(result.shrunk.steps);  // the last attempt need not be the one that was kept
  return result;
}

}  // namespace gainsay
