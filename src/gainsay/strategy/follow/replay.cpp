#include "gainsay/strategy/follow/replay.hpp"

#include "gainsay/base/check.hpp"

namespace gainsay {

std::optional<Keep> ReplayStrategy::begin(const RunInfo&) {
  next_answer_ = 0;
  answering_step_ = 0;
  enabled_.clear();
  return Keep{};
}

std::size_t ReplayStrategy::choose(const ChoicePoint& point) {
  if (!point.is_value()) return choose_event(point);
  if (point.step() != answering_step_) {
    answering_step_ = point.step();
    next_answer_ = 0;
  }
  if (point.step() >= steps_.size()) throw Divergence{point.step()};
  const std::vector<DataChoice>& recorded = steps_[point.step()].choices;
  if (next_answer_ >= recorded.size() || recorded[next_answer_].among != point.size())
    throw Divergence{point.step()};
  return recorded[next_answer_++].answer;
}

std::size_t ReplayStrategy::choose_event(const ChoicePoint& point) {
  if (point.step() < steps_.size()) {
    const Event& wanted = steps_[point.step()].event;
    answering_step_ = point.step();
    next_answer_ = 0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      const Event event = point.event(i);
      if (event.id == wanted.id && scheduled_as(event.kind) == scheduled_as(wanted.kind)) return i;
    }
  } else if (point.size() > 0 && point.event(point.size() - 1).kind == EventKind::stop) {
    return point.size() - 1;
  }
  enabled_.clear();
  for (std::size_t i = 0; i < point.size(); ++i) enabled_.push_back(point.event(i));
  throw Divergence{point.step()};
}

}  // namespace gainsay
