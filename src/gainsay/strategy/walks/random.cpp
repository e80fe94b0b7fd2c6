#include "gainsay/strategy/walks/random.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/walks/faults.hpp"

namespace gainsay {

StrategyInfo random_strategy() {
  return StrategyInfo::of<RandomOptions>(
      "random", "uniformly random choices; fair, no guarantee", StrategyKind::random,
      [](const RandomOptions& options) { return std::make_unique<RandomStrategy>(options); });
}

std::optional<Keep> RandomStrategy::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  obliges_ = run.world.obliges();
  chains_.clear();
  news_.clear();
  actors_.clear();
  return Keep{};
}

std::size_t RandomStrategy::choose(const ChoicePoint& point) {
  if (!point.is_value()) {
    if (const std::size_t fault = roll_fault(point, options_.faults, rng_); fault != no_fault) return fault;
  }
  if (point.is_value() || options_.over == RandomOptions::Over::events) return rng_.below(point.ordinary());
  return options_.over == RandomOptions::Over::actors ? choose_actor(point) : choose_chain(point);
}

std::size_t RandomStrategy::choose_actor(const ChoicePoint& point) {
  const EventSource& source = point.source();
  for (const EventSource::Owner& owner : news_.look(point)) {
    const auto place = std::lower_bound(actors_.begin(), actors_.end(), owner.receiver);
    if (place == actors_.end() || *place != owner.receiver) actors_.insert(place, owner.receiver);
  }
  able_.clear();
  for (const ActorId actor : actors_) {
    if (const std::size_t events = source.count_of(actor, point.ordinary())) able_.push_back({actor, events});
  }
  GAINSAY_CHECK(!able_.empty(), "what is possible is pending");
  const Able& able = able_[rng_.below(able_.size())];
  return source.nth_of(able.actor, rng_.below(able.events), point.ordinary());
}

std::size_t RandomStrategy::choose_chain(const ChoicePoint& point) {
  groups_.clear();
  for (std::size_t i = 0; i < point.ordinary(); ++i) groups_.emplace_back(chain_of(point.event(i).id), i);
  std::sort(groups_.begin(), groups_.end());
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (i == 0 || groups_[i].first != groups_[i - 1].first) ++distinct;
  }
  std::size_t wanted = rng_.below(distinct);
  std::size_t first = 0;
  while (true) {
    std::size_t next = first;
    while (next < groups_.size() && groups_[next].first == groups_[first].first) ++next;
    if (wanted == 0) return groups_[first + rng_.below(next - first)].second;
    --wanted;
    first = next;
  }
}

// An event without a parent begins a chain of its own, named by its id.
std::uint64_t RandomStrategy::chain_of(EventId id) const {
  const auto found =
      std::lower_bound(chains_.begin(), chains_.end(), std::pair<EventId, std::uint64_t>{id, 0});
  return found != chains_.end() && found->first == id ? found->second : id.raw;
}

void RandomStrategy::executed(const Event& event, const EffectFlags&, std::span<const Event> created) {
  const std::uint64_t chain = chain_of(event.id);
  std::erase_if(chains_, [&](const auto& entry) { return entry.first == event.id; });
  for (const Event& child : created) {
    const std::pair<EventId, std::uint64_t> entry{child.id, chain};
    chains_.insert(std::upper_bound(chains_.begin(), chains_.end(), entry), entry);
  }
}

}  // namespace gainsay
