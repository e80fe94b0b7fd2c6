#include "gainsay/strategy/walks/pos.hpp"

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/walks/faults.hpp"

namespace gainsay {

StrategyInfo pos_strategy() {
  return StrategyInfo::of<PosOptions>(
      "pos", "partial order sampling: random priorities, drawn anew after a race; no bound known",
      StrategyKind::random, [](const PosOptions& options) { return std::make_unique<PosStrategy>(options); });
}

std::optional<Keep> PosStrategy::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  pending_.clear();
  best_.clear();
  raced_ = Pending::no_actor;
  return Keep{};
}

void PosStrategy::redraw(std::uint32_t actor) {
  Best best;
  for (const Pending::Slot slot : pending_.of(actor)) {
    const std::uint64_t priority = rng_.next();
    pending_.item(slot) = priority;
    if (priority >= best.priority) best = {priority, slot, false};
  }
  best_[actor] = best;
}

void PosStrategy::find_best(std::uint32_t actor) {
  Best best;
  for (const Pending::Slot slot : pending_.of(actor)) {
    if (pending_.item(slot) >= best.priority) best = {pending_.item(slot), slot, false};
  }
  best_[actor] = best;
}

std::size_t PosStrategy::choose(const ChoicePoint& point) {
  if (point.is_value()) return rng_.below(point.size());
  if (raced_ != Pending::no_actor) redraw(raced_);
  raced_ = Pending::no_actor;
  pending_.update(
      point.source(),
      [&](std::uint32_t actor) {
        if (actor >= best_.size()) best_.resize(actor + 1);
        return rng_.next();
      },
      [&](std::uint32_t actor, Pending::Slot slot) {
        const std::uint64_t priority = pending_.item(slot);
        if (pending_.of(actor).size() == 1 || priority > best_[actor].priority)
          best_[actor] = {priority, slot, false};
      },
      [&] {
        for (std::uint32_t actor = 0; actor < pending_.actors(); ++actor) find_best(actor);
      });
  if (const std::size_t fault = roll_fault(point, options_.faults, rng_); fault != no_fault) {
    // A crash or a loss races with what its receiver is about to handle.
    raced_ = pending_.number_of(point.event(fault).receiver);
    return fault;
  }
  GAINSAY_CHECK(point.ordinary() > 0, "something is possible");
  const Possible possible(point);
  const std::size_t at = highest(point, possible);
  const std::size_t index = possible.index_of(at);
  GAINSAY_CHECK(index != Possible::no_index, "the highest is possible");
  raced_ = pending_.take(at);
  return index;
}

std::size_t PosStrategy::highest_of_few(const ChoicePoint& point) const {
  std::size_t at = point.source().position_of(0);
  for (std::size_t i = 1; i < point.ordinary(); ++i) {
    const std::size_t position = point.source().position_of(i);
    if (pending_.at(position) > pending_.at(at)) at = position;
  }
  return at;
}

// The position of the highest possible event. Where many are possible, each actor's highest is asked first, from the
// highest down; where few are, those are looked at.
std::size_t PosStrategy::highest(const ChoicePoint& point, const Possible& possible) {
  if (possible.all()) {
    std::size_t top = 0;  // without branches that nobody could predict
    for (std::size_t i = 1; i < pending_.actors(); ++i)
      top = best_[i].priority > best_[top].priority ? i : top;
    if (best_[top].priority != 0) return pending_.position(best_[top].slot);
  } else if (point.ordinary() <= pending_.actors()) {
    return highest_of_few(point);
  }
  for (Best& best : best_) best.looked_at = false;
  std::size_t found = Possible::no_index;
  while (true) {
    std::uint32_t actor = Pending::no_actor;
    for (std::uint32_t i = 0; i < pending_.actors(); ++i) {
      if (best_[i].looked_at || pending_.of(i).empty()) continue;
      if (actor == Pending::no_actor || best_[i].priority > best_[actor].priority) actor = i;
    }
    if (actor == Pending::no_actor) break;
    if (found != Possible::no_index && pending_.at(found) >= best_[actor].priority) break;
    best_[actor].looked_at = true;
    const std::size_t top = pending_.position(best_[actor].slot);
    if (possible.index_of(top) != Possible::no_index) {
      found = top;
      break;  // nobody has a higher one
    }
    if (point.ordinary() <= 4 * pending_.of(actor).size()) return highest_of_few(point);
    for (const Pending::Slot slot : pending_.of(actor)) {
      if (found != Possible::no_index && pending_.item(slot) <= pending_.at(found)) continue;
      const std::size_t position = pending_.position(slot);
      if (possible.index_of(position) != Possible::no_index) found = position;
    }
  }
  GAINSAY_CHECK(found != Possible::no_index, "what is possible is pending");
  return found;
}

}  // namespace gainsay
