// Effects: what one handler call wants done, as values; applied by the world after the handler has returned.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gainsay/base/flat_row.hpp"
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

  friend bool operator==(const TimerOp&, const TimerOp&) = default;
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

// What few handlers do.
struct RareEffects {
  std::vector<SpawnOp> spawns;
  std::optional<Failure> failure;
  std::vector<ValueId> outside_replies;
  std::vector<std::string> notes;
};

// What a handler call does besides sending, as a step reads it; `CallEffects` or the kernel's memo owns it. It fills
// one line of the cache, and what is remembered lies in the lines behind it.
struct alignas(64) Extras {
  std::span<const TimerOp> timers;
  std::span<const HistoryOp> history;
  std::span<const EnvelopeId> notifications;  // to monitors
  const RareEffects* rare = nullptr;          // null: none

  const Failure* failure() const { return rare != nullptr && rare->failure ? &*rare->failure : nullptr; }
  std::span<const SpawnOp> spawns() const { return of_rare(&RareEffects::spawns); }
  std::span<const ValueId> outside_replies() const { return of_rare(&RareEffects::outside_replies); }
  std::span<const std::string> notes() const { return of_rare(&RareEffects::notes); }

  // They will be looked at in a moment. Inline at any price: GCC drops calls of functions that only prefetch.
  [[gnu::always_inline]] void prefetch() const {
    const auto* const lines = reinterpret_cast<const char*>(this);
    for (int line = 0; line < 3; ++line) __builtin_prefetch(lines + 64 * line);
  }

 private:
  template <class Effect> std::span<const Effect> of_rare(std::vector<Effect> RareEffects::*row) const {
    return rare == nullptr ? std::span<const Effect>() : std::span<const Effect>(rare->*row);
  }
};
static_assert(sizeof(Extras) == 64);
inline constexpr Extras no_extras;

// The effects of one handler call while they are collected.
class CallEffects {
 public:
  FlatRow<EnvelopeId> sends;
  // Whoever adds one takes the row from here.
  FlatRow<TimerOp>& timers() { return any_ = true, timers_; }
  FlatRow<HistoryOp>& history() { return any_ = true, history_; }
  FlatRow<EnvelopeId>& notifications() { return any_ = true, notifications_; }
  RareEffects& rare() { return any_ = any_rare_ = true, rare_; }
  bool failed() const { return rare_.failure.has_value(); }

  // Null where there are none. Valid until the next effect or `clear`.
  const Extras* extras() {
    if (!any_) return nullptr;
    extras_ = {timers_, history_, notifications_, any_rare_ ? &rare_ : nullptr};
    return &extras_;
  }
  void clear() {
    sends.clear();
    if (!any_) return;
    timers_.clear();
    history_.clear();
    notifications_.clear();
    if (any_rare_) rare_ = {};
    any_ = any_rare_ = false;
  }

 private:
  bool any_ = false;
  bool any_rare_ = false;
  FlatRow<TimerOp> timers_;
  FlatRow<HistoryOp> history_;
  FlatRow<EnvelopeId> notifications_;
  RareEffects rare_;
  Extras extras_;
};

// What a person wants to read about a handler call and nothing else depends on.
struct Remarks {
  std::vector<std::string> disk;  // "stores Log{entries: [1]}", "reads Log{entries: []}"
  std::vector<std::string>
      labels;  // of its choices; "" where it has none; those of coins end with a question mark
};

// One local step of a value actor, computed once. Hunts look up one in every step: it is kept small.
struct Transition {
  CellId next = 0;
  std::uint32_t sends_count : 30 = 0;
  bool changed : 1 = false;
  bool to_spawned : 1 = false;  // some send is to a spawned actor, which may not be there
  const EnvelopeId* sends = nullptr;
  const Extras* extras = nullptr;  // null: none

  std::span<const EnvelopeId> outs() const { return {sends, sends_count}; }
  const Extras& rest() const { return extras != nullptr ? *extras : no_extras; }
  const Failure* failure() const { return rest().failure(); }
};
static_assert(sizeof(Transition) == 24);

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
  std::uint64_t delta = 0;  // what the step adds to the fingerprint of an unordered world, timers, spawns and
                            // monitors apart
  std::uint64_t cell_delta = 0;  // the part of it that is the actor's
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
