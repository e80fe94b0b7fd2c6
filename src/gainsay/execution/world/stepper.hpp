// Stepper: moves a world by one event. The only code that changes a WorldState.
#pragma once

#include <vector>

#include "gainsay/execution/kernel/kernel.hpp"
#include "gainsay/execution/world/network.hpp"
#include "gainsay/execution/world/queue_order.hpp"
#include "gainsay/execution/world/world_state.hpp"

namespace gainsay {

struct StepResult {
  Slot slot = Directory::no_slot;  // whose local state may have changed
  bool changed = false;
  const Failure* failure = nullptr;  // of the handler; valid until the next step
  const Extras* extras = nullptr;    // likewise; null: none
  bool notified = false;             // some monitor was
  bool monitors_changed = false;     // and is in another state, or may be
  bool heat_changed = false;         // what the world keeps of monitors' heat
};

class Stepper {
 public:
  static constexpr TimeRange no_clock{};
  Stepper(Front& front, Network& network);

  // Which actors are executed in place; opaque ones always are. Takes effect with the next `initial`.
  void make_live(Slot slot);
  void make_all_live() { all_live_ = true; }
  bool is_live(Slot slot) const { return all_live_ || (slot < live_.size() && live_[slot]); }
  // Whether a step of a value actor that is executed in place says exactly if it changed anything, at the price of a
  // copy; else it says that it did. Of opaque actors nobody knows.
  void compare_live(bool exactly) { compares_live_ = exactly; }

  void initial(WorldState& world);

  // Executes any alternative except `stop`. The result is written where it is read: copying it right after its
  // fields were stored would stall.
  [[gnu::always_inline]] void step(WorldState& world, const Alternative& alternative, Asker& asker,
                                   StepResult& result) {
    asker.answers_hash = 0;
    if (network_.free(world) && !world.is_live(world.pending[alternative.target].to)) [[likely]] {
      // Nothing but the handler's own effects: no clocks, budgets, windows or cuts, and nobody waits.
      const Pending pending = world.pending[alternative.target];
      world.erase_free(alternative.target);
      handled_ = pending.envelope;
      const Transition& transition =
          kernel_.transition(world.cells[pending.to], pending.envelope, asker, no_clock);
      apply(world, pending.to, pending.id, transition, asker.answers_hash, result);
      ++world.steps;
      if (world.is_crowded()) [[unlikely]]
        world.squeeze();
      return;
    }
    if (network_.free_in_time(world) && is_ordinary(alternative.kind) &&
        !world.is_live(world.pending[alternative.target].to)) {
      step_in_time(world, alternative.target, asker, result);
    } else {
      step_with_rules(world, alternative, asker, result);
    }
  }
  StepResult step(WorldState& world, const Alternative& alternative, Asker& asker) {
    StepResult result;
    step(world, alternative, asker, result);
    return result;
  }
  // The same where it is known what the actor will do (Front::leaves); what is asked then is no handler's question.
  // REQUIRES: an ordinary event of a value actor that will arrive, or a restart with a handler.
  void step_known(WorldState& world, const Alternative& alternative, const Leaf& leaf, Asker& asker,
                  StepResult& result);
  void step_known(WorldState& world, const Alternative& alternative, const Leaf& leaf, StepResult& result);
  // What an actor handles first when it is restarted or created anew.
  EnvelopeId own_envelope(Slot slot, EventKind kind);

