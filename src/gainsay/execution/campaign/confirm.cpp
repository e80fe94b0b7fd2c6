#include "gainsay/execution/campaign/confirm.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/strategy/follow/replay.hpp"

namespace gainsay {

EndedViolation end_where_certain(const Blueprint& blueprint, EndedViolation seen, std::size_t steps_max) {
  if (shows_where(blueprint, seen.violation) != Shows::in_a_prefix) return seen;
  const auto followed = [&](Execution& execution,
                            const std::vector<Decision>& steps) -> std::optional<Violation> {
    ReplayStrategy strategy(steps);
    strategy.begin({});
    try {
      return execution.run(strategy, Keep{}).violation;
    } catch (const Divergence&) {
      return std::nullopt;
    }
  };
  Execution whole(blueprint, replay_options(std::max(steps_max, seen.steps.size()), seen.violation));
  if (!followed(whole, seen.steps)) return seen;
  const auto certain = whole.judge().first_certain(seen.violation.property, whole.history(), whole);
  if (!certain || certain->steps >= seen.steps.size()) return seen;
  EndedViolation ended{seen.violation, seen.steps};
  ended.steps.resize(certain->steps);
  // A world that can rest there is also asked what is asked of ends, which comes first.
  Execution beginning(blueprint, replay_options(ended.steps.size(), seen.violation));
  const std::optional<Violation> again = followed(beginning, ended.steps);
  if (!again || violation_key(*again) != violation_key(seen.violation)) return seen;
  ended.violation = *again;
  return ended;
}

FoundViolation confirm(const Blueprint& blueprint, Violation seen, const std::vector<Decision>& steps,
                       std::size_t steps_max) {
  seen.message = printable_utf8(seen.message);  // as executions have it
  FoundViolation found;
  found.violation = seen;
  const std::size_t bound = std::max(steps_max, steps.size());
  Replay replay = replay_steps(blueprint, steps, bound, seen);
  auto nondeterminism = find_nondeterminism(blueprint, steps, bound, seen);
  // Searches over states do not know the step.
  const bool again = !replay.diverged_at && replay.outcome.violation &&
                     violation_key(*replay.outcome.violation) == violation_key(seen) &&
                     (seen.step == no_step || seen.step == replay.outcome.violation->step);
  if (again) found.violation = *replay.outcome.violation;
  if (!nondeterminism && !again && !seen.is_nondeterminism()) {
    nondeterminism =
        Violation{std::string(violation_name(ViolationKind::nondeterminism)),
                  fmt::format("the violation '{}: {}' did not show again when the same execution was "
                              "repeated; a handler depends on something outside its fields and its Context",
                              seen.property, seen.message),
                  nobody, seen.step};
  }
  if (nondeterminism) found.violation = *nondeterminism;
  found.document = std::move(replay.document);
  if (found.violation.is_nondeterminism()) {
    found.document.violation = found.violation;
    found.document.end = "violated";
  }
  return found;
}

}  // namespace gainsay
