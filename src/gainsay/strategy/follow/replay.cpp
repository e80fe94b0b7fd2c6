#include "gainsay/strategy/follow/replay.hpp"

namespace gainsay {

std::optional<Keep> ReplayStrategy::begin(const RunInfo&) {
  enabled_.clear();
  script_.execute(Script::nowhere);
  return Keep{};
}

std::size_t ReplayStrategy::choose(const ChoicePoint& point) {
  if (!point.is_value()) return choose_event(point);
  const std::optional<std::uint32_t> answer = script_.answer(point.size());
  if (!answer) throw Divergence{point.step()};
  return *answer;
}

std::optional<std::int64_t> ReplayStrategy::recorded_time(std::size_t step, std::int64_t earliest_ns,
                                                          std::int64_t latest_ns) {
  const std::optional<std::int64_t> shown = script_.time();
  if (!shown || *shown < earliest_ns || *shown > latest_ns) throw Divergence{step};
  return shown;
}

std::size_t ReplayStrategy::choose_event(const ChoicePoint& point) {
  const std::size_t step = point.step();
  if (step < script_.size()) {
    script_.execute(step);
    if (const std::size_t index = script_.find(step, point); index != Script::nowhere) return index;
  } else {
    script_.execute(Script::nowhere);
    if (point.may_stop()) return point.size() - 1;
  }
  enabled_.clear();
  for (std::size_t i = 0; i < point.size(); ++i) enabled_.push_back(point.event(i));
  throw Divergence{step};
}

}  // namespace gainsay
