// random: at every step, an enabled event chosen uniformly; fair over events, without a guarantee.
//
// `over=events` picks among events, `over=actors` first among receivers and then among their events,
// `over=chains` first among causal chains (everything that descends from one outside message or start) and
// then within. Faults are weighed apart (strategy/walks/faults.hpp).
#pragma once

#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/strategy.hpp"
#include "gainsay/strategy/walks/new_events.hpp"

namespace gainsay {

struct RandomOptions {
  enum class Over { events, actors, chains };
  Over over = Over::events;
  double faults = 0.0625;

  static void describe(Describe<RandomOptions>& d) {
    d.field(&RandomOptions::over, "choose uniformly among events, receivers or causal chains");
    d.field(&RandomOptions::faults, "probability that a step is a fault, if one is possible").range(0, 1);
  }
};

class RandomStrategy final : public Strategy {
 public:
  explicit RandomStrategy(RandomOptions options) : options_(options) {}

  Needs needs() const override {
    return {.backtracking = false, .executed = options_.over == RandomOptions::Over::chains};
  }
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  void executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) override;
  // With faults=1 a possible fault always comes before the rest, but budgets end; with faults=0 those that must happen
  // never do. Among receivers or flows a turn is shared by all that waits there: where that grows, the wait does, and
  // it has no mean.
  bool fair() const override {
    return options_.over == RandomOptions::Over::events && (options_.faults > 0 || !obliges_);
  }

 private:
  std::size_t choose_actor(const ChoicePoint& point);
  std::size_t choose_chain(const ChoicePoint& point);
  std::uint64_t chain_of(EventId id) const;

  RandomOptions options_;
  bool obliges_ = false;  // some fault must happen in the end
  Rng rng_{0};
  std::vector<std::pair<EventId, std::uint64_t>> chains_;      // of pending events that have a parent
  std::vector<std::pair<std::uint64_t, std::size_t>> groups_;  // scratch: (chain, index), by chain
  // over=actors:
  NewEvents news_;
  std::vector<ActorId> actors_;  // that were met in this run, by their ids
  struct Able {
    ActorId actor;
    std::size_t events = 0;
  };
  std::vector<Able> able_;  // scratch: those that can do something
};

StrategyInfo random_strategy();

}  // namespace gainsay
