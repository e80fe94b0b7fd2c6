#include "gainsay/execution/run/liveness.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/oracle/heat.hpp"

namespace gainsay {
namespace {

constexpr unsigned most_unfounded = 4;

}  // namespace

Liveness::Liveness(Kernel& kernel, Network& network, LivenessOptions options, std::size_t steps_max)
    : kernel_(kernel),
      options_(std::move(options)),
      fairness_(options_.expected ? options_.expected->fairness : options_.fairness),
      abstract_(!kernel.blueprint().abstractions.empty()),
      may_leave_out_(!abstract_ && kernel.blueprint().history_properties.empty()),
      hash_(kernel, network, WorldHash::Through::views),
      watch_(fairness_) {
  if (options_.watch) conditions_ = kernel.blueprint().liveness();
  if (options_.temperature == 0) options_.temperature = LivenessOptions::default_temperature;
  // A short run must have time to close its loop.
  options_.lasso_after = std::min(options_.lasso_after, steps_max / 4);
}

void Liveness::begin(const WorldState& world, std::size_t steps, bool search) {
  if (conditions_.empty()) return;
  search_ = search && may_leave_out_ && !options_.expected;
  goes_round_ = false;
  counted_ = never;
  looked_ = never;
  if (search_ && watch_.covers(earliest(world), static_cast<std::uint32_t>(steps))) {
    watch_.cut(static_cast<std::uint32_t>(steps));
    if (!watch_.empty()) looked_ = steps - 1;
  } else {
    watch_.clear();
  }
  feel(world);
}

bool Liveness::is_fresh(const WorldState& world, std::size_t steps) const {
  if (conditions_.empty()) return true;
  const std::uint32_t since = earliest(world);
  if (since == no_step || steps < since + lasso_after()) return true;
  return search_ && watch_.covers(since, static_cast<std::uint32_t>(steps));
}

void Liveness::forget() {
  hash_.forget();
  watch_.clear();
}

// After how many steps the first of the conditions that were hot and not cold since became so; no_step: there is none.
std::uint32_t Liveness::earliest(const WorldState& world) const {
  std::uint32_t since = no_step;
  for (const LivenessCondition& condition : conditions_) {
    const HeatSpan& span = world.heat[condition.row];
    if (span.hot_until > 0) since = std::min(since, span.since);
  }
  return since;
}

// Several may be hot; the one that a recorded violation names is looked for first.
const LivenessCondition* Liveness::condition_from(const WorldState& world, std::uint32_t from) const {
  const LivenessCondition* first = nullptr;
  for (const LivenessCondition& condition : conditions_) {
    if (!world.heat[condition.row].counts_from(from)) continue;
    if (!options_.expected || condition.name == options_.expected->property) return &condition;
    if (first == nullptr) first = &condition;
  }
  return first;
}

void Liveness::feel(const WorldState& world) {
  if (conditions_.empty()) return;
  if (options_.expected) {
    due_ = std::min<std::size_t>(options_.expected->loop_from, options_.expected->hot_from);
    if (due_ == no_step) due_ = never;
    return;
  }
  const std::uint32_t since = earliest(world);
  if (since == no_step) {
    due_ = never;
    watch_.clear();
    return;
  }
  due_ = since + lasso_after();
}

std::optional<Violation> Liveness::look(const Run& run) {
  goes_round_ = false;
  if (options_.expected) return look_for_expected(run);
  const std::uint32_t since = earliest(run.world);
  if (since == no_step) return std::nullopt;
  if (auto violation = look_at_temperature(run)) return violation;
  return look_for_loop(run, since);
}

std::optional<Violation> Liveness::look_for_expected(const Run& run) {
  const Violation& expected = *options_.expected;
  if (run.steps > expected.step + std::size_t{1}) return std::nullopt;
  if (expected.loop_from == no_step) {
    count_rounds(run);
    if (run.steps != expected.step + std::size_t{1}) return std::nullopt;
    for (const LivenessCondition& condition : conditions_) {
      if (condition.name == expected.property && rounds_.hot_rounds(condition.row) > 0 &&
          rounds_.hot_from(condition.row) == expected.hot_from)
        return suspicion(run, condition);
    }
    return std::nullopt;
  }
  if (!hash_.possible(run.world)) return std::nullopt;
  (void)watch_.note(static_cast<std::uint32_t>(run.steps), hash_.of(run.world), run.keys(), no_step, {},
                    run.done);
  if (run.steps != expected.step + std::size_t{1}) return std::nullopt;
  if (condition_from(run.world, expected.loop_from) == nullptr) return std::nullopt;
  return watch_.closes(expected.loop_from, run.done) ? loop_violation(run, expected.loop_from) : std::nullopt;
}

void Liveness::count_rounds(const Run& run) {
  const auto steps = static_cast<std::uint32_t>(run.steps);
  if (counted_ == never || counted_ + 1 != run.steps) {
    rounds_.begin(steps, run.world.heat.size(), run.enabled());
  } else {
    rounds_.note(run.done(steps - 1).event, run.enabled(), run.world.heat, steps);
  }
  counted_ = run.steps;
}

Violation Liveness::suspicion(const Run& run, const LivenessCondition& condition) const {
  Violation violation;
  violation.property = condition.name;
  violation.message = fmt::format(
      "{} in each of {} fair rounds and never cold{}; a suspicion, not a proof: it may be cold after more "
      "rounds (--temperature)",
      condition.is_monitor() ? "the monitor has been hot" : "it has failed",
      rounds_.hot_rounds(condition.row), heat_text(kernel_.blueprint(), condition, run.reader));
  violation.step = static_cast<std::uint32_t>(run.steps - 1);
  violation.hot_from = rounds_.hot_from(condition.row);
  return violation;
}

std::optional<Violation> Liveness::look_at_temperature(const Run& run) {
  if (!run.fair) {
    counted_ = never;
    return std::nullopt;
  }
  count_rounds(run);
  for (const LivenessCondition& condition : conditions_) {
    if (rounds_.hot_rounds(condition.row) >= options_.temperature) return suspicion(run, condition);
  }
  return std::nullopt;
}

std::optional<Violation> Liveness::look_for_loop(const Run& run, std::uint32_t since) {
  if (looked_ == never || looked_ + 1 != run.steps) {
    given_up_ = false;
    unfounded_ = 0;
    watch_.clear();
  }
  looked_ = run.steps;
  if (given_up_) return std::nullopt;
  if (!hash_.possible(run.world) || watch_.hopeless()) {
    given_up_ = true;
    watch_.clear();
    return std::nullopt;
  }
  const auto from = watch_.note(static_cast<std::uint32_t>(run.steps), hash_.of(run.world), run.keys(), since,
                                run.world.heat, run.done);
  goes_round_ = search_ && watch_.visits(most_visits) >= most_visits;
  if (!from) return std::nullopt;
  if (auto violation = loop_violation(run, *from)) return violation;
  given_up_ = ++unfounded_ >= most_unfounded;
  return std::nullopt;
}

// No loop is reported before it has been repeated twice.
std::optional<Violation> Liveness::loop_violation(const Run& run, std::uint32_t from) {
  if (!unroll(kernel_.blueprint(), run.decisions(), from, 2)) return std::nullopt;
  const LivenessCondition* condition = condition_from(run.world, from);
  GAINSAY_CHECK(condition != nullptr, "a loop that is a violation has a condition that it violates");
  Violation violation;
  violation.property = condition->name;
  const HeatSpan& span = run.world.heat[condition->row];
  const bool all_along = span.is_hot() && span.hot_since <= from;
  violation.message = loop_text(endless_text(kernel_.blueprint(), *condition, all_along) +
                                    heat_text(kernel_.blueprint(), *condition, run.reader),
                                from, run.steps, fairness_, abstract_);
  violation.step = static_cast<std::uint32_t>(run.steps - 1);
  violation.loop_from = from;
  violation.fairness = fairness_;
  return violation;
}

}  // namespace gainsay
