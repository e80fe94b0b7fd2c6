// The steps of worlds in which something says what may be next: compiled for each kind of rules (Rules), without the
// questions that have one answer there.
#include "gainsay/execution/world/faults/faults.hpp"
#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {

template <Rules rules>
void Stepper::add_sends_with_rules(WorldState& world, std::uint64_t seed, std::span<const EnvelopeId> sends,
                                   std::uint32_t first) {
  if (rules == Rules::any && first == 0 && network_.free_in_time(world)) {
    add_sends_in_time(world, seed, sends);
    return;
  }
  for (std::uint32_t k = first; k < sends.size(); ++k) {
    add_pending<rules>(world, child_event_id(seed, EventKind::deliver, k), sends[k], world.steps,
                       [&] { return network_.window(sends[k]); });
  }
}
template void Stepper::add_sends_with_rules<Rules::any>(WorldState& world, std::uint64_t seed,
                                                        std::span<const EnvelopeId> sends,
                                                        std::uint32_t first);

// What finds no place, or nobody who is there, is added as in any world, which may be a wide one then.
template <Rules rules>
[[gnu::always_inline]] inline void Stepper::add_sends_narrow(WorldState& world, std::uint64_t seed,
                                                             std::span<const EnvelopeId> sends) {
  for (std::uint32_t k = 0; k < sends.size(); ++k) {
    const Route& route = network_.route(sends[k]);
    const std::size_t place = world.pending.behind();
    if (place >= 64 || route.to >= world.cells.size() || world.cells[route.to] == 0) [[unlikely]] {
      add_sends_with_rules<Rules::any>(world, seed, sends, k);
      return;
    }
    world.add_narrow<rules>(route, child_event_id(seed, EventKind::deliver, k), sends[k],
                            [&] { return network_.window(sends[k]); });
    network_.admit_narrow(world, place, route);
  }
}

template <Rules rules>
void Stepper::cancel_timers(WorldState& world, Slot slot, std::span<const TimerOp> cancellations) {
  world.each_own<rules>(slot, [&](std::size_t place) {
    const Pending& pending = world.pending[place];
    if (pending.kind == EventKind::start) return;
    const ValueType* const type = kernel_.envelope(pending.envelope).type;
    bool cancelled = false;
    for (const TimerOp& op : cancellations) cancelled |= op.cancelled == type;
    if (cancelled) world.erase<rules>(place);
  });
}

template <Rules rules>
void Stepper::apply_timers(WorldState& world, Slot slot, std::uint64_t seed,
                           std::span<const TimerOp> timers) {
  if (are_narrow(rules) && (!world.is_narrow() || world.pending.behind() + timers.size() > 64)) [[unlikely]]
    return apply_timers<Rules::any>(world, slot, seed, timers);
  std::uint32_t ordinal = 0;
  for (std::size_t i = 0; i < timers.size(); ++i) {
    const TimerOp& op = timers[i];
    if (op.cancelled != nullptr) {  // with those that follow: one look at what is pending is enough
      const std::size_t first = i;
      while (i + 1 < timers.size() && timers[i + 1].cancelled != nullptr) ++i;
      cancel_timers<rules>(world, slot, timers.subspan(first, i + 1 - first));
      continue;
    }
    // At most one event is pending with this envelope, and the one that has just been handled is not.
    if (op.armed != handled_) {
      world.each_own<rules>(slot, [&](std::size_t place) {
        if (world.pending[place].envelope == op.armed) world.erase<rules>(place);
      });
    }
    if (op.withdrawn) continue;
    if (op.armed == handled_) handled_ = 0;
    const Route& route = network_.route(op.armed);
    const EventId id = child_event_id(seed, route.kind, ordinal++);
    const auto window = [&] { return network_.time().timer_window(slot, op.earliest, op.latest); };
    if constexpr (are_narrow(rules)) {
      const std::size_t place = world.pending.behind();
      world.add_own_narrow<rules>(route, id, op.armed, window);
      network_.admit_own_narrow(world, place, route);
    } else {
      add_pending(world, id, op.armed, world.steps, window);
    }
  }
}

void Stepper::finish_rare(WorldState& world, std::uint64_t seed, const Extras& extras, StepResult& result) {
  std::uint32_t ordinal = 0;
  for (const SpawnOp& op : extras.spawns())
    spawn(world, result.slot, op, child_event_id(seed, EventKind::start, ordinal++));
  result.failure = extras.failure();
}

