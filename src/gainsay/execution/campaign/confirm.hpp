// confirm: no violation is reported before it has been seen again.
#pragma once

#include "gainsay/execution/run/document.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

struct EndedViolation {
  Violation violation;
  std::vector<Decision> steps;
};
// The same execution, ended where the violation is certain: what clients see after it changes nothing. Violations of
// other kinds end where they are noticed, and stay as they are.
EndedViolation end_where_certain(const Blueprint& blueprint, EndedViolation seen, std::size_t steps_max);

// Repeats an execution live, three times, and writes it down. A violation that does not show again, or an execution
// that differs from itself, is reported as nondeterminism of the user's code instead. The header of the document is
// left to the caller.
FoundViolation confirm(const Blueprint& blueprint, Violation seen, const std::vector<Decision>& steps,
                       std::size_t steps_max);

}  // namespace gainsay
