// Execution: one run at a time, from the beginning or from a kept prefix, under a strategy, judged as it
// goes.
//
// One loop for every kind of world: what may be next (Engine), who is next (Strategy), the step (Engine), and what
// the judge says of it. An object is used for many runs and allocates nothing per step once its buffers have grown.
// It is single-threaded.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gainsay/execution/run/liveness.hpp"
#include "gainsay/execution/run/prefix.hpp"
#include "gainsay/execution/run/property_heat.hpp"
#include "gainsay/execution/run/visibility.hpp"
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
  bool unjudged = false;          // what clients saw was too much to be judged
  std::uint64_t trace_class = 0;  // hash of each actor's sequence of received ids and answers
};

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
  Trace trace() const { return recording_.trace(); }
  std::size_t steps() const { return recording_.size(); }
  // What clients asked and got in the last run; valid until the next.
  std::span<const HistoryEntry> history() const { return recording_.history(); }
  // By monitor (Kernel::monitors): whether any run so far notified it, and whether it was ever hot.
  const std::vector<bool>& notified_monitors() const { return notified_monitors_; }
  const std::vector<bool>& heated_monitors() const { return heated_monitors_; }
  const Recording& recording() const { return recording_; }
  const FlatRow<StepRecord>& records() const { return recording_.steps(); }
  std::span<const DataChoice> answers_of(std::size_t step) const { return recording_.answers_of(step); }

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
  Kernel& kernel() { return engine_.kernel(); }
  const Kernel& kernel() const { return engine_.kernel(); }
  Engine& engine() const { return engine_; }
  const WorldState& world() const { return world_; }
  // Between runs: switches actors to live execution where remembering does not pay, and forgets everything
  // when the pools have grown past `most_bytes`.
  void tidy(std::size_t most_bytes);

  // WorldReader
  Status status(ActorId actor) const override { return reader_.status(actor); }
  const ActorType* type(ActorId actor) const override { return reader_.type(actor); }
  const void* state(ActorId actor) const override { return reader_.state(actor); }
  const void* durable(ActorId actor, const ValueType& type) const override {
    return reader_.durable(actor, type);
  }
  std::uint32_t version(ActorId actor) const override { return reader_.version(actor); }
  std::uint64_t identity(ActorId actor) const override { return reader_.identity(actor); }
  bool has_spawned() const override { return reader_.has_spawned(); }
  std::vector<ActorId> actors() const override { return reader_.actors(); }
  std::string name(ActorId actor) const override { return reader_.name(actor); }

 private:
  // EventSource
  Event event_at(std::size_t index) const override {
    return engine_.event_of(world_, offer_.at(world_, index));
  }
  EventKind kind_at(std::size_t index) const override { return offer_.kind_at(world_, index); }
  std::size_t kind_end(std::size_t index, std::size_t end) const override {
    return offer_.kind_end(index, end);
  }
  std::optional<std::uint64_t> world_fingerprint() const override;
  const Pending& pending_at(std::size_t position) const {
    return world_.pending[world_.pending.place(position)];
  }
  std::size_t pending_count() const override { return world_.pending.count(); }
  EventId pending_id(std::size_t position) const override { return pending_at(position).id; }
  Event pending_event(std::size_t position) const override { return engine_.event_of(pending_at(position)); }
  EventLink pending_link(std::size_t position) const override;
  ActorId pending_receiver(std::size_t position) const override {
    return engine_.kernel().directory().id_of(pending_at(position).to);
  }
  ActorId pending_task(std::size_t position) const override { return task_of(pending_at(position)); }
  std::size_t position_of(std::size_t index) const override {
    if (world_.pending.count() == offer_.ordinary) return index;
    if (offer_.listed()) return world_.pending.position(offer_.list[index].target);
    return world_.pending.position(world_.pending.places().nth_without(offer_.closed(world_), index));
  }
  std::size_t index_of(std::size_t position, std::size_t ordinary) const override {
    if (offer_.listed()) return EventSource::index_of(position, ordinary);
    const BitRow& closed = offer_.closed(world_);
    const std::size_t place = world_.pending.place(position);
    if (closed[place]) return no_index;
    return world_.pending.places().count_without_before(closed, place);
  }
  void possible(std::size_t ordinary, BitRow& out) const override {
    if (offer_.listed()) {
      EventSource::possible(ordinary, out);
    } else {
      out.set_positions(world_.pending.places(), offer_.closed(world_));
    }
  }
  std::size_t count_of(ActorId receiver, std::size_t ordinary) const override;
  std::size_t nth_of(ActorId receiver, std::size_t nth, std::size_t ordinary) const override;
  Able first_able(std::span<const ActorId> receivers, std::size_t ordinary) const override;
  void owners_of_new(std::vector<Owner>& out) const override;
  bool are_new_for(std::uint64_t receivers) const override;
  ActorId task_of(const Pending& pending) const;
  EventTraits traits_of(std::size_t position) const override;
  bool commute(std::size_t position, std::size_t other) const override;
  // Asker
  std::uint32_t answer_to(std::uint32_t among, bool coin) override { return answer({0, among, coin}); }
  std::int64_t time_within(const TimeRange& range) override;
  bool is_late() override { return answer({0, 2, false, true}) == 1; }

  std::uint32_t answer(DataChoice question);
  std::int64_t choose_time(const TimeRange& range);
  std::size_t choose_value(std::size_t among);
  RunOutcome run_to_end(Strategy& strategy, const Keep& keep);
  void restore(const Keep& keep);
  void set_checkpoint();
  std::optional<RunOutcome> at_checkpoint(const Strategy& strategy);
  Alternative follow(const StepRecord& record) const;
  void perform(const Alternative& chosen, StepResult& result);
  void perform_watched(Strategy& strategy, const Alternative& chosen, StepResult& result);
  EffectFlags flags_of(const StepRecord& record, const StepResult& result) const;
  bool settled(Slot slot) const;
  [[gnu::noinline]] bool monitors_settled(const StepResult& result) const;
  std::optional<Violation> look_at_liveness(const Strategy& strategy);
  std::span<const std::uint64_t> enabled_classes();
  std::span<const std::uint64_t> enabled_keys();
  LassoWatch::Done what_was_done(std::uint32_t step);
  void felt();
  void note_extras(const StepResult& result);
  void note_notified(const Extras& extras);
  void note_heated();
  RunOutcome finish(Ending ending, std::optional<Violation> violation);
  bool can_copy_world() const;

  const Blueprint& blueprint_;
  ExecutionOptions options_;
  mutable Engine engine_;  // what it remembers is no part of an execution
  Judge judge_;
  Visibility visibility_;
  Liveness liveness_;
  PropertyHeat property_heat_;

  WorldState initial_;
  bool initial_made_ = false;
  WorldState world_;
  StateReader reader_;
  Alternatives offer_;  // of the current world
  Recording recording_;
  Prefix prefix_;
  std::vector<std::uint64_t> enabled_classes_;  // scratch of look_at_liveness
  std::vector<std::uint64_t> enabled_keys_;     // likewise
  bool judges_monitors_ = false;                // some property looks at a monitor
  bool has_tasks_ = false;                      // some actor of the scenario does
  std::vector<bool> notified_monitors_;
  std::size_t silent_monitors_ = 0;  // how many of them have not been notified
  std::vector<bool> heated_monitors_;
  std::size_t unheated_monitors_ = 0;  // how many of those that can be hot never were

  Strategy* strategy_ = nullptr;  // during a run
  Needs needs_;
  std::size_t checkpoint_ = 0;  // the step before which bounds and liveness are looked at next
  bool diverged_ = false;       // a question was asked that the followed execution did not ask
  std::vector<Event> created_;
  std::vector<Pending> made_;
  std::vector<std::uint64_t> steps_by_slot_;
  std::size_t enabled_max_ = 0;  // of this run
  Observer* observer_ = nullptr;
};

}  // namespace gainsay
