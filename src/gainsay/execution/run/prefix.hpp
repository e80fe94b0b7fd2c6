// Prefix: the part of the last execution that the next one begins with.
//
// Where worlds are values it keeps copies of them, from which an execution goes on; the rest of a kept prefix is
// followed by what was recorded. Copies are kept in storage that is used again.
#pragma once

#include <optional>
#include <vector>

#include "gainsay/execution/run/recording.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

class Prefix {
 public:
  // What is to be followed of the recording under `keep`, from step `from` on. REQUIRES: it is part of the recording.
  void follow(const Recording& recording, const Keep& keep, std::size_t from);
  // The recorded step that comes at this place; null: the strategy decides.
  const StepRecord* step(std::size_t place) const { return place < steps_.size() ? &steps_[place] : nullptr; }
  bool empty() const { return steps_.empty(); }
  // How many steps the strategy knows of.
  std::size_t kept() const { return kept_; }
  // The next recorded answer; null: there is none.
  const DataChoice* answer() { return next_answer_ < answers_.size() ? &answers_[next_answer_++] : nullptr; }

  // --- copies of worlds ---
  // The world before step `steps` is worth keeping.
  void remember(const WorldState& world, std::size_t steps);
  // Forgets copies until `good(world, steps)` holds for the last; the world and the step it is before, or nothing.
  template <class Good> const WorldState* last(const Good& good, std::size_t& steps) {
    while (!places_.empty() && !good(worlds_[places_.size() - 1], places_.back())) places_.pop_back();
    if (places_.empty()) return nullptr;
    steps = places_.back();
    return &worlds_[places_.size() - 1];
  }
  void forget_worlds() {
    places_.clear();
    worlds_.clear();
  }

 private:
  std::vector<StepRecord> steps_;
  std::vector<DataChoice> answers_;
  std::size_t next_answer_ = 0;
  std::size_t kept_ = 0;
  std::vector<WorldState> worlds_;   // storage; the first `places_.size()` are in use
  std::vector<std::size_t> places_;  // worlds_[i] is the world before step places_[i]; increasing
};

}  // namespace gainsay
