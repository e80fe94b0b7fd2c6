// TraceDocument: a trace as it is written to a file and shown to a person: names and payloads as text.
//
// The text parts (message, changes) let `show` work without the program that made the trace, and let `replay`
// say in words where an execution departs from the recorded one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/trace/trace.hpp"

namespace gainsay {

struct DocumentStep {
  EventId id;
  EventKind kind = EventKind::deliver;
  std::string to;       // the actor's name; empty for partition, heal, stop
  std::string from;     // the sender's name; "outside" for outside messages; empty without a sender
  std::string message;  // printed payload, or what the fault does
  std::string cut;      // of a message that was lost: "partition split"
  std::uint32_t parent = no_step;
  std::vector<DataChoice> choices;
  std::vector<std::string>
      labels;                // of the choices; "" without one; empty: none has one. "pause?" is of a coin
  std::int64_t time_ns = 0;  // simulated time, when the world has one
  std::vector<std::string> changes;  // "open: true -> false": what the step changed in `to`
  std::vector<std::string> disk;     // "stores Log{entries: [1]}": what it stored, and read back
  std::vector<std::string> sent;     // "Flush to logger": what the step created
  std::vector<std::string> notes;    // the handler's own remarks (Context::note)

  friend bool operator==(const DocumentStep&, const DocumentStep&) = default;
};

// What was asked for: all that is needed to make an execution of a campaign again, but for its number. Filled in once
// by whoever makes the executions, and handed on from there as a whole.
struct RunHeader {
  std::string scenario{};
  std::vector<std::pair<std::string, std::string>> options{};  // every option of the scenario, as text
  std::string strategy{};
  std::uint64_t seed = 0;
  std::uint64_t steps_max = 0;  // of an execution

  friend bool operator==(const RunHeader&, const RunHeader&) = default;
};

struct TraceDocument : RunHeader {
  std::uint64_t run = 0;
  bool timed = false;
  std::vector<std::string> actors;  // in column order
  std::vector<DocumentStep> steps;
  std::optional<Violation> violation;
  std::string violating_actor;
  std::string end;  // "violated", "quiescent", "step bound"
  std::vector<std::string>
      held;  // "timer Retry of client, ...": what would happen at the end, had it a budget left

  const RunHeader& header() const { return *this; }
  void set_header(const RunHeader& header) { static_cast<RunHeader&>(*this) = header; }

  friend bool operator==(const TraceDocument&, const TraceDocument&) = default;
};

}  // namespace gainsay
