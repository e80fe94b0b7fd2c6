#include "gainsay/strategy/pct.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/faults.hpp"

namespace gainsay {

StrategyInfo pct_strategy() {
  return StrategyInfo::of<PctOptions>(
      "pct", "random priorities of actors, d - 1 change points; a bound under mailbox order",
      StrategyKind::random, [](const PctOptions& options) { return std::make_unique<PctStrategy>(options); });
}

std::optional<Keep> PctStrategy::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  world_ = run.world;
  scout_ = run.scout;
  n_ = options_.n != 0 ? options_.n : learned_.steps_max;
  points_.draw(scout_ ? 0 : options_.depth - 1, n_, rng_);
  actors_.clear();
  priorities_.clear();
  pending_.clear();
  steps_ = 0;
  crowded_ = false;
  return Keep{};
}

std::uint32_t PctStrategy::born(const Event& event) {
  const std::uint32_t actor = actors_.of(event.receiver);
  if (actor == priorities_.size()) priorities_.push_back(rng_.next() | (std::uint64_t{1} << 63U));
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
  if (point.is_value()) return rng_.below(point.size());
  pending_.follow(point.source(),
                  [&](std::size_t position) { return born(point.source().pending_event(position)); });
  if (const std::size_t fault = roll_fault(point, options_.faults, rng_); fault != no_fault) return fault;
  GAINSAY_CHECK(point.ordinary() > 0, "something is possible");
  std::uint32_t actor = highest(point);
  if (const std::uint64_t priority = points_.priority_at(++steps_)) {
    priorities_[actor] = priority;
    actor = highest(point);
  }
  mine_.clear();
  for (std::size_t i = 0; i < point.ordinary(); ++i) {
    if (pending_[point.source().position_of(i)] == actor) mine_.push_back(i);
  }
  crowded_ = crowded_ || mine_.size() > 1;
  const std::size_t index = mine_.size() == 1 ? mine_[0] : mine_[rng_.below(mine_.size())];
  pending_.take(point.source().position_of(index));
  return index;
}

void PctStrategy::end(const RunEnd& end) {
  if (end.ending == Ending::interrupted) return;
  if (scout_) {
    lessons_.scouted = true;
    lessons_.steps_max = std::max(lessons_.steps_max, steps_);
    return;
  }
  const std::uint64_t drawn_from = options_.depth == 1 ? ~std::uint64_t{0} : n_;
  add_run(lessons_, {drawn_from, steps_, actors_.count(), false, end.fair_suffix, crowded_}, world_);
}

std::unique_ptr<Lessons> PctStrategy::take_lessons() {
  auto taken = std::make_unique<PriorityLessons>(lessons_);
  lessons_ = PriorityLessons{};
  return taken;
}

void PctStrategy::learn(const Lessons& all) { learned_ = dynamic_cast<const PriorityLessons&>(all); }

Guarantee PctStrategy::guarantee() const {
  if (!learned_.mailbox) {
    Guarantee none;
    none.statement =
        "none: messages to one actor may overtake each other, so actors are not what threads are to PCT "
        "(mailbox order has a bound, and so has pctcp)";
    return none;
  }
  return priority_bound(learned_, options_.depth, options_.n, "actor");
}

}  // namespace gainsay
