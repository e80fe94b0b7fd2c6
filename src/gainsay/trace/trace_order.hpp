// TraceOrder: an execution up to the order of independent events (Mazurkiewicz).
//
// Given a relation that says which executed events are dependent, an execution is a partial order: an event comes
// after those before it that it depends on, after the one that created it, and after whatever comes before those. Two
// executions are of one class if they have the same events and the same order. `hash` is a sum over the events, each
// with the events that come before it, so it does not depend on how the execution is written down.
//
// A TraceOrder is a value that only grows: `extended` leaves the old one as it is and shares its events, so a search
// may keep one for every prefix. This is a definition for enumerators and certificates, not a fast one: extending
// costs a look at every earlier event.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "gainsay/base/value_type.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

// One event of an execution and what it did, as far as dependence may ask.
struct ExecutedEvent {
  Event event;  // its parent is a number of a step of the execution it was seen in
  std::vector<DataChoice> answers;
  bool lost = false;                        // a message that a cut swallowed: nobody handled it
  bool changed = false;                     // the receiver's local state
  bool violated = false;                    // a handler or monitor complained
  bool invokes = false;                     // began an operation of a client
  bool responds = false;                    // ended one
  std::vector<ActorId> clients;             // for whom it began or ended an operation
  std::vector<ActorId> notified;            // monitors
  std::vector<Event> created;               // messages, timers, starts
  const ValueType* message_type = nullptr;  // null: no message
  const void* message = nullptr;            // lives as long as the kernel that executed it
};

// REQUIRES: symmetric. It may depend on all of the two events but their parents.
using Dependent = std::function<bool(const ExecutedEvent&, const ExecutedEvent&)>;

// Events at one actor are dependent; partition and heal concern every actor.
bool same_receiver(const ExecutedEvent& a, const ExecutedEvent& b);

class TraceOrder {
 public:
  TraceOrder() = default;
  TraceOrder(const TraceOrder&) = default;
  TraceOrder(TraceOrder&&) noexcept = default;
  TraceOrder& operator=(const TraceOrder&) = default;
  TraceOrder& operator=(TraceOrder&&) noexcept = default;
  ~TraceOrder();

  // This execution and one more event. REQUIRES: its parent is a step of this execution, or no_step.
  TraceOrder extended(ExecutedEvent event, const Dependent& dependent) const;

  // The same for all executions of a class, different (up to accidents of 64 bits) for others.
  std::uint64_t hash() const;
  std::size_t size() const;
  // In the order in which they were executed here.
  std::vector<const ExecutedEvent*> events() const;
  // By event: which events come before it, one bit each.
  std::vector<std::vector<std::uint64_t>> pasts() const;
  // This execution, to be followed.
  std::vector<Decision> decisions() const;

 private:
  struct Link;
  std::shared_ptr<const Link> last_;
};

// The hash of a set of hashes: the same in whatever order they come. 32 hexadecimal digits.
class SetHash {
 public:
  // REQUIRES: never the same one twice.
  void add(std::uint64_t member);
  std::string text() const;

 private:
  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
};

}  // namespace gainsay