void Stepper::tell_monitors(WorldState& world, const Extras& extras, StepResult& result) {
  for (const EnvelopeId envelope : extras.notifications) {
    notify(world, envelope, result);
    result.notified = true;
  }
}

// What a step does besides sending. The handler's own failure comes first, then those of the monitors it told.
template <Rules rules>
void Stepper::finish_step(WorldState& world, std::uint64_t seed, std::span<const EnvelopeId> sends,
                          StepResult& result) {
  if (result.extras != nullptr) {
    const Extras& extras = *result.extras;
    if (!extras.notifications.empty()) prefetch_monitor(world, extras.notifications.front());
    if (!extras.timers.empty()) apply_timers<rules>(world, result.slot, seed, extras.timers);
    if (extras.rare != nullptr) finish_rare(world, seed, extras, result);
    if (!extras.notifications.empty()) tell_monitors(world, extras, result);
  }
  if (result.failure == nullptr && kernel_.directory().has_spawned())
    result.failure = send_to_nobody(world, result.slot, sends);
}
template void Stepper::finish_step<Rules::any>(WorldState& world, std::uint64_t seed,
                                               std::span<const EnvelopeId> sends, StepResult& result);

template <Rules rules>
void Stepper::handle_known(WorldState& world, Slot slot, EventId id, StepResult& result) {
  if (world.has_time<rules>() && known_->time_read) bind_clock(world, slot, *known_->time_read);
  apply<rules>(world, slot, id, known_->transition, known_->answers_hash, result);
}

template <Rules rules>
void Stepper::handle_live(WorldState& world, Slot slot, EnvelopeId envelope, EventId id, Asker& asker,
                          StepResult& result) {
  const TimeRange clock = world.has_time<rules>() ? clock_of(world, slot) : TimeRange{};
  LiveActor& actor = world.live[slot];
  live_effects_.clear();
  result = {};
  result.slot = slot;
  if (actor.status == ActorStatus::alive) {
    if (compares_live_ && !actor.is_opaque()) {
      const LiveActor before = actor;
      kernel_.call_live(actor, slot, envelope, asker, clock, live_effects_);
      result.changed = !actor.is_same(before);
    } else {
      result.changed = kernel_.call_live(actor, slot, envelope, asker, clock, live_effects_);
    }
    if (world.has_time<rules>() && asker.time_read) bind_clock(world, slot, *asker.time_read);
  }
  result.extras = live_effects_.extras();
  world.classes[slot] = mix(world.classes[slot], id.raw ^ asker.answers_hash);
  const std::uint64_t seed = child_seed(id, asker.answers_hash);
  add_sends<rules>(world, seed, live_effects_.sends);
  if (result.extras != nullptr || kernel_.directory().has_spawned())
    finish_step<rules>(world, seed, live_effects_.sends, result);
}

template <Rules rules>
[[gnu::always_inline]] inline void Stepper::handle_now(WorldState& world, Slot slot, EnvelopeId envelope,
                                                       EventId id, Asker& asker, StepResult& result) {
  const bool timed = world.has_time<rules>();
  handled_ = envelope;
  if (known_ != nullptr) [[unlikely]] {
    handle_known<rules>(world, slot, id, result);
    return;
  }
  GAINSAY_CHECK(!front_.shared(), "threads that share a kernel know what a handler does before the step");
  asker.time_read.reset();
  if (!world.is_live(slot)) {
    const Transition* transition = kernel_.at_hand(world.cells[slot], envelope);
    if (transition == nullptr) {  // what its clock may show is computed only where it may be called
      const TimeRange clock = timed ? clock_of(world, slot) : TimeRange{};
      transition = &kernel_.look_up(world.cells[slot], envelope, asker, clock);
      if (timed && asker.time_read) bind_clock(world, slot, *asker.time_read);
    }
    apply<rules>(world, slot, id, *transition, asker.answers_hash, result);
    return;
  }
  handle_live<rules>(world, slot, envelope, id, asker, result);
}

void Stepper::handle(WorldState& world, Slot slot, EnvelopeId envelope, EventId id, Asker& asker,
                     StepResult& result) {
  handle_now<Rules::any>(world, slot, envelope, id, asker, result);
}

