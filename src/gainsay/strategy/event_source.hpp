// EventSource: the events of a choice point, made on demand. Implemented by whoever runs the world.
//
// Two numberings. An *index* counts the alternatives of the choice point. A *position* counts everything that is
// pending, enabled or not, in the order in which it became pending: new events stand at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gainsay/base/bit_row.hpp"
#include "gainsay/trace/delivery.hpp"
#include "gainsay/trace/event.hpp"
#include "gainsay/trace/message_key.hpp"

namespace gainsay {

// What searches need to know of a pending event besides what stands in Event.
struct EventTraits {
  Delivery order = Delivery::unordered;  // of its link; unordered where it is no message
  bool gated = false;                    // its receiver may refuse it for a while
  MessageKey key{};
};

// A pending event as those see it who put it behind what the same step sent on the same link.
struct EventLink {
  EventId id;
  ActorId sender = nobody;  // of messages
  ActorId receiver = nobody;
  std::uint32_t parent = no_step;
  EventKind kind = EventKind::deliver;
  bool ordered = false;  // its link keeps an order, and its receiver never refuses anything

  friend bool operator==(const EventLink&, const EventLink&) = default;
};

class EventSource {
 public:
  virtual Event event_at(std::size_t index) const = 0;
  // Its kind alone: there may be a fault for every pending message, and most strategies only pass them by.
  virtual EventKind kind_at(std::size_t index) const { return event_at(index).kind; }
  // The end of the faults of the same kind that follow this one; `end` at most. REQUIRES: not an ordinary alternative.
  virtual std::size_t kind_end(std::size_t index, std::size_t end) const {
    const EventKind kind = kind_at(index);
    while (++index < end && kind_at(index) == kind) {
    }
    return index;
  }
  // Of the world as it is now, where the world is a value.
  virtual std::optional<std::uint64_t> world_fingerprint() const = 0;
  virtual std::size_t pending_count() const = 0;
  virtual EventId pending_id(std::size_t position) const = 0;
  virtual Event pending_event(std::size_t position) const = 0;
  virtual EventLink pending_link(std::size_t position) const {
    const Event event = pending_event(position);
    const EventTraits traits = traits_of(position);
    return {event.id,       event.kind == EventKind::deliver ? event.sender : nobody,
            event.receiver, event.parent,
            event.kind,     traits.order != Delivery::unordered && !traits.gated};
  }
  virtual ActorId pending_receiver(std::size_t position) const { return pending_event(position).receiver; }
  // Whose steps it is one of: those of the task that waits for it, where there is one, else of its receiver.
  virtual ActorId pending_task(std::size_t position) const { return pending_receiver(position); }
  // The position of an ordinary alternative. It grows with the index.
  virtual std::size_t position_of(std::size_t index) const = 0;
  // Which of the first `ordinary` alternatives stands for the event at `position`; `no_index`: none.
  static constexpr std::size_t no_index = ~std::size_t{0};
  virtual std::size_t index_of(std::size_t position, std::size_t ordinary) const {
    std::size_t first = 0;
    for (std::size_t count = ordinary; count > 0;) {
      const std::size_t half = count / 2;
      if (position_of(first + half) < position) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return first < ordinary && position_of(first) == position ? first : no_index;
  }
  // The positions of the first `ordinary` alternatives, as a set.
  virtual void possible(std::size_t ordinary, BitRow& out) const {
    out.clear();
    for (std::size_t index = 0; index < ordinary; ++index) out.set(position_of(index));
  }
  // How many of the first `ordinary` alternatives are events of this receiver.
  virtual std::size_t count_of(ActorId receiver, std::size_t ordinary) const {
    std::size_t count = 0;
    for (std::size_t index = 0; index < ordinary; ++index)
      count += pending_receiver(position_of(index)) == receiver ? 1 : 0;
    return count;
  }
  // The index of number `nth` of them, counted from 0. REQUIRES: there are so many.
  virtual std::size_t nth_of(ActorId receiver, std::size_t nth, std::size_t ordinary) const {
    std::size_t index = 0;
    for (; index < ordinary; ++index) {
      if (pending_receiver(position_of(index)) == receiver && nth-- == 0) break;
    }
    return index;
  }
  // The first of these receivers that has an event among the first `ordinary` alternatives, and how many it has.
  struct Able {
    std::size_t which = no_index;  // `no_index`: none of them
    std::size_t events = 0;
  };
  virtual Able first_able(std::span<const ActorId> receivers, std::size_t ordinary) const {
    for (std::size_t which = 0; which < receivers.size(); ++which) {
      if (const std::size_t events = count_of(receivers[which], ordinary)) return {which, events};
    }
    return {};
  }
  // Whose the last pending events are, the oldest first: all that the last step made, or more.
  struct Owner {
    ActorId receiver;
    ActorId task;  // as `pending_task`
  };
  virtual void owners_of_new(std::vector<Owner>& out) const { owners_of_all(out); }
  // Whether all that the last step made is for receivers that are in this set, by id, and belongs to no task. False
  // where that is not known.
  virtual bool are_new_for(std::uint64_t receivers) const { return (void)receivers, false; }
  void owners_of_all(std::vector<Owner>& out) const {
    out.clear();
    for (std::size_t position = 0; position < pending_count(); ++position)
      out.push_back({pending_receiver(position), pending_task(position)});
  }
  virtual EventTraits traits_of(std::size_t position) const { return (void)position, EventTraits{}; }
  // Whether two enabled pending events, both of one value actor, may be swapped in the world as it is: the same
  // local state in the end, and the effects of each are the same in both orders. False where it is not known.
  virtual bool commute(std::size_t position, std::size_t other) const {
    return (void)position, (void)other, false;
  }

 protected:
  ~EventSource() = default;
};

}  // namespace gainsay
