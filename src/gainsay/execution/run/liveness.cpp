#include "gainsay/execution/run/liveness.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/oracle/judge.hpp"

namespace gainsay {
namespace {

constexpr unsigned most_unfounded = 4;

}  // namespace

Liveness::Liveness(Kernel& kernel, Network& network, LivenessOptions options, std::size_t steps_max)
    : kernel_(kernel),
      options_(std::move(options)),
      any_(options_.watch && kernel.blueprint().has_liveness()),
      abstract_(!kernel.blueprint().abstractions.empty()),
      hash_(kernel, network, WorldHash::Through::views) {
  if (options_.temperature == 0) options_.temperature = std::max<std::size_t>(1, steps_max / 2);
  // A short run must have time to close its loop.
  options_.lasso_after = std::min(options_.lasso_after, steps_max / 4);
  if (!options_.expected) return;
  const Violation& expected = *options_.expected;
  if (expected.hot_from != no_step && expected.step != no_step)
    options_.temperature = expected.step + std::size_t{1} - expected.hot_from;
}

void Liveness::begin(const WorldState& world, bool fair) {
  if (!any_) return;
  looked_ = never;
  watch_.clear();
  fair_since_ = fair ? 0 : no_step;
  if (options_.expected && options_.expected->hot_from != no_step) fair_since_ = options_.expected->hot_from;
  feel(world);
}

bool Liveness::is_fresh(const WorldState& world, std::size_t steps) const {
  if (!any_) return true;
  const std::uint32_t since = hottest(world);
  return since == no_step || steps < since + options_.lasso_after;
}

void Liveness::forget() {
  hash_.forget();
  watch_.clear();
}

// After how many steps the longest hot monitor became hot; no_step: all are cold.
std::uint32_t Liveness::hottest(const WorldState& world) const {
  std::uint32_t since = no_step;
  for (const std::uint32_t each : world.hot_since) since = std::min(since, each);
  return since;
}

// Several may be hot; the one that a recorded violation names is looked for first.
ActorId Liveness::hot_monitor(const WorldState& world, std::uint32_t since) const {
  ActorId first = nobody;
  for (std::size_t m = 0; m < world.hot_since.size(); ++m) {
    if (world.hot_since[m] > since) continue;
    const ActorId monitor = kernel_.directory().id_of(kernel_.monitors()[m]);
    if (!options_.expected || kernel_.directory().name_of(monitor) == options_.expected->property)
      return monitor;
    if (first == nobody) first = monitor;
  }
  return first;
}

void Liveness::feel(const WorldState& world) {
  if (!any_) return;
  const std::uint32_t since = hottest(world);
  if (since == no_step) {
    due_ = never;
    watch_.clear();
    return;
  }
  if (options_.expected) {
    due_ = std::min<std::size_t>(options_.expected->loop_from, options_.expected->hot_from);
    if (due_ == no_step) due_ = never;
    return;
  }
  due_ = since + std::min(options_.lasso_after, options_.temperature);
}

std::optional<Violation> Liveness::look(const Run& run) {
  const std::uint32_t since = hottest(run.world);
  if (since == no_step) return std::nullopt;
  if (options_.expected) return look_for_expected(run, since);
  if (run.fair && fair_since_ == no_step) fair_since_ = static_cast<std::uint32_t>(run.steps);
  if (auto violation = look_at_temperature(run, since)) return violation;
  if (run.steps < since + options_.lasso_after) return std::nullopt;
  return look_for_loop(run, since);
}

std::optional<Violation> Liveness::look_for_expected(const Run& run, std::uint32_t since) {
  const Violation& expected = *options_.expected;
  if (expected.loop_from == no_step) return look_at_temperature(run, since);
  if (!hash_.possible(run.world) || run.steps > expected.step + std::size_t{1}) return std::nullopt;
  (void)watch_.note(static_cast<std::uint32_t>(run.steps), hash_.of(run.world), run.enabled(), no_step,
                    run.done);
  if (run.steps != expected.step + std::size_t{1} || since > expected.loop_from) return std::nullopt;
  return watch_.closes(expected.loop_from, run.done) ? loop_violation(run, expected.loop_from) : std::nullopt;
}

std::optional<Violation> Liveness::look_at_temperature(const Run& run, std::uint32_t since) {
  if (fair_since_ == no_step) return std::nullopt;
  const std::uint32_t from = std::max(since, fair_since_);
  if (run.steps < from + options_.temperature) return std::nullopt;
  const ActorId monitor = hot_monitor(run.world, from);
  Violation violation;
  violation.property = run.reader.name(monitor);
  violation.message = fmt::format(
      "the monitor has been hot for {} steps of a fair schedule{}; a suspicion, not a proof: a higher "
      "--temperature may cool it",
      options_.temperature, heat_text(run.reader, monitor));
  violation.step = static_cast<std::uint32_t>(run.steps - 1);
  violation.hot_from = from;
  return violation;
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
  const auto from =
      watch_.note(static_cast<std::uint32_t>(run.steps), hash_.of(run.world), run.enabled(), since, run.done);
  if (!from) return std::nullopt;
  if (auto violation = loop_violation(run, *from)) return violation;
  given_up_ = ++unfounded_ >= most_unfounded;
  return std::nullopt;
}

// No loop is reported before it has been repeated twice.
std::optional<Violation> Liveness::loop_violation(const Run& run, std::uint32_t from) {
  if (!unroll(kernel_.blueprint(), run.decisions(), from, 2)) return std::nullopt;
  const ActorId monitor = hot_monitor(run.world, from);
  Violation violation;
  violation.property = run.reader.name(monitor);
  violation.message = loop_text(heat_text(run.reader, monitor), from, run.steps, abstract_);
  violation.step = static_cast<std::uint32_t>(run.steps - 1);
  violation.loop_from = from;
  return violation;
}

}  // namespace gainsay
