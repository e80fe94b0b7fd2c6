// Event: one thing that can happen in an execution, as strategies and traces see it.
//
// Its id is stable: hash(parent event's id, the parent's data choices, ordinal among what the parent created,
// kind). Outside messages and faults are named by (kind, target, ordinal). The same message has the same id
// in every schedule in which its cause is the same; its payload may differ there, so whoever follows ids
// across schedules also compares receiver and type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gainsay/base/hash.hpp"
#include "gainsay/base/ids.hpp"

namespace gainsay {

enum class EventKind : std::uint8_t {
  start,      // an actor's on_start
  deliver,    // a message reaches its receiver
  timer,      // an armed timer fires
  task,       // a task goes on from where it was suspended
  drop,       // fault: a pending message is lost
  duplicate,  // fault: a pending message is doubled
  corrupt,    // fault: a pending message is changed by the scenario's function
  crash,      // fault: an actor goes down
  restart,    // fault: a crashed actor comes back
  partition,  // fault: links between blocks are cut
  heal,       // fault: the cut ends
  stop,       // quiescent although faults remain possible: the execution ends here
  // Ids are made of these numbers, so what came later stands behind.
  lost,        // a message crosses a cut that lets nothing through: it was its turn, and it arrives nowhere
  isolate,     // fault: an actor is cut off from all others for a number of steps
  recreate,    // fault: an actor begins anew, its durable part gone too
  fail_write,  // fault: what the actor persists next is not stored, and it is told so
  tear_write,  // fault: of what the actor persists next, something else is stored
  lose_write,  // fault: what the actor persists next is gone if it crashes, although it was told otherwise
  jump_clock,  // fault: the actor's clock goes on from another time
};

inline constexpr std::size_t event_kinds = static_cast<std::size_t>(EventKind::jump_clock) + 1;

constexpr bool is_fault(EventKind kind) {
  return (kind >= EventKind::drop && kind <= EventKind::heal) || kind >= EventKind::isolate;
}
// What happens without a fault: the world has it pending.
constexpr bool is_ordinary(EventKind kind) { return kind <= EventKind::task || kind == EventKind::lost; }
// As what an event is scheduled. Whether a message arrives or is lost is decided by the cut in force when it is its
// turn; whoever follows recorded steps follows the message.
constexpr EventKind scheduled_as(EventKind kind) {
  return kind == EventKind::lost ? EventKind::deliver : kind;
}
std::string_view kind_name(EventKind kind);

inline constexpr std::uint32_t no_step = 0xffffffffU;

struct Event {
  EventId id;
  EventKind kind = EventKind::deliver;
  ActorId receiver = nobody;  // whom it changes; nobody for partition, heal, isolate, stop
  ActorId sender = nobody;
  std::uint64_t type = 0;          // hash of the message type's full name; 0 without a message
  std::uint32_t parent = no_step;  // the step that created it

  friend bool operator==(const Event&, const Event&) = default;
};

constexpr EventId outside_event_id(EventKind kind, ActorId target, std::uint32_t ordinal) {
  return EventId{scramble(mix(mix(0x6f757473ULL + static_cast<std::uint64_t>(kind), target.raw), ordinal))};
}

// What the children of an event derive their ids from: the event's id with its data choices folded in.
constexpr std::uint64_t child_seed(EventId parent, std::uint64_t choices_hash) {
  return choices_hash == 0 ? parent.raw : mix(parent.raw, choices_hash);
}

constexpr EventId child_event_id(std::uint64_t seed, EventKind kind, std::uint32_t ordinal) {
  return EventId{
      mix(seed, (static_cast<std::uint64_t>(ordinal) << 8) + static_cast<std::uint64_t>(kind) + 1)};
}

}  // namespace gainsay
