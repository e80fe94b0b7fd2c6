#include "gainsay/strategy/around/unfair_bound.hpp"

#include "gainsay/base/check.hpp"

namespace gainsay {

UnfairBound::UnfairBound(std::unique_ptr<Strategy> inner, std::size_t after)
    : StrategyDecorator(std::move(inner)), after_(after) {
  GAINSAY_CHECK(!this->inner().needs().backtracking, "searches have no schedules to cut");
  GAINSAY_CHECK(after_ > 0, "an execution has a first step");
}

bool UnfairBound::starves(const ChoicePoint& point) const {
  if (point.is_value() || point.ordinary() == 0 || inner().fair()) return false;
  const EventSource& source = point.source();
  const Event oldest = source.pending_event(source.position_of(0));
  const std::size_t since = oldest.parent == no_step ? 0 : oldest.parent + std::size_t{1};
  GAINSAY_CHECK(since <= point.step(), "causes come first");
  return point.step() - since >= after_ / 2;
}

}  // namespace gainsay
