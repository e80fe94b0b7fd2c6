#include "gainsay/strategy/follow/approximate.hpp"

namespace gainsay {

std::optional<Keep> ApproximateStrategy::begin(const RunInfo&) {
  next_ = 0;
  current_ = nullptr;
  next_answer_ = 0;
  skipped_ = 0;
  return Keep{};
}

std::size_t ApproximateStrategy::choose(const ChoicePoint& point) {
  if (!point.is_value()) return choose_event(point);
  if (current_ == nullptr || next_answer_ >= current_->choices.size()) return 0;
  const DataChoice& recorded = current_->choices[next_answer_++];
  return recorded.among == point.size() ? recorded.answer : 0;
}

std::size_t ApproximateStrategy::choose_event(const ChoicePoint& point) {
  next_answer_ = 0;
  for (; next_ < wishes_.size(); ++next_, ++skipped_) {
    const Event& wanted = wishes_[next_].event;
    for (std::size_t i = 0; i < point.size(); ++i) {
      const Event event = point.event(i);
      if (event.id != wanted.id || scheduled_as(event.kind) != scheduled_as(wanted.kind)) continue;
      current_ = &wishes_[next_++];
      return i;
    }
  }
  current_ = nullptr;
  const bool may_stop = point.event(point.size() - 1).kind == EventKind::stop;
  return may_stop ? point.size() - 1 : 0;
}

}  // namespace gainsay
