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
  raced_ = nobody;
  return Keep{};
}

std::size_t PosStrategy::choose(const ChoicePoint& point) {
  if (point.is_value()) return rng_.below(point.size());
  const EventSource& source = point.source();
  if (raced_ != nobody) {
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (pending_[i].receiver == raced_) pending_[i].priority = rng_.next();
    }
    raced_ = nobody;
  }
  pending_.update(source, [&](std::size_t position) {
    return Item{rng_.next(), source.pending_event(position).receiver};
  });
  if (const std::size_t fault = roll_fault(point, options_.faults, rng_); fault != no_fault) {
    const Event event = point.event(fault);
    raced_ = event.receiver;  // a crash or a loss races with what its receiver is about to handle
    return fault;
  }
  GAINSAY_CHECK(point.ordinary() > 0, "something is possible");
  std::size_t best = 0;
  std::size_t at = source.position_of(0);
  for (std::size_t i = 1; i < point.ordinary(); ++i) {
    const std::size_t position = source.position_of(i);
    if (pending_[position].priority > pending_[at].priority) {
      best = i;
      at = position;
    }
  }
  raced_ = pending_.take(at).receiver;
  return best;
}

}  // namespace gainsay
