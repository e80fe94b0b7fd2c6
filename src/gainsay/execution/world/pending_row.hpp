// PendingRow: the pending events of a world, in the order in which they were made.
//
// Each has a *place*. A new event gets the place behind all others and keeps it while it is pending; one that leaves
// leaves a gap. So sets of events are rows of bits, one for each place (base/bit_row.hpp), and nothing moves when an
// event comes or goes. Gaps are closed between steps (`squeeze`), where nobody remembers a place. An event's *position*
// is how many stand before it.
#pragma once

#include <cstdint>
#include <iterator>

#include "gainsay/base/bit_row.hpp"
#include "gainsay/base/flat_row.hpp"
#include "gainsay/execution/kernel/interner.hpp"
#include "gainsay/trace/delivery.hpp"
#include "gainsay/trace/event.hpp"

namespace gainsay {

// What delivery has to know of an envelope.
struct Route {
  Slot to = 0;
  Slot sender = no_sender;  // of messages
  EventKind kind = EventKind::deliver;
  Delivery order = Delivery::unordered;  // of messages; unordered for all other events
  bool gated = false;                    // its receiver may refuse it
  std::uint8_t group = 0;                // which budgets a message draws on (Budgets::MessageGroup); 0: none

  static constexpr Slot no_sender = 0xffffffffU;  // no message
  static constexpr Slot from_outside = 0xfffffffeU;

  bool is_message() const { return kind == EventKind::deliver; }
  // Whether causal order makes others wait for it: its link keeps that order, and an actor sent it. Of the outside
  // nothing is known.
  bool is_sending() const { return order == Delivery::causal && sender != from_outside; }
};

struct Pending : Route {
  EventId id;
  EnvelopeId envelope = 0;
  std::uint32_t parent = no_step;
};
static_assert(sizeof(Pending) == 32);

class PendingRow {
 public:
  std::size_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  // All places are before this one.
  std::size_t behind() const { return entries_.size(); }
  const BitRow& places() const { return places_; }
  [[gnu::always_inline]] bool has(std::size_t place) const { return place < behind() && places_[place]; }
  // REQUIRES: has(place).
  Pending& operator[](std::size_t place) { return entries_[place]; }
  const Pending& operator[](std::size_t place) const { return entries_[place]; }
  [[gnu::always_inline]] std::size_t place(std::size_t position) const {
    return places_.is_short() ? places_.nth(position) : place_of_many(position);
  }
  std::size_t position(std::size_t place) const { return places_.count_before(place); }
  // Of an event in this row.
  std::size_t place_of(const Pending& event) const {
    return static_cast<std::size_t>(&event - entries_.data());
  }

  // A new event, at the place behind all others; nobody has written to it.
  [[gnu::always_inline]] Pending& add() {
    places_.set(entries_.size());
    ++count_;
    return entries_.add();
  }
  // REQUIRES: has(place).
  [[gnu::always_inline]] void erase(std::size_t place) {
    GAINSAY_CHECK(count_ > 0, "some event is pending");
    places_.reset(place);
    --count_;
  }
  void clear() {
    entries_.clear();
    places_.clear();
    count_ = 0;
  }
  // Closes the gaps: the place of every event is its position then.
  void squeeze() {
    std::size_t to = 0;
    places_.each([&](std::size_t from) { entries_[to++] = entries_[from]; });
    GAINSAY_CHECK(to == count_, "every event has a place");
    entries_.resize(count_);
    places_.fill(count_, [](std::size_t) { return true; });
  }

  // The events in their order.
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Pending;
    using difference_type = std::ptrdiff_t;
    using pointer = const Pending*;
    using reference = const Pending&;

    Iterator() = default;
    Iterator(const PendingRow& row, std::size_t word)
        : row_(&row), word_(word), left_(row.places_.word(word)) {
      pass_gaps();
    }
    reference operator*() const { return (*row_)[place()]; }
    pointer operator->() const { return &(*row_)[place()]; }
    Iterator& operator++() {
      left_ &= left_ - 1;
      pass_gaps();
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    std::size_t place() const { return word_ * 64 + static_cast<std::size_t>(std::countr_zero(left_)); }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.word_ == b.word_ && a.left_ == b.left_;
    }

   private:
    void pass_gaps() {
      while (left_ == 0 && word_ < row_->places_.words()) left_ = row_->places_.word(++word_);
    }
    const PendingRow* row_ = nullptr;
    std::size_t word_ = 0;
    std::uint64_t left_ = 0;  // of the word: those that come, the next one first
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, places_.words()}; }
  // Their places, in the same order.
  class Places {
   public:
    class Iterator : public PendingRow::Iterator {
     public:
      using PendingRow::Iterator::Iterator;
      std::size_t operator*() const { return place(); }
      Iterator& operator++() {
        PendingRow::Iterator::operator++();
        return *this;
      }
    };
    explicit Places(const PendingRow& row) : row_(row) {}
    Iterator begin() const { return {row_, 0}; }
    Iterator end() const { return {row_, row_.places_.words()}; }

   private:
    const PendingRow& row_;
  };
  Places each_place() const { return Places(*this); }

 private:
  // Mostly it is asked for the newest ones.
  [[gnu::noinline]] std::size_t place_of_many(std::size_t position) const {
    return position < count_ / 2 ? places_.nth(position) : places_.nth_last(count_ - 1 - position);
  }

  FlatRow<Pending> entries_;
  BitRow places_;
  std::size_t count_ = 0;
};

}  // namespace gainsay
