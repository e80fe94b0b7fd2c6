#include "gainsay/trace/results.hpp"

#include <algorithm>
#include <cmath>

namespace gainsay {
namespace {

int exit_code_of(Verdict verdict, bool interrupted) {
  switch (verdict) {
    case Verdict::ok:
      return interrupted ? 3 : 0;
    case Verdict::violated:
      return 1;
    case Verdict::unknown:
    case Verdict::suspected:
      return 3;
  }
  return 3;
}

}  // namespace

RunCounts& RunCounts::operator+=(const RunCounts& later) {
  runs += later.runs;
  blocked_runs += later.blocked_runs;
  buggy_runs += later.buggy_runs;
  cut_runs += later.cut_runs;
  starved_runs += later.starved_runs;
  fair_runs += later.fair_runs;
  unjudged_runs += later.unjudged_runs;
  steps += later.steps;
  steps_max_seen = std::max(steps_max_seen, later.steps_max_seen);
  enabled_max_seen = std::max(enabled_max_seen, later.enabled_max_seen);
  enabled_max_sum += later.enabled_max_sum;
  return *this;
}

std::optional<double> HuntResult::unseen_probability() const {
  if (search || runs == 0 || distinct_is_lower_bound || strategy == "hitting") return std::nullopt;
  for (const auto& [name, value] : guarantee.inputs) {
    if (name == "indices") return std::nullopt;  // each schedule index once
  }
  return static_cast<double>(traces_seen_once) / static_cast<double>(runs);
}

Verdict HuntResult::verdict() const {
  const bool only_suspected =
      std::all_of(violations.begin(), violations.end(),
                  [](const FoundViolation& found) { return found.violation.is_suspicion(); });
  if (!violations.empty())
    return only_suspected && !liveness.suspicions_fail ? Verdict::suspected : Verdict::violated;
  const bool all_cut = runs > 0 && cut_runs == runs;
  if (runs == 0 || all_cut || unjudged_runs > 0 || !unreached_goals.empty()) return Verdict::unknown;
  if (search && (!complete || !incomplete_because.empty())) return Verdict::unknown;
  return Verdict::ok;
}

int HuntResult::exit_code() const { return exit_code_of(verdict(), interrupted); }

Verdict ExploreResult::verdict() const {
  if (!violations.empty()) return Verdict::violated;
  return complete && unreached_goals.empty() ? Verdict::ok : Verdict::unknown;
}

int ExploreResult::exit_code() const { return exit_code_of(verdict(), interrupted); }

double ExploreResult::omission_probability() const { return -std::expm1(-expected_omissions); }

}  // namespace gainsay
