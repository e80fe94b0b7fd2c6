// Effects: what one handler call wants done, as values; applied by the world after the handler has returned.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gainsay/execution/kernel/interner.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

// An actor's events to itself: timers, and steps of its tasks (which are due at once).
struct TimerOp {
  EnvelopeId armed = 0;                  // arm this envelope,
  bool withdrawn = false;                // or disarm it,
  const ValueType* cancelled = nullptr;  // or disarm all timers of this type
  Duration earliest{0};
  Duration latest{0};
};

struct SpawnOp {
  Slot slot = 0;
  CellId cell = 0;         // value actors: the first local state
  EnvelopeId start = 0;    // 0: no on_start
  std::uint32_t sent = 0;  // how many messages the handler had sent by then
  const ActorType* type = nullptr;
  OpaqueFactory make;  // opaque actors
};

// A client began an operation, or it ended.
struct HistoryOp {
  std::uint32_t number = 0;
  bool invocation = true;
  Completion how = Completion::ok;
  ValueId value = 0;        // 0: a completion without a result
  ActorId client = nobody;  // whose operation it is, if not of the actor that made it
  // Of `value`; null without one.
  const ValueType* type = nullptr;
  const void* data = nullptr;
};

struct Failure {
  std::string property;
  std::string message;
};

// The rarer effects, kept apart so that a plain send costs nothing for them. The first line of the cache has what many
// handlers do, and says whether the others have anything that a step must see.
struct alignas(64) Extras {
  std::vector<TimerOp> timers;
  std::vector<HistoryOp> history;
  bool any = false;                       // whoever adds one says so
  bool more = false;                      // likewise of notifications, spawns and a failure
  std::vector<EnvelopeId> notifications;  // to monitors
  std::vector<SpawnOp> spawns;
  std::optional<Failure> failure;
  std::vector<ValueId> outside_replies;
  std::vector<std::string> notes;

  // They will be looked at in a moment. Inline at any price: GCC drops calls of functions that only prefetch.
  [[gnu::always_inline]] void prefetch() const {
    __builtin_prefetch(&notifications);
    __builtin_prefetch(timers.data());
    __builtin_prefetch(history.data());
  }
  void clear() {
    if (!any) return;
    any = more = false;
    timers.clear();
    spawns.clear();
    outside_replies.clear();
    notes.clear();
    notifications.clear();
    history.clear();
    failure.reset();
  }
};

// What a person wants to read about a handler call and nothing else depends on.
struct Remarks {
  std::vector<std::string> disk;  // "stores Log{entries: [1]}", "reads Log{entries: []}"
  std::vector<std::string>
      labels;  // of its choices; "" where it has none; those of coins end with a question mark
};

// One local step of a value actor, computed once.
struct Transition {
  CellId next = 0;
  std::uint32_t sends_count = 0;
  const EnvelopeId* sends = nullptr;
  const Extras* extras = nullptr;  // null: none
  std::uint64_t delta = 0;  // what the step adds to the fingerprint of an unordered world, timers, spawns and
                            // monitors apart
  std::uint64_t cell_delta = 0;  // the part of it that is the actor's
  bool changed = false;
  bool to_spawned = false;  // some send is to a spawned actor, which may not be there

  std::span<const EnvelopeId> outs() const { return {sends, sends_count}; }
};

// Names the local step of a cell that handles an envelope.
constexpr std::uint64_t step_key(CellId cell, EnvelopeId envelope) {
  return (static_cast<std::uint64_t>(cell) << 32U) | envelope;
}

// What a clock may show.
struct TimeRange {
  std::int64_t earliest_ns = 0;
  std::int64_t latest_ns = 0;
};

// One way to answer the questions of a handler, and what it comes to.
struct Leaf {
  Transition transition;
  std::vector<DataChoice> answers;
  std::uint64_t answers_hash = 0;
  std::optional<std::int64_t> time_read = std::nullopt;  // nothing: it did not ask
};
using Leaves = std::vector<Leaf>;

// Answers the questions of handlers, and folds the answers of the current step into the hash that names its
// children.
class Asker {
 public:
  std::uint32_t ask(std::uint32_t among, bool coin) {
    const std::uint32_t answer = answer_to(among, coin);
    answers_hash = mix(answers_hash + 1, answer + 1ULL);
    return answer;
  }

  // What the clock shows, of what it may show. It is not folded: a message that is sent a little later is the same.
  std::int64_t ask_time(const TimeRange& range) {
    time_read = range.earliest_ns == range.latest_ns ? range.earliest_ns : time_within(range);
    return *time_read;
  }
  // Whether an event that is ready now, and was not, has been due before; both are possible. No handler asks this.
  bool ask_late() { return is_late(); }

  std::uint64_t answers_hash = 0;  // 0: nothing was asked
  std::optional<std::int64_t> time_read;

 protected:
  ~Asker() = default;
  virtual std::uint32_t answer_to(std::uint32_t among, bool coin) = 0;
  virtual std::int64_t time_within(const TimeRange& range) {
    return answer_to(2, false) == 0 ? range.earliest_ns : range.latest_ns;
  }
  virtual bool is_late() { return answer_to(2, false) == 1; }
};

}  // namespace gainsay
