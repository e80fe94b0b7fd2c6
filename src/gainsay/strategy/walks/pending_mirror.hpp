// PendingMirror: what a strategy keeps of each pending event, beside the world's own list of them.
//
// The world's list is in the order of creation: what is new stands at its end, and what leaves makes the rest
// move up. So from one choice point to the next it is enough to take out what was chosen and to look at the
// end; only where the last entry that was known is not in its place any more (a timer was cancelled, a message
// was lost) both lists are compared. A strategy needs no `executed` calls for this, and plain worlds keep
// their fast loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

template <class T> class PendingMirror {
 public:
  // Where an item is kept while its event is pending: positions change whenever an event before leaves, slots only
  // when all of them are numbered anew. Later events have greater slots.
  using Slot = std::uint32_t;

  void clear() {
    order_.clear();
    slots_.clear();
    ++rebuilds_;
  }
  std::size_t size() const { return order_.size(); }
  T& operator[](std::size_t position) { return slots_[order_[position]].item; }
  const T& operator[](std::size_t position) const { return slots_[order_[position]].item; }
  EventId id(std::size_t position) const { return slots_[order_[position]].id; }

  Slot slot(std::size_t position) const { return order_[position]; }
  T& in_slot(Slot slot) { return slots_[slot].item; }
  // REQUIRES: the event is pending.
  std::size_t position(Slot slot) const {
    const Slot* first = order_.data();
    for (std::size_t count = order_.size(); count > 1;) {  // without branches that nobody could predict
      const std::size_t half = count / 2;
      first += first[half] <= slot ? half : 0;
      count -= half;
    }
    GAINSAY_CHECK(!order_.empty() && *first == slot, "the event is pending");
    return static_cast<std::size_t>(first - order_.data());
  }
  // Changes whenever events left without being taken.
  std::uint64_t rebuilds() const { return rebuilds_; }

  // Brings the mirror up to date; `born(position)` makes the item of an event that was not there, and
  // `placed(slot)` is told where it is kept. `renumber()` is called before slots change: what is in a slot will be
  // in the slot that is its position now.
  template <class Born, class Placed, class Renumber>
  void follow(const EventSource& source, Born born, Placed placed, Renumber renumber) {
    const std::size_t count = source.pending_count();
    const std::size_t known = order_.size();
    if (count < known || (known > 0 && source.pending_id(known - 1) != id(known - 1))) [[unlikely]] {
      compare(source, count, born);
      return;
    }
    for (std::size_t position = known; position < count; ++position) {
      if (slots_.size() >= 3 * order_.size() + 128) [[unlikely]] {
        renumber();
        compact();
      }
      order_.push_back(static_cast<Slot>(slots_.size()));
      slots_.push_back({source.pending_id(position), born(position)});
      placed(order_.back());
    }
  }
  template <class Born> void follow(const EventSource& source, Born born) {
    follow(
        source, born, [](Slot) {}, [] {});
  }

  // The event at `position` was chosen and is about to leave.
  T take(std::size_t position) {
    GAINSAY_CHECK(position < order_.size(), "the chosen event is pending");
    const Slot slot = order_[position];
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(position));
    return std::move(slots_[slot].item);
  }

 private:
  struct Kept {
    EventId id;
    T item;
  };

  // Closes the gaps that executed events have left: memory is linear in what is pending.
  void compact() {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (order_[i] != i) slots_[i] = std::move(slots_[order_[i]]);
      order_[i] = static_cast<Slot>(i);
    }
    slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(order_.size()), slots_.end());
  }

  template <class Born> void compare(const EventSource& source, std::size_t count, Born born) {
    std::vector<Kept> kept;
    std::size_t next = 0;  // entries below it have left or are matched
    for (std::size_t position = 0; position < count; ++position) {
      const EventId wanted = source.pending_id(position);
      std::size_t found = next;
      while (found < order_.size() && id(found) != wanted) ++found;
      if (found < order_.size()) {
        kept.push_back(std::move(slots_[order_[found]]));
        next = found + 1;
      } else {
        kept.push_back({wanted, born(position)});
      }
    }
    slots_ = std::move(kept);
    order_.resize(count);
    for (std::size_t i = 0; i < count; ++i) order_[i] = static_cast<Slot>(i);
    ++rebuilds_;
  }

  std::vector<Slot> order_;  // by position; ascending
  std::vector<Kept> slots_;  // in the order in which events came; what was taken leaves a gap
  std::uint64_t rebuilds_ = 0;
};

}  // namespace gainsay
