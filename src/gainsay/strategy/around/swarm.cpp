#include "gainsay/strategy/around/swarm.hpp"

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/some_events.hpp"

namespace gainsay {

std::optional<Keep> SwarmStrategy::begin(const RunInfo& run) {
  rng_ = Rng(mix(run.seed, 0x737761726d), run.index);
  run_hash_ = rng_.next();
  for (std::size_t kind = 0; kind < event_kinds; ++kind)
    left_[kind] = static_cast<std::uint32_t>(rng_.below(std::uint64_t{run.world.budgets[kind]} + 1));
  world_ = run.world;
  pending_.clear();
  return inner().begin(run);
}

std::uint8_t SwarmStrategy::halvings(const Event& event) const {
  static constexpr std::uint8_t drawn[] = {0, 1, 3};
  return drawn[scramble(mix(mix(run_hash_, event.receiver.raw), event.type)) % 3];
}

double SwarmStrategy::weight(const Event& event) const { return 1.0 / (1U << halvings(event)); }

std::size_t SwarmStrategy::choose(const ChoicePoint& point) {
  if (point.is_value()) return inner().choose(point);
  static constexpr double shares[] = {1, 0.5, 0.25, 0.125};
  shown_.clear();
  pending_.update(point.source(),
                  [&](std::size_t position) { return halvings(point.source().pending_event(position)); });
  for (std::size_t i = 0; i < point.ordinary(); ++i) {
    const std::uint8_t halved = pending_[point.source().position_of(i)];
    if (halved == 0 || rng_.unit() < shares[halved]) shown_.push_back(i);
  }
  if (shown_.empty()) {
    for (std::size_t i = 0; i < point.ordinary(); ++i) shown_.push_back(i);
  }
  const std::size_t ordinary = shown_.size();
  for (std::size_t i = point.ordinary(); i < point.size();) {
    const EventKind kind = point.kind(i);
    const std::size_t end = point.source().kind_end(i, point.size());
    const bool free = kind == EventKind::stop || kind == EventKind::heal || world_.is_obliged(kind);
    if (!free && left_[static_cast<std::size_t>(kind)] == 0) i = end;
    while (i < end) shown_.push_back(i++);
  }
  GAINSAY_CHECK(!shown_.empty(), "where nothing ordinary is possible, stopping is");
  const SomeEvents source(point.source(), shown_);
  const std::size_t chosen =
      inner().choose(ChoicePoint::events(source, point.step(), shown_.size(), ordinary));
  GAINSAY_CHECK(chosen < shown_.size(), "a strategy chooses what it sees");
  const std::size_t index = shown_[chosen];
  if (index < point.ordinary()) {
    pending_.take(point.source().position_of(index));
  } else {
    std::uint32_t& left = left_[static_cast<std::size_t>(point.kind(index))];
    if (left > 0) --left;
  }
  return index;
}

Guarantee SwarmStrategy::guarantee() const {
  Guarantee none;
  none.statement = "none: --swarm changes what may happen in each run";
  return none;
}

}  // namespace gainsay
