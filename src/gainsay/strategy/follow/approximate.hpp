// approximate: follows a wish list of events as far as it can. A wish that is not possible when its turn
// comes is skipped; answers are reused where the question is the same. When no wish is left it stops where it
// may, else it takes the oldest event.
//
// Events are recognised by their stable ids, so a list made from one execution still means something in another.
#pragma once

#include <vector>

#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

class ApproximateStrategy final : public Strategy {
 public:
  explicit ApproximateStrategy(std::vector<Step> wishes) : wishes_(std::move(wishes)) {}

  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;

  std::size_t skipped() const { return skipped_; }

 private:
  std::size_t choose_event(const ChoicePoint& point);

  std::vector<Step> wishes_;
  std::size_t next_ = 0;           // the wish whose turn it is
  const Step* current_ = nullptr;  // the wish that is being executed; null: none
  std::size_t next_answer_ = 0;
  std::size_t skipped_ = 0;
};

}  // namespace gainsay