  // --- for faults (execution/world/faults) ---
  Kernel& kernel() { return kernel_; }
  Front& front() { return front_; }
  const Budgets& budgets() const { return network_.budgets(); }
  // The fault takes part in what the actor, or everybody, has seen.
  void fold(WorldState& world, Slot slot, EventId id) const {
    world.classes[slot] = mix(world.classes[slot], id.raw);
  }
  void fold_everywhere(WorldState& world, EventId id) const;
  void erase_pending(WorldState& world, std::size_t place);
  // A copy at the end, under an id of its own.
  void copy_pending(WorldState& world, std::size_t place, EventId id);
  // Another message in the place of this one.
  void replace_pending(WorldState& world, std::size_t place, EventId id, EnvelopeId envelope);
  // Timers and steps of tasks.
  void erase_timers(WorldState& world, Slot slot);
  void erase_start(WorldState& world, Slot slot);
  // Lets the actor handle an envelope that has been taken off the network (or that is no message at all).
  StepResult handle(WorldState& world, Slot slot, EnvelopeId envelope, EventId id, Asker& asker) {
    StepResult result;
    handle(world, slot, envelope, id, asker, result);
    return result;
  }

 private:
  // What an event comes to in the world, the actor's own state and everything it wants done.
  template <Rules rules = Rules::any>
  [[gnu::always_inline]] void apply(WorldState& world, Slot slot, EventId id, const Transition& transition,
                                    std::uint64_t answers_hash, StepResult& result) {
    if (transition.extras != nullptr) transition.extras->prefetch();
    world.cells[slot] = transition.next;
    world.classes[slot] = mix(world.classes[slot], id.raw ^ answers_hash);
    result = {slot, transition.changed, nullptr, transition.extras, false, false, false};
    const std::uint64_t seed = child_seed(id, answers_hash);
    add_sends<rules>(world, seed, transition.outs());
    if (transition.extras != nullptr || transition.to_spawned) [[unlikely]]
      finish_step<rules>(world, seed, transition.outs(), result);
  }
  template <Rules rules>
  [[gnu::always_inline]] void add_sends(WorldState& world, std::uint64_t seed,
                                        std::span<const EnvelopeId> sends) {
    if constexpr (rules == Rules::time) {
      add_sends_in_time(world, seed, sends);
    } else if constexpr (are_narrow(rules)) {
      add_sends_narrow<rules>(world, seed, sends);
    } else if (rules == Rules::any && network_.free(world)) {
      for (std::uint32_t k = 0; k < sends.size(); ++k) {
        world.append(network_.route(sends[k]), child_event_id(seed, EventKind::deliver, k), sends[k],
                     world.steps);
      }
    } else {
      add_sends_with_rules<rules>(world, seed, sends);
    }
  }
  void step_with_rules(WorldState& world, const Alternative& alternative, Asker& asker, StepResult& result) {
    if (network_.is_narrow(world)) [[likely]] {
      world.timed ? step_narrow<Rules::narrow_in_time>(world, alternative.target, asker, result)
                  : step_narrow<Rules::narrow>(world, alternative.target, asker, result);
    } else if (network_.only_order()) {
      step_with<Rules::order>(world, alternative, asker, result);
    } else {
      step_with<Rules::any>(world, alternative, asker, result);
    }
  }
  // REQUIRES: Network::is_narrow.
  template <Rules rules>
  void step_narrow(WorldState& world, std::size_t place, Asker& asker, StepResult& result);
  template <Rules rules>
  void add_sends_narrow(WorldState& world, std::uint64_t seed, std::span<const EnvelopeId> sends);
  template <Rules rules>
  void step_with(WorldState& world, const Alternative& alternative, Asker& asker, StepResult& result);
  // REQUIRES: nothing but time says what may be next.
  [[gnu::always_inline]] void add_sends_in_time(WorldState& world, std::uint64_t seed,
                                                std::span<const EnvelopeId> sends) {
    for (std::uint32_t k = 0; k < sends.size(); ++k)
      world.add_in_time(network_.route(sends[k]), child_event_id(seed, EventKind::deliver, k), sends[k],
                        network_.window(sends[k]));
  }
  void step_in_time(WorldState& world, std::size_t place, Asker& asker, StepResult& result);
  template <Rules rules> void consume(WorldState& world, std::size_t place, Asker& asker, StepResult& result);
  void handle(WorldState& world, Slot slot, EnvelopeId envelope, EventId id, Asker& asker,
              StepResult& result);
  template <Rules rules>
  [[gnu::noinline]] void handle_known(WorldState& world, Slot slot, EventId id, StepResult& result);
  template <Rules rules>
  [[gnu::noinline]] void handle_live(WorldState& world, Slot slot, EnvelopeId envelope, EventId id,
                                     Asker& asker, StepResult& result);
  template <Rules rules>
  void handle_now(WorldState& world, Slot slot, EnvelopeId envelope, EventId id, Asker& asker,
                  StepResult& result);
  void fault(WorldState& world, const Alternative& alternative, Asker& asker, StepResult& result);
  template <Rules rules>
  void finish_step(WorldState& world, std::uint64_t seed, std::span<const EnvelopeId> sends,
                   StepResult& result);
  void finish_rare(WorldState& world, std::uint64_t seed, const Extras& extras, StepResult& result);
  void tell_monitors(WorldState& world, const Extras& extras, StepResult& result);
  // The monitor will be told in a moment.
  [[gnu::always_inline]] void prefetch_monitor(const WorldState& world, EnvelopeId envelope) {
    const CellId cell = world.cells[network_.route(envelope).to];
    if (cell != live_cell && !front_.shared()) kernel_.prefetch(cell, envelope);
  }
  void notify(WorldState& world, EnvelopeId envelope, StepResult& result);
  bool note_heat(WorldState& world, Slot slot, std::uint32_t steps);
  void start_monitors(WorldState& world);
  template <Rules rules>
  void add_sends_with_rules(WorldState& world, std::uint64_t seed, std::span<const EnvelopeId> sends,
                            std::uint32_t first = 0);
  template <Rules rules>
  void apply_timers(WorldState& world, Slot slot, std::uint64_t seed, std::span<const TimerOp> timers);
  template <Rules rules>
  void cancel_timers(WorldState& world, Slot slot, std::span<const TimerOp> cancellations);
  void spawn(WorldState& world, Slot creator, const SpawnOp& op, EventId start_id);
  const Failure* send_to_nobody(const WorldState& world, Slot sender, std::span<const EnvelopeId> sends);
  template <Rules rules = Rules::any, class Window>
  [[gnu::always_inline]] void add_pending(WorldState& world, EventId id, EnvelopeId envelope,
                                          std::uint32_t parent, const Window& window) {
    const Route& route = network_.route(envelope);
    const std::size_t place = world.add<rules>(route, id, envelope, parent, window);
    if (world.has_queues<rules>()) queue_.added(world);
    if (network_.may_wait(world)) network_.admit<rules>(world, place, route);
  }
  template <Rules rules> void count_step(WorldState& world);
  // Places change, and what was found of them.
  [[gnu::noinline]] void squeeze(WorldState& world);
  // --- simulated time ---
  TimeRange clock_of(const WorldState& world, Slot slot) const;
  void bind_clock(WorldState& world, Slot slot, std::int64_t shown_ns);

  struct LivenessMonitor {
    std::size_t row = 0;  // of WorldState::heat
    Slot slot = 0;
    Heat (*heat)(const void* monitor) = nullptr;
  };

  Front& front_;
  Kernel& kernel_;
  Network& network_;
  QueueOrder queue_;
  std::vector<LivenessMonitor> liveness_monitors_;
  std::size_t heat_rows_ = 0;  // of WorldState::heat
  std::vector<bool> live_;
  bool all_live_ = false;
  bool compares_live_ = false;
  const Leaf* known_ = nullptr;  // during step_known: what the handler does
  EnvelopeId handled_ = 0;       // by this step; what it arms again is not looked for
  CallEffects live_effects_;
  CallEffects monitor_effects_;
  Failure monitor_failure_;
  Failure nobody_there_;
  Alternatives scratch_;
};

}  // namespace gainsay
