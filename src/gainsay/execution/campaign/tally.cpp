#include "gainsay/execution/campaign/tally.hpp"

#include <algorithm>

namespace gainsay {

std::string violation_key(const Violation& violation) {
  const bool by_text = violation.property == "check" || violation.property == "unhandled message" ||
                       violation.property == "exception" || violation.property == "bad send" ||
                       violation.property == "bad transition";
  return by_text ? violation.property + '\n' + violation.message : violation.property;
}

namespace {

void merge(std::vector<bool>& all, const std::vector<bool>& more) {
  if (all.size() < more.size()) all.resize(more.size(), false);
  for (std::size_t i = 0; i < more.size(); ++i) all[i] = all[i] || more[i];
}

}  // namespace

TalliedViolation* Tally::find(const std::string& key) {
  const auto found = std::find_if(violations.begin(), violations.end(),
                                  [&](const TalliedViolation& v) { return v.key == key; });
  return found == violations.end() ? nullptr : &*found;
}

void Tally::add(std::uint64_t run, const RunOutcome& outcome, const Execution& execution) {
  ++runs;
  steps += outcome.steps;
  steps_max = std::max<std::uint64_t>(steps_max, outcome.steps);
  enabled_max = std::max<std::uint64_t>(enabled_max, outcome.enabled_max);
  enabled_max_sum += outcome.enabled_max;
  trace_classes.push_back(outcome.trace_class);
  if (outcome.ending == Ending::step_bound || outcome.cut) ++cut_runs;
  if (outcome.fair) ++fair_runs;
  if (!outcome.violation) return;
  ++buggy_runs;
  const std::string key = violation_key(*outcome.violation);
  if (TalliedViolation* known = find(key)) {
    ++known->runs;
  } else {
    violations.push_back({key, *outcome.violation, 1, run, execution.trace().decisions()});
  }
}

Tally& Tally::operator+=(const Tally& later) {
  runs += later.runs;
  blocked_runs += later.blocked_runs;
  buggy_runs += later.buggy_runs;
  cut_runs += later.cut_runs;
  fair_runs += later.fair_runs;
  steps += later.steps;
  steps_max = std::max(steps_max, later.steps_max);
  enabled_max = std::max(enabled_max, later.enabled_max);
  enabled_max_sum += later.enabled_max_sum;
  for (const TalliedViolation& violation : later.violations) {
    if (TalliedViolation* known = find(violation.key)) {
      known->runs += violation.runs;
    } else {
      violations.push_back(violation);
    }
  }
  coverage += later.coverage;
  merge(reached, later.reached);
  merge(notified_monitors, later.notified_monitors);
  merge(heated_monitors, later.heated_monitors);
  return *this;
}

void DistinctTraces::add(std::span<const std::uint64_t> classes) {
  for (const std::uint64_t each : classes) {
    if (seen_.size() < most) {
      const auto [found, fresh] = seen_.try_emplace(each, false);
      if (fresh) {
        set_hash_ += scramble(each);
        ++once_;
      } else if (!found->second) {
        found->second = true;
        --once_;
      }
    } else if (!seen_.contains(each)) {
      full_ = true;
    }
  }
}

}  // namespace gainsay
