#include "gainsay/execution/campaign/shrink_violation.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "gainsay/base/check.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/strategy/follow/approximate.hpp"
#include "gainsay/trace/causes.hpp"

namespace gainsay {
namespace {

constexpr std::size_t kept_bytes_max = std::size_t{1} << 28U;
constexpr std::uint64_t walks_max = 20'000;  // that find nothing shorter, one after the other

std::ptrdiff_t cuts_in(const std::vector<Step>& steps) {
  return std::count_if(steps.begin(), steps.end(), [](const Step& step) {
    return step.event.kind == EventKind::partition || step.event.kind == EventKind::isolate;
  });
}

// Who decides the violation, where that is known.
std::vector<ActorId> concerned_by(const Blueprint& blueprint, const Violation& violation) {
  std::vector<ActorId> actors;
  for (const Property& property : blueprint.properties) {
    if (property.name == violation.property) actors = property.scope;
  }
  if (violation.actor != nobody) actors.push_back(violation.actor);
  return actors;
}

// Which events a walk may take: those like one of the execution (of the same kind, actor, sender and message type);
// those of its kinds and types at any actor, without some kinds and types that are drawn for the walk, because the
// shortest way often does without a whole phase; or any.
enum class Among : std::uint8_t { like, some_kinds, all };

// A random walk among such events. It prefers answers that were given before, and is cut where nothing is possible.
class LikeWalk final : public Strategy {
 public:
  LikeWalk(const std::vector<Step>& steps, std::uint64_t seed, std::size_t steps_most, bool cut_at_end,
           Among among)
      : rng_(seed), steps_most_(steps_most), cut_at_end_(cut_at_end), among_(among) {
    std::map<Key, bool> drawn;
    for (const Step& step : steps) {
      const Key key = key_of(step.event);
      // Of five kinds that a way needs, three quarters of the walks have each: 0.24 of them have all.
      if (among != Among::some_kinds || drawn.try_emplace(key, rng_.chance(3, 4)).first->second)
        alike_.insert(key);
      for (const DataChoice& choice : step.choices) {
        if (!choice.is_time && !choice.late) answers_.insert({choice.among, choice.answer});
      }
    }
  }

  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }
  std::size_t choose(const ChoicePoint& point) override {
    if (point.is_value()) return answer(point.size());
    if (point.step() >= steps_most_) return cut_run;
    possible_.clear();
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (among_ == Among::all || alike_.contains(key_of(point.event(i)))) possible_.push_back(i);
    }
    if (possible_.empty()) {
      if (cut_at_end_) return cut_run;
      return point.may_stop() ? point.size() - 1 : rng_.below(point.size());
    }
    return possible_[rng_.below(possible_.size())];
  }

 private:
  using Key = std::tuple<EventKind, ActorId, ActorId, std::uint64_t>;
  Key key_of(const Event& event) const {
    const bool anybody = among_ == Among::some_kinds;
    return {scheduled_as(event.kind), anybody ? nobody : event.receiver, anybody ? nobody : event.sender,
            event.type};
  }
  std::size_t answer(std::size_t among) {
    std::vector<std::size_t> before;
    for (const auto& [of, given] : answers_) {
      if (of == among) before.push_back(given);
    }
    if (before.empty() || rng_.chance(1, 4)) return rng_.below(among);
    return before[rng_.below(before.size())];
  }

  std::set<Key> alike_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> answers_;
  std::vector<std::size_t> possible_;  // scratch
  Rng rng_;
  std::size_t steps_most_;
  bool cut_at_end_;
  Among among_;
};

class ViolationShrinker {
 public:
  ViolationShrinker(const Blueprint& blueprint, const Violation& violation, std::size_t steps,
                    const ShrinkOptions& options)
      : options_(options),
        shows_(shows_where(blueprint, violation)),
        plan_{concerned_by(blueprint, violation), [this] { return is_spent(); }},
        execution_(blueprint, shrinking_options(violation, steps)) {
    result_.violation = violation;
  }

