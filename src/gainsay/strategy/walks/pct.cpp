#include "gainsay/strategy/walks/pct.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/walks/faults.hpp"

namespace gainsay {

StrategyInfo pct_strategy() {
  return StrategyInfo::of<PctOptions>(
      "pct", "random priorities of actors, d - 1 change points; a bound under mailbox order",
      StrategyKind::random, [](const PctOptions& options) { return std::make_unique<PctStrategy>(options); });
}

std::optional<Keep> PctStrategy::begin(const RunInfo& run) {
  campaign_.begin(run);
  asked_ = stop_drawn_ = false;
  fault_points_ = 0;
  priorities_.clear();
  pending_.clear();
  steps_ = 0;
  crowded_ = false;
  return Keep{};
}

// The highest actor that can do something. Where many events are possible, the actors are asked from the highest down;
// where few are, those are looked at.
std::uint32_t PctStrategy::highest(const ChoicePoint& point, const Possible& possible) {
  constexpr std::uint32_t none = PendingByActor<Nothing>::no_actor;
  const auto higher = [&](std::uint32_t actor, std::uint32_t best) {
    return best == none || priorities_[actor] > priorities_[best];
  };
  std::uint32_t best = none;
  if (!possible.all() && point.ordinary() <= pending_.actors()) {
    for (std::size_t i = 0; i < point.ordinary(); ++i) {
      const std::uint32_t actor = pending_.actor_at(point.source().position_of(i));
      if (higher(actor, best)) best = actor;
    }
    return best;
  }
  hopeless_.assign(pending_.actors(), false);
  while (true) {
    best = none;
    for (std::uint32_t actor = 0; actor < pending_.actors(); ++actor) {
      if (!hopeless_[actor] && !pending_.of(actor).empty() && higher(actor, best)) best = actor;
    }
    GAINSAY_CHECK(best != none, "what is possible is pending");
    if (pending_.any_possible(best, possible)) return best;
    hopeless_[best] = true;
  }
}

std::size_t PctStrategy::choose(const ChoicePoint& point) {
  Rng& rng = campaign_.rng();
  if (point.is_value()) {
    asked_ = true;
    return rng.below(point.size());
  }
  if (point.ordinary() < point.size() && campaign_.world().faulty) {
    fault_points_ += point.ordinary() > 0 ? 1 : 0;
    stop_drawn_ = stop_drawn_ || (point.ordinary() == 0 && point.size() > 1);
  }
  pending_.update(point.source(), [&](std::uint32_t actor) {
    if (actor == priorities_.size()) priorities_.push_back(rng.next() | (std::uint64_t{1} << 63U));
    return Nothing{};
  });
  if (const std::size_t fault = roll_fault(point, options_.faults, rng); fault != no_fault) return fault;
  GAINSAY_CHECK(point.ordinary() > 0, "something is possible");
  const Possible possible(point);
  std::uint32_t actor = highest(point, possible);
  if (const std::uint64_t priority = campaign_.points().priority_at(++steps_)) {
    priorities_[actor] = priority;
    actor = highest(point, possible);
  }
  const std::size_t count = pending_.count_possible(actor, possible);
  crowded_ = crowded_ || count > 1;
  const std::size_t position =
      pending_.nth_possible(actor, count == 1 ? 0 : static_cast<std::size_t>(rng.below(count)), possible);
  pending_.take(position);
  return possible.index_of(position);
}

void PctStrategy::end(const RunEnd& end) {
  campaign_.end(end, {.steps = steps_,
                      .chains = pending_.actors(),
                      .crowded = crowded_,
                      .asked = asked_,
                      .fault_rate = campaign_.world().faulty ? options_.faults : 0,
                      .fault_points = fault_points_,
                      .stop_drawn = stop_drawn_});
}

Guarantee PctStrategy::guarantee() const {
  if (!campaign_.learned().mailbox) {
    Guarantee none;
    none.statement =
        "none: messages to one actor may overtake each other, so actors are not what threads are to PCT "
        "(mailbox order has a bound, and so has pctcp)";
    return none;
  }
  return campaign_.guarantee("actor");
}

}  // namespace gainsay
