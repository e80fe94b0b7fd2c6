// PendingMirror: what a strategy keeps of each pending event, beside the world's own list of them.
//
// The world's list is in the order of creation: what is new stands at its end, and what leaves makes the rest
// move up. So from one choice point to the next it is enough to take out what was chosen and to look at the
// end; only where the last entry that was known is not in its place any more (a timer was cancelled, a message
// was lost) both lists are compared. A strategy needs no `executed` calls for this, and plain worlds keep
// their fast loop.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

template <class T> class PendingMirror {
 public:
  // Where an item is kept while its event is pending; positions change, slots do not.
  using Slot = std::uint32_t;

  void clear() {
    order_.clear();
    slots_.clear();
    free_.clear();
    births_ = 0;
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
    if (!order_.empty() && order_.back() == slot) return order_.size() - 1;
    const std::uint32_t birth = slots_[slot].birth;
    const auto found = std::lower_bound(order_.begin(), order_.end(), birth,
                                        [this](Slot s, std::uint32_t b) { return slots_[s].birth < b; });
    GAINSAY_CHECK(found != order_.end() && *found == slot, "the event is pending");
    return static_cast<std::size_t>(found - order_.begin());
  }
  // Changes whenever events left without being taken.
  std::uint64_t rebuilds() const { return rebuilds_; }

  // Brings the mirror up to date; `born(position)` makes the item of an event that was not there, and
  // `placed(slot)` is told where it is kept.
  template <class Born, class Placed> void follow(const EventSource& source, Born born, Placed placed) {
    const std::size_t count = source.pending_count();
    const std::size_t known = order_.size();
    if (count < known || (known > 0 && source.pending_id(known - 1) != id(known - 1))) [[unlikely]] {
      compare(source, count, born);
      return;
    }
    for (std::size_t position = known; position < count; ++position) {
      order_.push_back(keep(source.pending_id(position), born(position)));
      placed(order_.back());
    }
  }
  template <class Born> void follow(const EventSource& source, Born born) {
    follow(source, born, [](Slot) {});
  }

  // The event at `position` was chosen and is about to leave.
  T take(std::size_t position) {
    GAINSAY_CHECK(position < order_.size(), "the chosen event is pending");
    const Slot slot = order_[position];
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(position));
    free_.push_back(slot);
    return std::move(slots_[slot].item);
  }

 private:
  struct Kept {
    EventId id;
    T item;
    std::uint32_t birth = 0;
  };

  Slot keep(EventId id, T item) {
    if (free_.empty()) {
      slots_.push_back({id, std::move(item), births_++});
      return static_cast<Slot>(slots_.size() - 1);
    }
    const Slot slot = free_.back();
    free_.pop_back();
    slots_[slot] = {id, std::move(item), births_++};
    return slot;
  }

  template <class Born> void compare(const EventSource& source, std::size_t count, Born born) {
    std::vector<Slot> order;
    std::size_t next = 0;  // entries below it have left or are matched
    for (std::size_t position = 0; position < count; ++position) {
      const EventId wanted = source.pending_id(position);
      std::size_t found = next;
      while (found < order_.size() && id(found) != wanted) ++found;
      if (found < order_.size()) {
        for (; next < found; ++next) free_.push_back(order_[next]);
        order.push_back(order_[next++]);
      } else {
        order.push_back(keep(wanted, born(position)));
      }
    }
    for (; next < order_.size(); ++next) free_.push_back(order_[next]);
    order_ = std::move(order);
    births_ = 0;
    for (const Slot slot : order_) slots_[slot].birth = births_++;
    ++rebuilds_;
  }

  std::vector<Slot> order_;  // by position; births increase
  std::vector<Kept> slots_;
  std::vector<Slot> free_;
  std::uint32_t births_ = 0;
  std::uint64_t rebuilds_ = 0;
};

}  // namespace gainsay