  ShrunkViolation run(const std::vector<Decision>& steps) {
    {
      ApproximateStrategy strategy(steps);
      const auto recorded = judged(strategy, ~std::size_t{0});
      GAINSAY_CHECK(recorded.has_value(), "what is shrunk shows its violation");
      cuts_ = cuts_in(*recorded);
      result_.shrunk.steps = *recorded;
    }
    leave_out(result_.shrunk.steps);
    for (std::uint64_t seed = 1, walks = 0; walks < walks_max && !is_over(); ++seed, ++walks) {
      const std::size_t size = result_.shrunk.steps.size();
      if (size < 2 || walked_ >= options_.walking_steps_max) break;
      LikeWalk walk(result_.shrunk.steps, seed, size - 1, shows_ != Shows::at_the_end,
                    seed % 3 == 0   ? Among::all
                    : seed % 3 == 1 ? Among::like
                                    : Among::some_kinds);
      const std::uint64_t before = executed_;
      const auto shorter = judged(walk, size - 1);
      walked_ += executed_ - before + 1;
      if (!shorter) continue;
      leave_out(*shorter);
      walks = 0;
    }
    ApproximateStrategy strategy(result_.shrunk.decisions());
    (void)judged(strategy, ~std::size_t{0});  // the last attempt need not be the one that was kept
    return std::move(result_);
  }

 private:
  bool is_over() const { return options_.budget.is_over(); }
  bool is_spent() const { return executed_ - left_out_from_ >= options_.leaving_steps_max || is_over(); }

  void leave_out(std::vector<Step> steps) {
    left_out_from_ = executed_;
    const std::size_t attempts = result_.shrunk.attempts;
    const auto at_end = shows_ == Shows::at_the_end || shows_ == Shows::in_a_loop
                            ? ApproximateStrategy::AtEnd::go_on
                            : ApproximateStrategy::AtEnd::cut;
    result_.shrunk = shrink(
        std::move(steps),
        [&](const ShrinkAttempt& attempt) {
          ApproximateStrategy strategy(attempt.steps, {at_end, attempt.stand_ins, attempt.steps_most});
          return judged(strategy, attempt.steps_most);
        },
        plan_);
    result_.shrunk.attempts += attempts;
  }

  bool shows_the_same(const Violation& violation) const {
    return is_same_violation(violation, result_.violation) &&
           (!options_.same_text || symptom_key(execution_.kernel().blueprint(), violation) ==
                                       symptom_key(execution_.kernel().blueprint(), result_.violation));
  }

  // The executed steps, where they show the violation and are at most so many.
  std::optional<std::vector<Step>> judged(Strategy& strategy, std::size_t steps_most) {
    strategy.begin({});
    std::optional<Violation> violation = execution_.run(strategy, Keep{}).violation;
    executed_ += execution_.steps() + 1;
    std::optional<std::vector<Step>> steps;
    if (violation && shows_the_same(*violation)) {
      steps = execution_.trace().steps;
      if (shows_ == Shows::in_a_prefix) {
        const auto certain =
            execution_.judge().first_certain(violation->property, execution_.history(), execution_);
        GAINSAY_CHECK(certain && certain->steps <= steps->size(), "what clients saw was wrong");
        steps->resize(certain->steps);
        violation = certain->violation;
      }
      if (steps->size() > steps_most || (options_.cuts == Cutbacks::keep_cuts && cuts_in(*steps) < cuts_))
        steps.reset();
    }
    if (steps) result_.violation = *violation;
    execution_.tidy(kept_bytes_max);
    return steps;
  }

  ShrinkOptions options_;
  Shows shows_;
  ShrinkPlan plan_;
  Execution execution_;
  std::uint64_t executed_ = 0;  // steps
  std::uint64_t left_out_from_ = 0;
  std::uint64_t walked_ = 0;
  std::ptrdiff_t cuts_ = 0;
  ShrunkViolation result_;
};

}  // namespace

bool is_same_violation(const Violation& a, const Violation& b) {
  return without_numbers(violation_key(a)) == without_numbers(violation_key(b)) &&
         (a.loop_from == no_step) == (b.loop_from == no_step);
}

ExecutionOptions shrinking_options(const Violation& violation, std::size_t steps) {
  ExecutionOptions options;
  options.steps_max = std::max<std::size_t>(steps, 1);
  options.liveness.watch = violation.loop_from != no_step;
  options.liveness.lasso_after = 0;
  options.liveness.fairness = violation.fairness;
  options.liveness.temperature = steps + 1;
  return options;
}

ShrunkViolation shrink_violation(const Blueprint& blueprint, const std::vector<Decision>& steps,
                                 const Violation& violation, const ShrinkOptions& options) {
  if (!violation.is_suspicion()) {
    return ViolationShrinker(blueprint, violation, steps.size(), options).run(steps);
  }
  Execution execution(blueprint, replay_options(std::max<std::size_t>(steps.size(), 1), violation));
  ApproximateStrategy strategy(steps);
  strategy.begin({});
  (void)execution.run(strategy, Keep{});
  return {{execution.trace().steps, 0, true}, violation};
}

}  // namespace gainsay
