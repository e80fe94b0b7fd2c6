// Recording: what happened in an execution so far, step by step, with the answers to handlers' questions and what
// clients saw. Rows that only grow at their end, or are cut there.
#pragma once

#include <span>

#include "gainsay/base/flat_row.hpp"
#include "gainsay/execution/world/engine.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

struct StepRecord {
  EventId id;
  EnvelopeId envelope = 0;  // 0 for crash, restart, partition, heal
  std::uint32_t parent = no_step;
  std::uint32_t target = 0;       // slot or partition, for faults
  std::uint32_t answers_end = 0;  // answers of this step: [previous step's end, answers_end)
  EventKind kind = EventKind::deliver;
};

class Recording {
 public:
  explicit Recording(const Engine& engine) : engine_(engine) {}

  std::size_t size() const { return steps_.size(); }
  bool empty() const { return steps_.empty(); }
  const FlatRow<StepRecord>& steps() const { return steps_; }
  const FlatRow<DataChoice>& answers() const { return answers_; }
  std::span<const DataChoice> answers_of(std::size_t step) const {
    const std::size_t begin = answers_before(step);
    return {answers_.data() + begin, steps_[step].answers_end - begin};
  }
  std::size_t answers_before(std::size_t step) const { return step == 0 ? 0 : steps_[step - 1].answers_end; }
  Event event_of(const StepRecord& record) const;
  Trace trace() const;
  // Valid until the recording changes.
  std::span<const HistoryEntry> history() const { return {history_.data(), history_.size()}; }

  // A step begins; its answers follow.
  void begin_step(const WorldState& world, const Alternative& chosen) {
    if (is_ordinary(chosen.kind)) [[likely]] {
      const Pending& pending = world.pending[chosen.target];
      StepRecord& step = steps_.add();
      step.id = pending.id;
      step.envelope = pending.envelope;
      step.parent = pending.parent;
      step.target = chosen.target;
      step.answers_end = answer_count();
      step.kind = chosen.kind;
    } else {
      begin_fault(world, chosen);
    }
  }
  void answer(const DataChoice& choice) { answers_.push_back(choice); }
  void end_step() { steps_[steps_.size() - 1].answers_end = answer_count(); }
  void note_history(Slot slot, const HistoryOp& op) {
    history_.add() = engine_.history_entry(static_cast<std::uint32_t>(steps_.size() - 1), slot, op);
  }
  // Back to the first `steps` steps.
  void cut(std::size_t steps);
  void clear_history() { history_.clear(); }

 private:
  std::uint32_t answer_count() const { return static_cast<std::uint32_t>(answers_.size()); }
  void begin_fault(const WorldState& world, const Alternative& chosen);

  const Engine& engine_;
  FlatRow<StepRecord> steps_;
  FlatRow<DataChoice> answers_;
  FlatRow<HistoryEntry> history_;
};

}  // namespace gainsay
