// replay: follows recorded decisions exactly. Where that cannot be done it throws Divergence.
//
// After the last decision it stops if the world is quiescent; anything else that is still enabled is
// left undone only if the recorded execution ended there as well (a violation, a step bound): the caller
// bounds the steps.
#pragma once

#include <vector>

#include "gainsay/strategy/follow/script.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

class ReplayStrategy final : public Strategy {
 public:
  explicit ReplayStrategy(std::vector<Decision> decisions) : script_(std::move(decisions)) {}

  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  std::optional<std::int64_t> recorded_time(std::size_t step, std::int64_t earliest_ns,
                                            std::int64_t latest_ns) override;

  // What was possible where the replay could not go on, for the message; empty: a question was another one.
  const std::vector<Event>& enabled_at_divergence() const { return enabled_; }

 private:
  std::size_t choose_event(const ChoicePoint& point);

  Script script_;
  std::vector<Event> enabled_;
};

}  // namespace gainsay
