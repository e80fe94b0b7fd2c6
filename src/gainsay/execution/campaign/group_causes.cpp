#include "gainsay/execution/campaign/group_causes.hpp"

#include <algorithm>
#include <utility>

#include "gainsay/base/check.hpp"
#include "gainsay/execution/campaign/confirm.hpp"
#include "gainsay/execution/campaign/shrink_violation.hpp"
#include "gainsay/trace/causes.hpp"

namespace gainsay {
namespace {

// Findings are many, and what tells causes apart is there without the last steps: `shrink` looks for longer.
constexpr std::uint64_t walking_steps_max = 200'000;

FoundViolation shrunk(const Blueprint& blueprint, const RunHeader& header, FoundViolation found) {
  if (found.violation.is_nondeterminism()) return found;
  const auto [small, violation] =
      shrink_violation(blueprint, decisions_of(found.document, blueprint), found.violation,
                       {.walking_steps_max = walking_steps_max, .same_text = true});
  FoundViolation again = confirm(blueprint, violation, small.decisions(), header.steps_max);
  if (again.violation.is_nondeterminism()) return found;
  again.runs = found.runs;
  again.first_run = found.first_run;
  again.document.set_header(header);
  again.document.run = found.first_run;
  return again;
}

}  // namespace

std::vector<FoundViolation> group_causes(const Blueprint& blueprint, const RunHeader& header,
                                         std::vector<FoundViolation> findings) {
  std::vector<TraceDocument> documents;
  for (FoundViolation& found : findings) {
    found = shrunk(blueprint, header, std::move(found));
    GAINSAY_CHECK(found.document.violation.has_value(), "a finding is a violation");
    documents.push_back(found.document);
  }
  std::vector<FoundViolation> causes;
  for (const std::vector<std::size_t>& group : group_by_cause(documents)) {
    FoundViolation cause = std::move(findings[group.front()]);
    for (std::size_t i = 1; i < group.size(); ++i) {
      cause.runs += findings[group[i]].runs;
      cause.first_run = std::min(cause.first_run, findings[group[i]].first_run);
    }
    causes.push_back(std::move(cause));
  }
  return causes;
}

}  // namespace gainsay
