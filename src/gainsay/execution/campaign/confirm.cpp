#include "gainsay/execution/campaign/confirm.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/execution/campaign/tally.hpp"

namespace gainsay {

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
    nondeterminism = Violation{std::string(violation_name(ViolationKind::nondeterminism)),
                               fmt::format("the violation '{}: {}' was seen once and did not show when the "
                                           "same execution was repeated; a handler depends "
                                           "on something outside its fields and its Context",
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
