// Stepper: moves a world by one event. The only code that changes a WorldState.
#pragma once

#include <vector>

#include "gainsay/execution/kernel/kernel.hpp"
#include "gainsay/execution/world/network.hpp"
#include "gainsay/execution/world/world_state.hpp"

namespace gainsay {

struct StepResult {
  Slot slot = Directory::no_slot;  // whose local state may have changed
  bool changed = false;
  const Failure* failure = nullptr;  // of the handler; valid until the next step
  const Extras* extras = nullptr;    // likewise; null: none
  bool notified = false;             // some monitor was
  bool monitors_changed = false;     // and is in another state, or may be
};

class Stepper {
 public:
  Stepper(Kernel& kernel, Network& network);

  // Which actors are executed in place; opaque ones always are. Takes effect with the next `initial`.
  void make_live(Slot slot);
  void make_all_live() { all_live_ = true; }
  bool is_live(Slot slot) const { return all_live_ || (slot < live_.size() && live_[slot]); }

  void initial(WorldState& world);

  // Whether every pending event of this world is enabled, so that alternatives are simply the pending
  // entries.
  bool plain(const WorldState& world) const {
    return network_.plain() && world.starts_pending == 0 && world.plain;
  }

  // Executes world.pending[index] of a plain world; `pending` is a copy of it, `brief` its envelope's. The
  // result is written where it is read: copying it right after its fields were stored would stall.
  void step_plain(WorldState& world, std::size_t index, const Pending& pending, EnvelopeBrief brief,
                  Asker& asker, StepResult& result) {
    const Slot slot = brief.to;
    const CellId cell = world.cells[slot];
    if (cell == live_cell) [[unlikely]] {
      result = step(world, {brief.kind, static_cast<std::uint32_t>(index)}, asker);
      return;
    }
    asker.answers_hash = 0;
    const Transition& transition = kernel_.transition(cell, pending.envelope, asker, Time(0));
    world.cells[slot] = transition.next;
    world.classes[slot] = mix(world.classes[slot], pending.id.raw ^ asker.answers_hash);
    world.pending.erase(world.pending.begin() + static_cast<std::ptrdiff_t>(index));
    const std::uint64_t seed = child_seed(pending.id, asker.answers_hash);
    const std::uint32_t step = world.steps++;
    for (std::uint32_t k = 0; k < transition.sends_count; ++k) {
      world.pending.push_back({child_event_id(seed, EventKind::deliver, k), transition.sends[k], step});
    }
    result.slot = slot;
    result.changed = transition.changed;
    result.failure = nullptr;
    result.extras = transition.extras;
    result.notified = false;
    result.monitors_changed = false;
    if (transition.extras != nullptr || transition.to_spawned) [[unlikely]]
      finish_step(world, seed, step, transition.outs(), result);
  }

  // Executes any alternative except `stop`.
  StepResult step(WorldState& world, const Alternative& alternative, Asker& asker);

  // --- what faults do to a world (execution/world/faults/) ---
  Kernel& kernel() { return kernel_; }
  const Budgets& budgets() const { return network_.budgets(); }
  // Lets the actor handle an envelope that has been taken off the network (or that is no message at all).
  StepResult handle(WorldState& world, Slot slot, EnvelopeId envelope, EventId id, Asker& asker);
  void add_pending(WorldState& world, const Pending& pending, const PendingWindow& window, Slot sender);
  void erase_pending(WorldState& world, std::size_t index);
  // A copy goes behind all that is pending; it was sent when the original was.
  void copy_pending(WorldState& world, std::size_t index, EventId id);
  // At the same place; window and clock stay.
  void replace_pending(WorldState& world, std::size_t index, const Pending& instead);
  // Timers and task steps of an actor: those of a type, or (null) all.
  void erase_timers(WorldState& world, Slot slot, const ValueType* type);
  // A start that has not happened.
  void erase_start(WorldState& world, Slot slot);
  // The event becomes part of the class of the execution, at one actor or at all.
  void fold(WorldState& world, Slot slot, EventId id) {
    world.classes[slot] = mix(world.classes[slot], id.raw);
  }
  void fold_everywhere(WorldState& world, EventId id);

 private:
  StepResult consume(WorldState& world, std::size_t index, Asker& asker);
  StepResult fault(WorldState& world, const Alternative& alternative, Asker& asker);
  void finish_step(WorldState& world, std::uint64_t seed, std::uint32_t step,
                   std::span<const EnvelopeId> sends, StepResult& result);
  const Failure* notify(WorldState& world, EnvelopeId envelope, bool& changed);
  void feel_heat(WorldState& world, std::uint32_t steps);
  void apply_sends(WorldState& world, Slot slot, std::uint64_t seed, std::uint32_t step,
                   std::span<const EnvelopeId> sends);
  void apply_extras(WorldState& world, Slot slot, std::uint64_t seed, std::uint32_t step,
                    const Extras& extras);
  void spawn(WorldState& world, Slot creator, const SpawnOp& op, EventId start_id, std::uint32_t step);
  const Failure* send_to_nobody(const WorldState& world, Slot sender, std::span<const EnvelopeId> sends);
  void grow(WorldState& world, std::size_t slots);
  void tick_partition(WorldState& world);

  struct LivenessMonitor {
    std::size_t index = 0;  // in Kernel::monitors()
    Slot slot = 0;
    bool (*hot)(const void* monitor) = nullptr;
  };

  Kernel& kernel_;
  Network& network_;
  std::vector<LivenessMonitor> liveness_monitors_;
  std::vector<bool> live_;
  bool all_live_ = false;
  std::vector<EnvelopeId> live_sends_;
  Extras live_extras_;
  std::vector<EnvelopeId> monitor_sends_;
  Extras monitor_extras_;
  Failure monitor_failure_;
  Failure nobody_there_;
  Alternatives scratch_;
};

}  // namespace gainsay
