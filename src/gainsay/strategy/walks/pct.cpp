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
  actors_.clear();
  priorities_.clear();
  pending_.clear();
  steps_ = 0;
  crowded_ = false;
  return Keep{};
}

// An actor gets its priority when it is first met.
std::uint32_t PctStrategy::number_of_receiver(const Event& event) {
  const std::uint32_t actor = actors_.of(event.receiver);
  if (actor == priorities_.size()) priorities_.push_back(campaign_.rng().next() | (std::uint64_t{1} << 63U));
  return actor;
}

std::uint32_t PctStrategy::highest(const ChoicePoint& point) const {
  std::uint32_t best = pending_[point.source().position_of(0)];
  for (std::size_t i = 1; i < point.ordinary(); ++i) {
    const std::uint32_t actor = pending_[point.source().position_of(i)];
    if (priorities_[actor] > priorities_[best]) best = actor;
  }
  return best;
}

std::size_t PctStrategy::choose(const ChoicePoint& point) {
  if (point.is_value()) return campaign_.rng().below(point.size());
  pending_.update(point.source(), [&](std::size_t position) {
    return number_of_receiver(point.source().pending_event(position));
  });
  if (const std::size_t fault = roll_fault(point, options_.faults, campaign_.rng()); fault != no_fault)
    return fault;
  GAINSAY_CHECK(point.ordinary() > 0, "something is possible");
  std::uint32_t actor = highest(point);
  if (const std::uint64_t priority = campaign_.points().priority_at(++steps_)) {
    priorities_[actor] = priority;
    actor = highest(point);
  }
  mine_.clear();
  for (std::size_t i = 0; i < point.ordinary(); ++i) {
    if (pending_[point.source().position_of(i)] == actor) mine_.push_back(i);
  }
  crowded_ = crowded_ || mine_.size() > 1;
  const std::size_t index = mine_.size() == 1 ? mine_[0] : mine_[campaign_.rng().below(mine_.size())];
  pending_.take(point.source().position_of(index));
  return index;
}

void PctStrategy::end(const RunEnd& end) {
  campaign_.end(end, {.steps = steps_, .chains = actors_.count(), .crowded = crowded_});
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
