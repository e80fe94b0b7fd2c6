#include "gainsay/execution/run/prefix.hpp"

namespace gainsay {

void Prefix::follow(const Recording& recording, const Keep& keep, std::size_t from) {
  GAINSAY_CHECK(keep.steps <= recording.size() && (keep.decisions == 0 || keep.steps < recording.size()),
                "the kept prefix is part of the last execution");
  GAINSAY_CHECK(from <= keep.steps, "an execution goes on from within the kept prefix");
  kept_ = keep.steps;
  const std::size_t steps_end = keep.steps + (keep.decisions > 0 ? 1 : 0);
  const std::size_t answers_end =
      recording.answers_before(keep.steps) + (keep.decisions > 0 ? keep.decisions - 1 : 0);
  steps_.assign(recording.steps().begin(),
                recording.steps().begin() + static_cast<std::ptrdiff_t>(steps_end));
  const auto first = static_cast<std::ptrdiff_t>(recording.answers_before(from));
  answers_.assign(recording.answers().begin() + first,
                  recording.answers().begin() + static_cast<std::ptrdiff_t>(answers_end));
  next_answer_ = 0;
}

void Prefix::remember(const WorldState& world, std::size_t steps) {
  if (!places_.empty() && places_.back() == steps) return;
  GAINSAY_CHECK(places_.empty() || places_.back() < steps, "copies are kept in the order of steps");
  // Deep executions keep every 64th: the steps between are followed again, and memory stays in proportion.
  if (places_.size() >= 1024 && steps % 64 != 0) return;
  if (worlds_.size() == places_.size()) worlds_.emplace_back();
  worlds_[places_.size()] = world;
  places_.push_back(steps);
}

}  // namespace gainsay