// A cut for so many steps ends when they have passed, or when it is all that keeps the world from going on.
template <Rules rules> inline void Stepper::count_step(WorldState& world) {
  ++world.steps;
  if (rules == Rules::order || world.partition_steps_left == 0) [[likely]]
    return;
  if (--world.partition_steps_left > 0) {
    network_.enabled(world, scratch_);
    if (scratch_.ordinary > 0) return;
  }
  world.partition = 0;
  world.partition_steps_left = 0;
  network_.refresh_all(world);
}

template <Rules rules>
[[gnu::always_inline]] inline void Stepper::consume(WorldState& world, std::size_t place, Asker& asker,
                                                    StepResult& result) {
  GAINSAY_CHECK(world.pending.has(place) && world.is_ready(place), "what happens was enabled");
  const Pending pending = world.pending[place];
  const Slot slot = pending.to;
  if (world.is_live(slot)) {
    __builtin_prefetch(&kernel_.envelope(pending.envelope));
  } else {
    kernel_.prefetch(world.cells[slot], pending.envelope);
  }
  if (world.has_time<rules>()) network_.time().advance(world, place);
  bool everybody = false;
  if (rules == Rules::any && pending.kind == EventKind::timer && !kernel_.blueprint().timer_budgets.empty()) {
    const std::size_t budget = budgets().timer(*kernel_.envelope(pending.envelope).type);
    if (budget != Budgets::none) {
      spend(world, budget);
      everybody = world.budgets[budget] == 0;
    }
  }
  const bool arrives = !world.has_cut<rules>() || !network_.cut(world, kernel_.envelope(pending.envelope));
  // What is lost at a crashed actor teaches it nothing.
  if (world.causal && arrives && pending.is_message() &&
      (rules == Rules::order || !network_.has_crashes() ||
       status_of(kernel_, world, slot) != ActorStatus::crashed))
    world.learn(slot, place);
  if (world.has_queues<rules>()) {
    queue_.taken(world, place);
    if (arrives) queue_.acts(world, slot);
  }
  world.erase<rules>(place);
  if (!arrives) {
    world.classes[slot] = mix(world.classes[slot], pending.id.raw + 1);
    result = {};
  } else {
    handle_now<rules>(world, slot, pending.envelope, pending.id, asker, result);
  }
  if (everybody) {
    network_.refresh_all(world);
  } else {
    network_.after_step<rules>(world, pending, result.changed);
  }
}

template <Rules rules>
void Stepper::step_with(WorldState& world, const Alternative& alternative, Asker& asker, StepResult& result) {
  GAINSAY_CHECK(alternative.kind != EventKind::stop, "stop is not a step");
  if (rules == Rules::any && is_fault(alternative.kind)) {
    fault(world, alternative, asker, result);
  } else {
    consume<rules>(world, alternative.target, asker, result);
  }
  count_step<rules>(world);
  if (world.has_time<rules>()) network_.time().settle(world, asker);
  if (world.is_crowded()) [[unlikely]]
    squeeze(world);
}

template void Stepper::step_with<Rules::any>(WorldState& world, const Alternative& alternative, Asker& asker,
                                             StepResult& result);
template void Stepper::step_with<Rules::order>(WorldState& world, const Alternative& alternative,
                                               Asker& asker, StepResult& result);

template <Rules rules>
void Stepper::step_narrow(WorldState& world, std::size_t place, Asker& asker, StepResult& result) {
  GAINSAY_CHECK(world.pending.has(place) && world.is_ready(place), "what happens was enabled");
  const Pending pending = world.pending[place];
  if (world.is_live(pending.to)) {
    __builtin_prefetch(&kernel_.envelope(pending.envelope));
  } else {
    kernel_.prefetch(world.cells[pending.to], pending.envelope);
  }
  if constexpr (rules == Rules::narrow_in_time) network_.time().advance(world, place);
  world.take_narrow<rules>(place, pending);
  handle_now<rules>(world, pending.to, pending.envelope, pending.id, asker, result);
  if (world.is_narrow()) [[likely]] {
    network_.after_step<rules>(world, pending, result.changed);
  } else {
    network_.after_step<Rules::any>(world, pending, result.changed);
  }
  ++world.steps;
  if constexpr (rules == Rules::narrow_in_time) network_.time().settle(world, asker);
  if (world.is_crowded()) [[unlikely]]
    squeeze(world);
}
template void Stepper::step_narrow<Rules::narrow>(WorldState& world, std::size_t place, Asker& asker,
                                                  StepResult& result);
template void Stepper::step_narrow<Rules::narrow_in_time>(WorldState& world, std::size_t place, Asker& asker,
                                                          StepResult& result);

}  // namespace gainsay
