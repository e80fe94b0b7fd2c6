// NewEvents: whose pending events are that a strategy has not seen yet in this run.
//
// They stand at the end of the list. A strategy that is asked at every step looks at those that the last step made;
// one that was not asked for a while looks at all of them, and meets some again.
#pragma once

#include <cstddef>
#include <vector>

#include "gainsay/strategy/choice_point.hpp"

namespace gainsay {

class NewEvents {
 public:
  // A run begins.
  void clear() { next_step_ = nobody_asked; }
  // The owners of the last pending events, all new ones among them, the oldest first. REQUIRES: not a value.
  // `met`: receivers, by id, of whom nobody needs to hear again; if all new ones are theirs, and no task's, none may be
  // told.
  const std::vector<EventSource::Owner>& look(const ChoicePoint& point, std::uint64_t met = 0) {
    if (point.step() != next_step_) {
      point.source().owners_of_all(owners_);
    } else if (met != 0 && point.source().are_new_for(met)) {
      owners_.clear();
    } else {
      point.source().owners_of_new(owners_);
    }
    next_step_ = point.step() + 1;
    return owners_;
  }

 private:
  static constexpr std::size_t nobody_asked = ~std::size_t{0};

  std::size_t next_step_ = nobody_asked;
  std::vector<EventSource::Owner> owners_;
};

}  // namespace gainsay
