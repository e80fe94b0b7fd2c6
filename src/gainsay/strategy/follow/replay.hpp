// replay: follows a recorded execution by event ids and answers, exactly. Where that cannot be done it throws
// Divergence.
//
// After the last recorded step it stops if the world is quiescent; anything else that is still enabled is
// left undone only if the recorded execution ended there as well (a violation, a step bound): the caller
// bounds the steps.
#pragma once

#include <span>
#include <vector>

#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

class ReplayStrategy final : public Strategy {
 public:
  explicit ReplayStrategy(std::vector<Step> steps) : steps_(std::move(steps)) {}

  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;

  // What could be done where the replay went astray, for the message.
  const std::vector<Event>& enabled_at_divergence() const { return enabled_; }

 private:
  std::size_t choose_event(const ChoicePoint& point);

  std::vector<Step> steps_;
  std::size_t next_answer_ = 0;
  std::size_t answering_step_ = 0;
  std::vector<Event> enabled_;
};

}  // namespace gainsay
