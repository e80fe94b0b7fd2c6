#include "gainsay/strategy/around/swarm.hpp"

#include <numeric>

#include "gainsay/base/check.hpp"

namespace gainsay {

std::optional<Keep> SwarmStrategy::begin(const RunInfo& run) {
  rng_ = Rng(mix(run.seed, 0x737761726d), run.index);
  run_hash_ = rng_.next();
  for (std::size_t kind = 0; kind < event_kinds; ++kind)
    left_[kind] = static_cast<std::uint32_t>(rng_.below(std::uint64_t{run.world.budgets[kind]} + 1));
  world_ = run.world;
  pending_.clear();
  draws_.clear();
  next_draw_ = 0;
  return inner().begin(run);
}

std::uint8_t SwarmStrategy::halvings(const Event& event) const {
  static constexpr std::uint8_t drawn[] = {0, 1, 3};
  return drawn[scramble(mix(mix(run_hash_, event.receiver.raw), event.type)) % 3];
}

double SwarmStrategy::weight(const Event& event) const { return 1.0 / (1U << halvings(event)); }

// Each with the probability that is its weight. Nobody can predict which, so there are no branches: what is not shown
// is overwritten, and what needs no draw leaves it to the next one.
void SwarmStrategy::show_ordinary(const ChoicePoint& point) {
  static constexpr std::uint64_t one = std::uint64_t{1} << 53U;  // draws of 53 bits are below it
  static constexpr std::uint64_t shares[] = {one, one / 2, one / 4, one / 8};
  const std::size_t count = point.ordinary();
  if (draws_.size() - next_draw_ < count) {
    draws_.erase(draws_.begin(), draws_.begin() + static_cast<std::ptrdiff_t>(next_draw_));
    next_draw_ = 0;
    while (draws_.size() < count + 256) draws_.push_back(rng_.next() >> 11U);
  }
  shown_.resize(count);
  std::size_t shown = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t halved = pending_[point.source().position_of(i)];
    shown_[shown] = i;
    shown += draws_[next_draw_] < shares[halved] ? 1 : 0;
    next_draw_ += halved != 0 ? 1 : 0;
  }
  if (shown > 0) {
    shown_.resize(shown);
  } else {
    std::iota(shown_.begin(), shown_.end(), std::size_t{0});
  }
}

std::size_t SwarmStrategy::choose(const ChoicePoint& point) {
  if (point.is_value()) return inner().choose(point);
  pending_.update(point.source(),
                  [&](std::size_t position) { return halvings(point.source().pending_event(position)); });
  show_ordinary(point);
  faults_.clear();
  for (std::size_t i = point.ordinary(); i < point.size();) {
    const EventKind kind = point.kind(i);
    const std::size_t end = point.source().kind_end(i, point.size());
    const bool free = kind == EventKind::stop || kind == EventKind::heal || world_.is_obliged(kind);
    if (free || left_[static_cast<std::size_t>(kind)] > 0) faults_.push_back({i, end});
    i = end;
  }
  const SomeEvents source(point.source(), shown_, faults_);
  const std::size_t count = source.size();
  GAINSAY_CHECK(count > 0, "where nothing ordinary is possible, stopping is");
  const std::size_t chosen = inner().choose(ChoicePoint::events(source, point.step(), count, shown_.size()));
  GAINSAY_CHECK(chosen < count, "a strategy chooses what it sees");
  const std::size_t index = source.index_in_all(chosen);
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
