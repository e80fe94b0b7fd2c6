// pos: partial order sampling (Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling", CAV 2018).
//
// Every event gets a random priority when it appears; the highest that is possible is next. When an event is
// executed, those that race with it, here the other pending events of its receiver, draw new priorities:
// otherwise the order of a race would depend on how races before it came out. Every partial order is then
// sampled with a probability that does not depend on how many interleavings it has.
//
// Not fair, as far as liveness is concerned: new events draw from the same range as old ones, so whatever stays
// possible is the highest sooner or later, but an event of priority p waits for about 1/p others, and that has no
// mean. In worlds whose timers never rest, a monitor that is hot for thousands of steps means nothing here. No bound
// that a summary could print: the paper's depends on the bug's race structure. Faults are drawn apart. Data choices
// are not steps.
#pragma once

#include <array>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/strategy.hpp"
#include "gainsay/strategy/walks/pending_by_actor.hpp"
#include "gainsay/strategy/walks/possible.hpp"

namespace gainsay {

struct PosOptions {
  double faults = 0.0625;

  static void describe(Describe<PosOptions>& d) {
    d.field(&PosOptions::faults, "probability that a step is a fault, if one is possible").range(0, 1);
  }
};

class PosStrategy final : public Strategy {
 public:
  explicit PosStrategy(PosOptions options) : options_(options) {}

  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;

 private:
  using Many = PendingByActor<std::uint64_t>;  // the event's priority
  static constexpr std::size_t few_max = 48;
  static_assert(few_max <= 64, "a word has a bit for each");

  std::size_t choose_of_few(const ChoicePoint& point);
  std::size_t choose_of_many(const ChoicePoint& point);
  void list_by_actor(const EventSource& source);
  void find_best(std::uint32_t actor);
  std::size_t highest(const ChoicePoint& point);

  PosOptions options_;
  Rng rng_{0};
  std::uint32_t raced_ = Many::no_actor;  // whose events draw again
  Possible possible_;                     // of the current choice

  // As long as few events are pending, all of them are looked at.
  struct Item {
    std::uint32_t actor = 0;
    std::uint64_t priority = 0;
  };
  PendingMirror<Item> few_;
  ActorNumbers numbers_;
  // Whose they are, by position: numbers that fit into a byte, so that eight are compared at once.
  std::array<std::uint8_t, few_max + 16> owners_{};
  std::uint64_t owners_rebuilds_ = 0;  // of `few_`, when they were listed
  void list_owners(std::size_t first);
  std::uint64_t few_of(std::uint32_t actor) const;

  // Later, to the end of the run, events are listed by actor.
  bool is_many_ = false;
  Many many_;
  // The highest event of each actor, possible or not, by number of the actor. Priority 0 where nothing is pending.
  struct Best {
    std::uint64_t priority = 0;
    Many::Slot slot = 0;
    bool looked_at = false;  // scratch
  };
  std::vector<Best> best_;
};

StrategyInfo pos_strategy();

}  // namespace gainsay
