// PendingMirror: one item of a strategy's own for each pending event.
//
// The world lists its pending events in the order in which they appeared: a new event stands at the end, and when one
// leaves, those behind it move up. A strategy takes its chosen event out of the mirror itself (`take`). So at the next
// choice point only the end of the list is new (`update`). If the last known event is not in its place, others have
// left as well (a cancelled timer, a lost message), and the whole list is compared. No `executed` calls are needed.
//
// An item stays in its *slot* while its event is pending; its *position* changes with the list. Executed events leave
// gaps between slots. When there are many gaps, `update` closes them: item number p of the list moves to slot p.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/event_source.hpp"

namespace gainsay {

template <class T> class PendingMirror {
 public:
  using Slot = std::uint32_t;  // later events have greater slots

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
  // Counts the updates that found events gone which were not taken. All slots were given anew then.
  std::uint64_t rebuilds() const { return rebuilds_; }

  // Brings the mirror up to date. `make(position)` makes the item of a new event; `added(slot)` is called after it was
  // put there, unless there was a rebuild. `before_compacting()` is called before gaps are closed.
  template <class Make, class Added, class BeforeCompacting>
  void update(const EventSource& source, Make make, Added added, BeforeCompacting before_compacting) {
    const std::size_t count = source.pending_count();
    const std::size_t known = order_.size();
    if (count < known || (known > 0 && !is_event(slots_[order_[known - 1]], source, known - 1)))
        [[unlikely]] {
      rebuild(source, count, make);
      return;
    }
    for (std::size_t position = known; position < count; ++position) {
      if (slots_.size() >= 3 * order_.size() + 128) [[unlikely]] {
        before_compacting();
        compact();
      }
      order_.push_back(static_cast<Slot>(slots_.size()));
      Kept& kept = slots_.emplace_back();  // made in its place: a copy of what was just written takes long
      kept.id = source.pending_id(position);
      kept.item = make(position);
      added(order_.back());
    }
  }
  template <class Make> void update(const EventSource& source, Make make) {
    update(
        source, make, [](Slot) {}, [] {});
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

  // Whether the item is that of the event at this position.
  static bool is_event(const Kept& kept, const EventSource& source, std::size_t position) {
    return kept.id == source.pending_id(position);
  }

  // Closes the gaps that executed events have left: memory is linear in what is pending.
  void compact() {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (order_[i] != i) slots_[i] = std::move(slots_[order_[i]]);
      order_[i] = static_cast<Slot>(i);
    }
    slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(order_.size()), slots_.end());
    GAINSAY_CHECK(slots_.size() == order_.size(), "no gap is left");
  }

  template <class Make> void rebuild(const EventSource& source, std::size_t count, Make make) {
    std::vector<Kept>& kept = scratch_;
    kept.clear();
    std::size_t next = 0;  // entries before it have left or are matched
    for (std::size_t position = 0; position < count; ++position) {
      std::size_t found = next;
      while (found < order_.size() && !is_event(slots_[order_[found]], source, position)) ++found;
      if (found < order_.size()) {
        kept.push_back(std::move(slots_[order_[found]]));
        next = found + 1;
      } else {
        kept.push_back({source.pending_id(position), make(position)});
      }
    }
    slots_.swap(kept);
    order_.resize(count);
    for (std::size_t i = 0; i < count; ++i) order_[i] = static_cast<Slot>(i);
    ++rebuilds_;
  }

  std::vector<Slot> order_;  // by position; ascending
  std::vector<Kept> slots_;  // in the order in which events appeared; what was taken leaves a gap
  std::vector<Kept> scratch_;
  std::uint64_t rebuilds_ = 0;
};

}  // namespace gainsay
