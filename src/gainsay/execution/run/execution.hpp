// Execution: one run at a time, from the beginning or from a kept prefix, under a strategy, judged as it
// goes.
//
// It owns the current world, the record of steps and answers, and (for strategies that backtrack) the
// snapshots. An object is used for many runs and allocates nothing per step once its buffers have grown. It
// is single-threaded.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "gainsay/execution/run/liveness.hpp"
#include "gainsay/execution/run/visibility.hpp"
#include "gainsay/execution/world/stepper.hpp"
#include "gainsay/oracle/judge.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

enum class Backtracking : std::uint8_t { snapshots, reexecution };

struct ExecutionOptions {
  std::size_t steps_max = 10'000;
  bool memo = true;                                     // false: all value actors are executed in place
  Backtracking backtracking = Backtracking::snapshots;  // where the world allows it
  const std::atomic<bool>* stop = nullptr;              // looked at now and then
  LivenessOptions liveness{};
  bool judge_histories = true;  // false: left to whoever reads `history()`
};

struct RunOutcome {
  Ending ending = Ending::quiescent;
  std::optional<Violation> violation;
  std::size_t steps = 0;
  std::size_t enabled_max = 0;    // most events, faults included, that the strategy had before it at once
  bool cut = false;               // ended at the step bound as quiescent, although faults were still possible
  bool fair = false;              // the schedule was fair at its end
  std::uint64_t trace_class = 0;  // hash of each actor's sequence of received ids and answers
};

struct StepRecord {
  EventId id;
  EnvelopeId envelope = 0;  // 0 for faults that concern no message
  std::uint32_t parent = no_step;
  std::uint32_t target = 0;       // slot or partition, for faults
  std::uint32_t answers_end = 0;  // answers of this step: [previous step's end, answers_end)
  EventKind kind = EventKind::deliver;
};

// What is being caught, in words. REQUIRES: called from a catch block.
std::string current_exception_text();
// The message of a violation by code of the scenario that is neither handler nor property.
std::string foreign_exception_text(const std::string& what);

class Execution final : private EventSource, private Asker, public WorldReader {
 public:
  Execution(const Blueprint& blueprint, ExecutionOptions options);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // Executes one run. `strategy.begin` was called and said `keep`. Throws Divergence where an execution that
  // is followed (a kept prefix, a replay) cannot be followed.
  RunOutcome run(Strategy& strategy, const Keep& keep);

  // The last run as a trace.
  Trace trace() const;
  std::size_t steps() const { return records_.size(); }
  // What clients asked and got in the last run; valid until the next.
  std::vector<HistoryEntry> history() const;
  // By monitor (Kernel::monitors): whether any run so far notified it, and whether it was ever hot.
  const std::vector<bool>& notified_monitors() const { return notified_monitors_; }
  const std::vector<bool>& heated_monitors() const { return heated_monitors_; }
  Event event_of(const StepRecord& record) const;
  const std::vector<StepRecord>& records() const { return records_; }
  std::span<const DataChoice> answers_of(std::size_t step) const;

  // What a stepwise observer (documents, lockstep comparison) needs.
  class Observer {
   public:
    virtual ~Observer() = default;
    virtual void before_step(const Execution&, const Event&) {}
    virtual void after_step(const Execution&, const Event&, const StepResult&,
                            std::span<const Pending> /*created*/) {}
  };
  void observe(Observer* observer) { observer_ = observer; }

  Judge& judge() { return judge_; }
  Kernel& kernel() { return kernel_; }
  const Kernel& kernel() const { return kernel_; }
  const Network& network() const { return network_; }
  const WorldState& world() const { return world_; }
  // Between runs: switches actors to live execution where remembering does not pay, and forgets everything
  // when the pools have grown past `most_bytes`.
  void tidy(std::size_t most_bytes);

