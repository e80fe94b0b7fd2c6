// Possible: which pending events a choice point offers, and as which alternative.
//
// Who looks at all of them gets them as a set of positions, made when it is first needed; who looks at a few asks for
// each of those.
#pragma once

#include <cstddef>

#include "gainsay/base/bit_row.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/strategy/choice_point.hpp"

namespace gainsay {

class Possible {
 public:
  static constexpr std::size_t no_index = EventSource::no_index;

  // What it says is of this choice point from now on. `pending`: how many events are pending.
  void look(const ChoicePoint& point, std::size_t pending) {
    GAINSAY_CHECK(point.ordinary() <= pending, "what is possible is pending");
    source_ = &point.source();
    count_ = point.ordinary();
    all_ = count_ == pending;
    listed_ = false;
  }

  bool all() const { return all_; }
  // How many events of this receiver are possible.
  std::size_t count_of(ActorId receiver) const { return source_->count_of(receiver, count_); }
  // The alternative that stands for the event at `position`; `no_index`: it is not possible now.
  std::size_t index_of(std::size_t position) const {
    if (all_) return position;
    if (!listed_) return source_->index_of(position, count_);
    return positions_[position] ? positions_.count_before(position) : no_index;
  }
  std::size_t position_of(std::size_t index) {
    if (all_) return index;
    list();
    return positions_.nth(index);
  }
  // Calls `visit` for the position of every possible event, the oldest first.
  template <class Visit> [[gnu::always_inline]] void each(const Visit& visit) {
    if (all_) {
      for (std::size_t position = 0; position < count_; ++position) visit(position);
    } else {
      list();
      positions_.each(visit);
    }
  }
  // The position of the possible event that has the highest priority, of equal ones the oldest. Which one is higher
  // than all before it nobody can predict: so there is no branch. REQUIRES: something is possible.
  template <class PriorityAt> [[gnu::always_inline]] std::size_t highest(const PriorityAt& priority_at) {
    std::size_t at = position_of(0);
    std::uint64_t most = 0;
    each([&](std::size_t position) {
      const std::uint64_t priority = priority_at(position);
      at = priority > most ? position : at;
      most = priority > most ? priority : most;
    });
    return at;
  }

 private:
  void list() {
    if (!listed_) source_->possible(count_, positions_);
    listed_ = true;
  }

  const EventSource* source_ = nullptr;
  std::size_t count_ = 0;
  bool all_ = true;
  bool listed_ = false;  // `positions_` is up to date
  BitRow positions_;
};

}  // namespace gainsay
