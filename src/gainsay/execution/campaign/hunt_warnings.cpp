#include "gainsay/execution/campaign/hunt_warnings.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gainsay {
namespace {

bool is_set(const std::vector<bool>& bits, std::size_t index) { return index < bits.size() && bits[index]; }

// Liveness monitors that were told something, and never waited for anything.
void add_heat_warnings(HuntResult& result, const Blueprint& blueprint, const Tally& total) {
  std::size_t m = 0;
  for (const ActorPlan& plan : blueprint.actors) {
    if (!plan.type->monitor) continue;
    const bool silent = is_set(total.notified_monitors, m) && !is_set(total.heated_monitors, m);
    ++m;
    if (silent && plan.type->heat != nullptr) {
      result.warnings.push_back(
          fmt::format("monitor '{}' was never hot, so these runs did not test it", plan.name));
    }
  }
}

// Liveness that was hardly judged.
void add_liveness_warnings(HuntResult& result, const Blueprint& blueprint) {
  if (!blueprint.has_liveness() || result.runs == 0) return;
  if (result.fair_runs == 0) {
    result.warnings.push_back(
        fmt::format("strategy '{}' is not fair: a monitor that stays hot is detected only if an execution "
                    "ends or closes a loop; add a fair suffix (--fair-after N)",
                    result.strategy));
  }
  if (result.cut_runs == result.runs && !result.complete) {
    result.warnings.push_back("no run reached a quiescent state, so monitors were never checked at the end");
  }
}

// Runs that were cut, and who kept them from ending.
void add_cut_warnings(HuntResult& result, const Tally& total) {
  if (const std::uint64_t whole = result.cut_runs - result.starved_runs; whole > 0) {
    result.warnings.push_back(fmt::format("{} of {} runs were cut off at the bound of {} steps (--steps)",
                                          whole, result.runs, result.steps_max));
  }
  if (result.starved_runs > 0) {
    result.warnings.push_back(fmt::format(
        "{} of {} runs were cut off because an unfair schedule starved an actor{} (--unfair-steps)",
        result.starved_runs, result.runs,
        result.scouts.unfair_steps_max
            ? fmt::format(" for {} steps or more", *result.scouts.unfair_steps_max / 2)
            : ""));
  }
  if (total.restless.empty()) return;
  std::vector<std::string> names;
  for (const RestlessTimer& each : total.restless)
    names.push_back(fmt::format("{} of '{}'", each.timer, each.actor));
  const bool one = names.size() == 1;
  result.warnings.push_back(fmt::format(
      "{} {} {} for ever: in the second half of the first run that was cut off, {} fired {} times. To let "
      "executions end, give the timer a budget (world.timer_budget) or halt its actor",
      one ? "timer" : "timers", fmt::join(names, ", "), one ? "re-arms" : "re-arm", one ? "it" : "the first",
      total.restless.front().fired));
}

}  // namespace

std::vector<std::string> vacuity_warnings(const Blueprint& blueprint, const std::vector<bool>& notified,
                                          bool asked) {
  std::vector<std::string> warnings;
  std::size_t monitors = 0;
  for (const ActorPlan& plan : blueprint.actors) {
    if (!plan.type->monitor) continue;
    if (!is_set(notified, monitors++))
      warnings.push_back(fmt::format("monitor '{}' was never notified, so it could not fail (ctx.notify<{}>)",
                                     plan.name, plan.type->name));
  }
  // Who can wait must not wait for ever, whatever else is asked.
  const bool tasks = std::any_of(blueprint.actors.begin(), blueprint.actors.end(),
                                 [](const ActorPlan& plan) { return plan.type->waiting != nullptr; });
  const bool none = monitors == 0 && blueprint.properties.empty() && blueprint.history_properties.empty();
  if (none && !tasks && !asked)
    warnings.emplace_back(
        "this scenario checks nothing: it has no property and no monitor, and no handler called ctx.check");
  return warnings;
}

void add_warnings(HuntResult& result, const Blueprint& blueprint, const Tally& total) {
  add_liveness_warnings(result, blueprint);
  result.warnings.insert(result.warnings.end(), total.warnings.begin(), total.warnings.end());
  const std::vector<bool>& reached = total.reached;
  const bool asked = total.checked || result.runs == 0 || !result.violations.empty();
  for (std::string& warning : vacuity_warnings(blueprint, total.notified_monitors, asked))
    result.warnings.push_back(std::move(warning));
  add_heat_warnings(result, blueprint, total);
  for (std::size_t i = 0; i < blueprint.properties.size(); ++i) {
    const Property& property = blueprint.properties[i];
    if (property.kind != Property::Kind::reached || (i < reached.size() && reached[i])) continue;
    result.unreached_goals.push_back(property.name);
    result.warnings.push_back(fmt::format(
        "goal '{}' was never reached, so these runs may not test what they should", property.name));
  }
  add_cut_warnings(result, total);
  if (result.unjudged_runs > 0)
    result.warnings.push_back(fmt::format(
        "the history of {} of {} runs could not be judged: too many operations were under way at a time. "
        "Record fewer, or give the specification keys or may_reach",
        result.unjudged_runs, result.runs));
  const bool checks_ends = std::any_of(blueprint.properties.begin(), blueprint.properties.end(),
                                       [](const Property& p) { return p.kind == Property::Kind::finally; });
  if (checks_ends && result.runs > 0 && result.cut_runs == result.runs) {
    result.warnings.push_back("no run reached a quiescent state, so 'finally' conditions were never checked");
  }
}

}  // namespace gainsay
