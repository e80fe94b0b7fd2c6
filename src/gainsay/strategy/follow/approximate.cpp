#include "gainsay/strategy/follow/approximate.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay {

std::optional<Keep> ApproximateStrategy::begin(const RunInfo&) {
  next_ = 0;
  skipped_ = 0;
  script_.execute(Script::nowhere);
  return Keep{};
}

std::size_t ApproximateStrategy::choose(const ChoicePoint& point) {
  return point.is_value() ? script_.answer(point.size()).value_or(0) : choose_event(point);
}

// The nearest time that is possible here.
std::optional<std::int64_t> ApproximateStrategy::recorded_time(std::size_t, std::int64_t earliest_ns,
                                                               std::int64_t latest_ns) {
  return std::clamp(script_.time().value_or(earliest_ns), earliest_ns, latest_ns);
}

std::size_t ApproximateStrategy::choose_event(const ChoicePoint& point) {
  GAINSAY_CHECK(point.size() > 0 && next_ <= script_.size(), "there is something to choose");
  std::size_t place = Script::nowhere;  // of the first decision that is possible here
  std::size_t index = 0;
  for (std::size_t i = 0; i < point.size() && next_ < script_.size(); ++i) {
    const std::size_t of_event = script_.place_of(point.event(i), next_);
    if (of_event >= place) continue;
    place = of_event;
    index = i;
  }
  script_.execute(place);
  skipped_ += std::min(place, script_.size()) - next_;
  if (place == Script::nowhere) {
    next_ = script_.size();
    if (point.may_stop()) return point.size() - 1;
    return at_end_ == AtEnd::cut ? cut_run : 0;
  }
  next_ = place + 1;
  return index;
}

}  // namespace gainsay
