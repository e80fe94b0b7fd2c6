#include "gainsay/strategy/around/fair_suffix.hpp"

namespace gainsay {

std::optional<Keep> FairSuffix::begin(const RunInfo& run) {
  rng_ = Rng(mix(run.seed, 0x66616972), run.index);
  world_ = run.world;
  begun_ = false;
  return inner().begin(run);
}

std::size_t FairSuffix::choose(const ChoicePoint& point) {
  begun_ = begun_ || (!point.is_value() && point.step() >= after_);
  if (!begun_) return inner().choose(point);
  if (point.is_value()) return rng_.below(point.size());
  // Stopping is possible where only timers are left that do not keep the world alive: one more alternative.
  obliged_.clear();
  for (std::size_t i = point.ordinary(); world_.obliges() && i < point.size(); ++i) {
    if (world_.is_obliged(point.kind(i))) obliged_.push_back(i);
  }
  const std::size_t chosen = rng_.below(point.ordinary() + obliged_.size() + (point.may_stop() ? 1 : 0));
  if (chosen < point.ordinary()) return chosen;
  const std::size_t fault = chosen - point.ordinary();
  return fault < obliged_.size() ? obliged_[fault] : point.size() - 1;
}

void FairSuffix::executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) {
  if (!begun_) inner().executed(event, flags, created);
}

void FairSuffix::end(const RunEnd& end) {
  RunEnd with_suffix = end;
  with_suffix.fair_suffix = end.fair_suffix || begun_;
  inner().end(with_suffix);
}

}  // namespace gainsay
