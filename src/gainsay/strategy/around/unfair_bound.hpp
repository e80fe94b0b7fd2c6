// UnfairBound: another strategy, whose schedules are cut early where they starve somebody.
//
// Where timers re-arm themselves for ever, a schedule that is not fair can go on with them and never come to what the
// rest of the world waits for; such an execution runs to the bound of steps and shows little on its way. P# has two
// bounds for that reason (Deligiannis and others, FAST 2016): a small one for unfair schedules, the whole one for fair
// ones. Here the small one counts only where it must: an execution ends at step `after` or later, when the schedule is
// not fair and the oldest event that is possible has waited for half of these steps.
#pragma once

#include <memory>

#include "gainsay/strategy/around/decorator.hpp"

namespace gainsay {

class UnfairBound final : public StrategyDecorator {
 public:
  // REQUIRES: the strategy does not search: a cut says nothing about what follows.
  UnfairBound(std::unique_ptr<Strategy> inner, std::size_t after);

  std::size_t choose(const ChoicePoint& point) override {
    if (point.step() >= after_ && starves(point)) [[unlikely]]
      return cut_run;
    return inner().choose(point);
  }

 private:
  bool starves(const ChoicePoint& point) const;

  std::size_t after_;
};

}  // namespace gainsay
