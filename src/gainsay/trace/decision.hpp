// Decision: one step of an execution as another execution can follow it: which event comes, and which answers its
// handler gets. Decisions are what is recorded to be followed, shrunk and read from trace files.
//
// An event is recognised by its kind and its id. Where its cause does something else in the other execution, the same
// id may stand for another message (event.hpp), so the receiver and the type are compared as well.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gainsay/trace/event.hpp"

namespace gainsay {

// One data choice of a step: `answer` in [0, among); or what a clock showed that the handler read.
struct DataChoice {
  std::uint32_t answer = 0;
  std::uint32_t among = 1;
  bool coin = false;  // a fair coin; not written to traces, the handler tells
  bool late = false;  // not the handler's: whether what waited was due already (simulated time)
  bool is_time = false;
  std::int64_t time_ns = 0;

  static DataChoice time(std::int64_t shown_ns) { return {0, 0, false, false, true, shown_ns}; }

  friend bool operator==(const DataChoice& a, const DataChoice& b) {
    return a.answer == b.answer && a.among == b.among && a.is_time == b.is_time && a.time_ns == b.time_ns;
  }
};

struct Decision {
  EventKind kind = EventKind::deliver;
  EventId id;
  // Nothing: not known. Trace files name actors and print messages; not every name says which actor it is.
  std::optional<ActorId> receiver = std::nullopt;
  std::optional<std::uint64_t> type = std::nullopt;
  std::vector<DataChoice> answers{};

  // Whether this event is the one that was decided on.
  bool is(const Event& event) const {
    return id == event.id && scheduled_as(kind) == scheduled_as(event.kind) &&
           (!receiver || *receiver == event.receiver) && (!type || *type == event.type);
  }

  friend bool operator==(const Decision&, const Decision&) = default;
};

inline Decision decision_of(const Event& event, std::vector<DataChoice> answers = {}) {
  return {event.kind, event.id, event.receiver, event.type, std::move(answers)};
}

}  // namespace gainsay
