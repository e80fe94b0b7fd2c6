#include "gainsay/execution/shrink_violation.hpp"

#include "gainsay/execution/tally.hpp"
#include "gainsay/strategy/approximate.hpp"

namespace gainsay {

Shrunk shrink_violation(const Blueprint& blueprint, const std::vector<Step>& steps,
                        const Violation& violation) {
  ExecutionOptions options;
  options.steps_max = steps.size();
  Execution execution(blueprint, options);
  const std::string key = violation_key(violation);
  return shrink(steps, [&](const std::vector<Step>& wishes) -> std::optional<std::vector<Step>> {
    ApproximateStrategy strategy(wishes);
    strategy.begin({});
    const RunOutcome outcome = execution.run(strategy, Keep{});
    if (!outcome.violation || violation_key(*outcome.violation) != key) return std::nullopt;
    return execution.trace().steps;
  });
}

}  // namespace gainsay
