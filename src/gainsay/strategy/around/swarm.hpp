// SwarmStrategy: another strategy in worlds that differ from run to run (swarm testing: Groce, Zhang, Eide,
// Chen, Regehr, ISSTA 2012).
//
// For every run, from the seed: a budget for every kind of fault, uniform between nothing and what the world
// allows; and for every receiver and message type a weight, 1, 1/2 or 1/8. At each step the inner strategy
// sees an event with the probability that is its weight (all of them, if it would see none). Some runs so
// starve what others flood, and a run without crashes is as likely as one with all of them. What the inner
// strategy promises does not survive this.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/around/decorator.hpp"
#include "gainsay/strategy/some_events.hpp"
#include "gainsay/strategy/walks/pending_mirror.hpp"

namespace gainsay {

class SwarmStrategy final : public StrategyDecorator {
 public:
  explicit SwarmStrategy(std::unique_ptr<Strategy> inner) : StrategyDecorator(std::move(inner)) {}

  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  Guarantee guarantee() const override;

  // For tests: what was drawn for the current run.
  const std::array<std::uint32_t, event_kinds>& budgets() const { return left_; }
  double weight(const Event& event) const;

 private:
  // Weights are powers of 1/2: this is the exponent.
  std::uint8_t halvings(const Event& event) const;
  void show_ordinary(const ChoicePoint& point);

  Rng rng_{0};
  std::uint64_t run_hash_ = 0;
  std::array<std::uint32_t, event_kinds> left_{};  // of the budgets drawn
  WorldTraits world_;
  PendingMirror<std::uint8_t> pending_;  // halvings of each
  std::vector<std::uint64_t> draws_;  // of rng_, in their order, from `next_draw_` on for whoever draws next
  std::size_t next_draw_ = 0;
  std::vector<std::size_t> shown_;  // ordinary alternatives that the inner strategy sees
  std::vector<EventRange> faults_;  // and the others
};

}  // namespace gainsay
