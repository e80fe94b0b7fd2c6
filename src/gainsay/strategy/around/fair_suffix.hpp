// FairSuffix: another strategy for the first steps of an execution, then a uniformly random choice among
// ordinary events.
//
// Strategies with priorities may starve events; what should happen eventually can be judged only where
// every event gets its turn. From step `after` on the schedule is fair and faults are over, but for those that must
// happen in the end. What the inner
// strategy promises is void for executions that get there, and the summary says so.
#pragma once

#include <memory>

#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/around/decorator.hpp"

namespace gainsay {

class FairSuffix final : public StrategyDecorator {
 public:
  FairSuffix(std::unique_ptr<Strategy> inner, std::size_t after)
      : StrategyDecorator(std::move(inner)), after_(after) {}

  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  void executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) override;
  void end(const RunEnd& end) override;
  bool fair() const override { return begun_ || inner().fair(); }

 private:
  std::size_t after_;
  Rng rng_{0};
  WorldTraits world_;
  std::vector<std::size_t> obliged_;  // scratch: alternatives that are faults
  bool begun_ = false;
};

}  // namespace gainsay
