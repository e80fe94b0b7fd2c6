#include "gainsay/execution/campaign/tally.hpp"

#include <algorithm>
#include <map>

#include "gainsay/base/check.hpp"
#include "gainsay/trace/causes.hpp"

namespace gainsay {

std::string violation_key(const Violation& violation) {
  switch (violation.kind()) {
    case ViolationKind::property:
    case ViolationKind::nondeterminism:
      return violation.property;
    default:
      return violation.property + '\n' + violation.message;
  }
}

std::string symptom_key(const Blueprint& blueprint, const Violation& violation) {
  const auto& histories = blueprint.history_properties;
  const bool of_history = std::any_of(histories.begin(), histories.end(), [&](const HistoryProperty& each) {
    return each.name == violation.property;
  });
  if (of_history || violation.is_nondeterminism()) return violation_key(violation);
  return violation.property + '\n' + without_numbers(violation.message);
}

namespace {

void merge(std::vector<bool>& all, const std::vector<bool>& more) {
  if (all.size() < more.size()) all.resize(more.size(), false);
  for (std::size_t i = 0; i < more.size(); ++i) all[i] = all[i] || more[i];
}

// Timers that were a good part of the second half of a run, and fired there time and again.
std::vector<RestlessTimer> restless_timers(const Execution& execution) {
  constexpr std::uint64_t often = 32;
  constexpr std::size_t named_most = 3;
  const FlatRow<StepRecord>& records = execution.records();
  std::map<std::pair<ActorId, std::uint64_t>, std::pair<EnvelopeId, std::uint64_t>> fired;
  std::uint64_t all = 0;
  for (std::size_t step = records.size() / 2; step < records.size(); ++step) {
    if (records[step].kind != EventKind::timer) continue;
    const Event event = execution.recording().event_of(records[step]);
    auto& [envelope, count] = fired[{event.receiver, event.type}];
    envelope = records[step].envelope;
    ++count;
    ++all;
  }
  std::vector<RestlessTimer> restless;
  for (const auto& [key, seen] : fired) {
    if (seen.second < often || seen.second * 10 < all) continue;
    const Kernel& kernel = execution.kernel();
    restless.push_back({execution.name(key.first),
                        std::string(kernel.value(kernel.envelope(seen.first).message).type->name),
                        seen.second});
  }
  std::stable_sort(restless.begin(), restless.end(),
                   [](const RestlessTimer& a, const RestlessTimer& b) { return a.fired > b.fired; });
  if (restless.size() > named_most) restless.resize(named_most);
  return restless;
}

}  // namespace

TalliedViolation* Tally::find(const std::string& key) {
  const auto found = std::find_if(violations.begin(), violations.end(),
                                  [&](const TalliedViolation& v) { return v.key == key; });
  return found == violations.end() ? nullptr : &*found;
}

void Tally::add(std::uint64_t run, const RunOutcome& outcome, const Execution& execution,
                std::size_t steps_max, OneFinding one_finding) {
  RunCounts one;
  one.runs = 1;
  one.steps = outcome.steps;
  one.steps_max_seen = outcome.steps;
  one.enabled_max_seen = outcome.enabled_max;
  one.enabled_max_sum = outcome.enabled_max;
  one.cut_runs = outcome.ending == Ending::step_bound || outcome.cut ? 1 : 0;
  one.starved_runs = outcome.ending == Ending::step_bound && outcome.steps < steps_max ? 1 : 0;
  one.fair_runs = outcome.fair ? 1 : 0;
  one.unjudged_runs = outcome.unjudged ? 1 : 0;
  one.buggy_runs = outcome.violation ? 1 : 0;
  counts += one;
  trace_classes.push_back(outcome.trace_class);
  if (one.cut_runs > 0 && restless.empty()) restless = restless_timers(execution);
  if (!outcome.violation) return;
  const std::string key = one_finding == OneFinding::by_text
                              ? symptom_key(execution.kernel().blueprint(), *outcome.violation)
                              : violation_key(*outcome.violation);
  if (TalliedViolation* known = find(key)) {
    ++known->runs;
  } else {
    violations.push_back({key, *outcome.violation, 1, run, execution.trace().decisions()});
  }
  GAINSAY_CHECK(violations.size() <= counts.buggy_runs, "every finding has a run");
}

void Tally::note_seen(Execution& execution) {
  reached = execution.judge().reached();
  notified_monitors = execution.notified_monitors();
  heated_monitors = execution.heated_monitors();
  checked = execution.kernel().checked();
  coverage = execution.kernel().coverage();
  warnings = execution.kernel().warnings();
}

Tally& Tally::operator+=(const Tally& later) {
  counts += later.counts;
  for (const TalliedViolation& violation : later.violations) {
    if (TalliedViolation* known = find(violation.key)) {
      known->runs += violation.runs;
    } else {
      violations.push_back(violation);
    }
  }
  if (restless.empty()) restless = later.restless;
  checked = checked || later.checked;
  coverage += later.coverage;
  warnings.insert(later.warnings.begin(), later.warnings.end());
  merge(reached, later.reached);
  merge(notified_monitors, later.notified_monitors);
  merge(heated_monitors, later.heated_monitors);
  GAINSAY_CHECK(violations.size() <= counts.buggy_runs, "every finding has a run");
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