  // WorldReader
  Status status(ActorId actor) const override;
  const ActorType* type(ActorId actor) const override;
  const void* state(ActorId actor) const override;
  const void* durable(ActorId actor, const ValueType& type) const override;
  std::uint32_t version(ActorId actor) const override;
  bool has_spawned() const override;
  std::vector<ActorId> actors() const override;
  std::string name(ActorId actor) const override { return kernel_.directory().name_of(actor); }

 private:
  // EventSource
  Event event_at(std::size_t index) const override;
  std::optional<std::uint64_t> world_fingerprint() const override;
  std::size_t pending_count() const override { return world_.pending.size(); }
  EventId pending_id(std::size_t position) const override { return world_.pending[position].id; }
  Event pending_event(std::size_t position) const override {
    return gainsay::event_of(kernel_, world_.pending[position]);
  }
  std::size_t position_of(std::size_t index) const override {
    return plain_ ? index : alternatives_.list[index].target;
  }
  EventTraits traits_of(std::size_t position) const override;
  bool commute(std::size_t position, std::size_t other) const override;
  // Asker
  std::uint32_t answer_to(std::uint32_t among, bool coin) override;

  RunOutcome run_to_end(Strategy& strategy, const Keep& keep);
  std::optional<RunOutcome> run_plain(Strategy& strategy);
  void restore(const Keep& keep);
  void take_snapshot();
  Alternative follow(const StepRecord& record) const;
  std::optional<Alternative> decide(Strategy& strategy);
  void record_step(const Alternative& chosen);
  StepResult perform(Strategy& strategy, const Alternative& chosen);
  StepResult perform_watched(Strategy& strategy, const Alternative& chosen);
  EffectFlags flags_of(const StepRecord& record, const StepResult& result) const;
  bool settled(Slot slot) const;
  std::optional<Violation> look_at_liveness(const Strategy& strategy);
  void note_extras(const StepResult& result);
  void note_notified(const Extras& extras);
  std::optional<Violation> judge_step(const StepResult& result);
  RunOutcome finish(Ending ending, std::optional<Violation> violation);
  bool can_snapshot() const;
  Slot slot_or_none(ActorId actor) const;

  const Blueprint& blueprint_;
  ExecutionOptions options_;
  mutable Kernel kernel_;  // what it remembers is no part of an execution
  Network network_;
  Stepper stepper_;
  WorldHash hash_;
  Judge judge_;
  Visibility visibility_;
  Liveness liveness_;

  WorldState initial_;
  bool initial_made_ = false;
  WorldState world_;
  bool plain_ = false;
  Alternatives alternatives_;                   // of the current world, unless it is plain
  std::vector<std::uint64_t> enabled_classes_;  // scratch of look_at_liveness
  std::vector<StepRecord> records_;
  std::vector<DataChoice> answers_;
  struct HistoryRecord {
    std::uint32_t step = 0;
    Slot slot = 0;
    HistoryOp op;
  };
  std::vector<HistoryRecord> history_;
  bool judges_monitors_ = false;  // some property looks at a monitor
  std::vector<bool> notified_monitors_;
  std::size_t silent_monitors_ = 0;  // how many of them have not been notified
  std::vector<bool> heated_monitors_;

  Strategy* strategy_ = nullptr;  // during a run
  Needs needs_;
  Ending cut_ = Ending::blocked;       // why the strategy ended the run, where it did
  bool diverged_ = false;              // a question was asked that the followed execution did not ask
  std::vector<WorldState> snapshots_;  // storage; the first `snapshot_steps_.size()` are in use
  std::vector<std::size_t>
      snapshot_steps_;              // snapshots_[i] is the world before step snapshot_steps_[i], increasing
  std::size_t kept_steps_ = 0;      // of this run: the strategy knows what they did
  std::vector<StepRecord> forced_;  // prefix that is followed without asking
  std::vector<DataChoice> forced_answers_;
  std::size_t next_forced_answer_ = 0;
  std::vector<Event> created_;
  std::vector<std::uint64_t> steps_by_slot_;
  std::size_t enabled_max_ = 0;  // of this run
  Observer* observer_ = nullptr;
};

}  // namespace gainsay
