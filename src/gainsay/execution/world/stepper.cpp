#include "gainsay/execution/world/stepper.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/execution/kernel/handler_call.hpp"
#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {
namespace {

// Monitors have nothing to ask with.
class NoQuestions final : public Asker {
  std::uint32_t answer_to(std::uint32_t, bool) override {
    GAINSAY_CHECK(false, "a monitor asks nothing");
    return 0;
  }
};

PendingWindow due_at_once() { return {}; }

}  // namespace

Stepper::Stepper(Front& front, Network& network)
    : front_(front), kernel_(front.kernel()), network_(network), queue_(network) {
  for (std::size_t m = 0; m < kernel_.monitors().size(); ++m) {
    const Slot slot = kernel_.monitors()[m];
    if (const auto heat = kernel_.blueprint().actors[slot].type->heat; heat != nullptr)
      liveness_monitors_.push_back({m, slot, heat});
  }
  heat_rows_ = kernel_.blueprint().liveness_rows();
}

void Stepper::make_live(Slot slot) {
  if (slot >= live_.size()) live_.resize(slot + 1, false);
  live_[slot] = true;
}

void Stepper::initial(WorldState& world) {
  const Blueprint& blueprint = kernel_.blueprint();
  world = WorldState{};
  world.cells.assign(blueprint.actors.size(), 0);
  world.classes.assign(blueprint.actors.size(), 0);
  world.timed = network_.timed();
  if (world.timed) network_.time().begin(world);
  world.causal = network_.causal();
  world.queued = network_.queued();
  world.ordered = !network_.unordered();
  world.budgets = network_.budgets().initial();
  world.messages_in.assign(network_.budgets().groups().size(), 0);
  if (network_.has_faults()) world.fault_ordinals.assign(blueprint.actors.size(), 0);
  world.lay_out(blueprint.actors.size(), blueprint.actors.size() + blueprint.messages.size());
  for (Slot slot = 0; slot < blueprint.actors.size(); ++slot) {
    const ActorPlan& plan = blueprint.actors[slot];
    if (plan.type->value == nullptr || is_live(slot)) {
      world.live.resize(blueprint.actors.size());
      world.live[slot] = plan.type->value == nullptr ? LiveActor::of_opaque(*plan.type, plan.make)
                                                     : LiveActor::of_value(*plan.type, plan.initial);
      world.cells[slot] = live_cell;
    } else {
      world.cells[slot] = kernel_.initial_cell(slot);
    }
    world.gated = world.gated || plan.type->gated;
  }
  for (Slot slot = 0; slot < blueprint.actors.size(); ++slot) {
    if (blueprint.actors[slot].type->on_start == nullptr || kernel_.is_monitor(slot)) continue;
    const ActorId id = kernel_.directory().id_of(slot);
    const EnvelopeId start = kernel_.envelope_of(id, slot, EventKind::start, nullptr, nullptr);
    add_pending(world, outside_event_id(EventKind::start, id, 0), start, no_step, due_at_once);
  }
  std::vector<std::uint32_t> ordinals(blueprint.actors.size(), 0);
  for (const MessagePlan& plan : blueprint.messages) {
    const Slot to = kernel_.directory().slot_of(plan.to);
    const EnvelopeId envelope =
        kernel_.envelope_of(plan.from, to, EventKind::deliver, &plan.message.type(), plan.message.data());
    const EventId id = outside_event_id(EventKind::deliver, plan.to, ordinals[to]++);
    add_pending(world, id, envelope, no_step, [&] { return network_.window(envelope); });
  }
  world.heat.assign(heat_rows_, HeatSpan{});
  for (const LivenessMonitor& monitor : liveness_monitors_) note_heat(world, monitor.slot, 0);
  start_monitors(world);
  if (world.timed) {
    NoQuestions nobody_asks;
    network_.time().settle(world, nobody_asks);
  }
  world.check_rows();
}

// Monitors that are machines enter their start state before anything else happens.
void Stepper::start_monitors(WorldState& world) {
  for (const Slot slot : kernel_.monitors()) {
    const ActorPlan& plan = kernel_.blueprint().actors[slot];
    if (plan.type->on_start == nullptr) continue;
    StepResult result;
    notify(world, own_envelope(slot, EventKind::start), result);
    if (result.failure != nullptr)
      throw UserError(fmt::format("scenario '{}': monitor '{}' fails before the first step: {}",
                                  kernel_.blueprint().scenario, plan.name, result.failure->message));
    const auto row = static_cast<std::size_t>(
        std::find(kernel_.monitors().begin(), kernel_.monitors().end(), slot) - kernel_.monitors().begin());
    world.heat[row] = {};
    note_heat(world, slot, 0);
  }
}

void Stepper::erase_timers(WorldState& world, Slot slot) {
  world.each_own(slot, [&](std::size_t place) {
    if (world.pending[place].kind != EventKind::start) world.erase(place);
  });
}

// A start that has not happened dies with the actor: a restart takes its place.
void Stepper::erase_start(WorldState& world, Slot slot) {
  if (world.starts_pending == 0) return;
  world.each_own(slot, [&](std::size_t place) {
    if (world.pending[place].kind == EventKind::start) world.erase(place);
  });
}

void Stepper::spawn(WorldState& world, Slot creator, const SpawnOp& op, EventId start_id) {
  world.grow(std::max<std::size_t>(op.slot + std::size_t{1}, world.cells.size()));
  GAINSAY_CHECK(world.cells[op.slot] == 0, "a spawned actor is new");
  if (op.cell == 0 || is_live(op.slot)) {
    if (world.live.empty()) world.live.resize(world.cells.size());
    if (op.cell == 0) {
      world.live[op.slot] = LiveActor::of_opaque(*op.type, op.make);
    } else {
      const InternedValue& initial = kernel_.value(kernel_.cell(op.cell).value);
      world.live[op.slot] = LiveActor::of_value(*op.type, AnyValue(*initial.type, initial.data));
    }
    world.cells[op.slot] = live_cell;
  } else {
    world.cells[op.slot] = op.cell;
  }
  world.gated = world.gated || op.type->gated;
  if (world.causal) world.inherit(creator, op.slot);  // what the creator knows, the spawned knows
  if (op.start != 0) {
    add_pending(world, start_id, op.start, world.steps, due_at_once);
    if (world.queued) queue_.added_start(world, op.sent);
  }
  // What was sent to it before it was there.
  if (network_.may_wait(world)) network_.refresh(world, op.slot, true);
}

// An id of a spawned actor may be known to its sender before there is the actor: from a static variable, or
// guessed. Which actors there are is no part of the sender's local state, so this is looked at whenever such
// a message is sent.
const Failure* Stepper::send_to_nobody(const WorldState& world, Slot sender,
                                       std::span<const EnvelopeId> sends) {
  for (const EnvelopeId id : sends) {
    const Slot to = network_.route(id).to;
    if (to < world.cells.size() && world.cells[to] != 0) continue;
    const auto held = front_.lock();
    const Envelope& envelope = kernel_.envelope(id);
    nobody_there_ = {"bad send", bad_send_text(kernel_, sender, *envelope.type,
                                               fmt::format("actor {:#x}", envelope.receiver.raw))};
    return &nobody_there_;
  }
  return nullptr;
}

void Stepper::squeeze(WorldState& world) {
  world.squeeze();
  if (world.timed) network_.time().forget();
}

void Stepper::step_known(WorldState& world, const Alternative& alternative, const Leaf& leaf, Asker& asker,
                         StepResult& result) {
  known_ = &leaf;
  try {
    step_with_rules(world, alternative, asker, result);
  } catch (...) {
    known_ = nullptr;
    throw;
  }
  known_ = nullptr;
}

void Stepper::step_known(WorldState& world, const Alternative& alternative, const Leaf& leaf,
                         StepResult& result) {
  NoQuestions nobody_asks;
  step_known(world, alternative, leaf, nobody_asks, result);
}

// What the actor's clock may show: its jumps count, its skew is the handler's business.
TimeRange Stepper::clock_of(const WorldState& world, Slot slot) const {
  if (world.time.origin() == TimeClass::nowhere) return {};
  const std::int64_t jump = world.clock_jump(slot);
  const TimeRange range = network_.time().clock(world, slot);
  return {range.earliest_ns + jump, range.latest_ns + jump};
}

void Stepper::bind_clock(WorldState& world, Slot slot, std::int64_t shown_ns) {
  if (world.time.origin() == TimeClass::nowhere) return;
  network_.time().bind(world, slot, shown_ns - world.clock_jump(slot));
}

// A monitor handles a notification at once. The first complaint of a step is the one that is told, and heat is felt
// after every notification: a monitor that is cold for a moment has not been hot all along.
void Stepper::notify(WorldState& world, EnvelopeId envelope, StepResult& result) {
  const Slot slot = network_.route(envelope).to;
  NoQuestions nobody_asks;
  const Extras* extras = nullptr;
  bool changed = true;
  if (world.cells[slot] == live_cell) {
    monitor_effects_.clear();
    kernel_.call_live(world.live[slot], slot, envelope, nobody_asks, {}, monitor_effects_);
    extras = monitor_effects_.extras();
  } else {
    const Transition& transition = front_.shared()
                                       ? front_.leaves(world.cells[slot], envelope).leaves->transition
                                       : kernel_.transition(world.cells[slot], envelope, nobody_asks, {});
    world.cells[slot] = transition.next;
    extras = transition.extras;
    changed = transition.changed;
  }
  if (changed) {
    result.monitors_changed = true;
    result.heat_changed |= note_heat(world, slot, world.steps + 1);
  }
  if (result.failure != nullptr || extras == nullptr || extras->failure() == nullptr) return;
  monitor_failure_ = *extras->failure();
  result.failure = &monitor_failure_;
}

// Notes how hot the monitor is after so many steps of the execution, if it is one of liveness; whether that is news.
bool Stepper::note_heat(WorldState& world, Slot slot, std::uint32_t steps) {
  for (const LivenessMonitor& monitor : liveness_monitors_) {
    if (monitor.slot != slot) continue;
    const CellId cell = world.cells[slot];
    const void* const state = cell == live_cell ? world.live[slot].object() : kernel_.cell(cell).data;
    HeatSpan& span = world.heat[monitor.row];
    const HeatSpan before = span;
    span.feel(monitor.heat(state), steps);
    return span != before;
  }
  return false;
}

EnvelopeId Stepper::own_envelope(Slot slot, EventKind kind) { return front_.own_envelope(slot, kind); }

void Stepper::fault(WorldState& world, const Alternative& alternative, Asker& asker, StepResult& result) {
  const Fault& fault = fault_of(alternative.kind);
  if (world.timed) network_.time().advance_freely(world);
  if (world.queued && fault.subject == FaultSubject::actor)
    queue_.acts(world, actor_of(kernel_.blueprint(), alternative.target));
  if (world.queued && fault.subject == FaultSubject::message) queue_.touched(world, alternative.target);
  result = fault.apply(*this, world, alternative.target, fault.id(world, alternative.target), asker);
  // What concerns one message says itself who is concerned.
  if (fault.subject == FaultSubject::actor)
    network_.refresh(world, actor_of(kernel_.blueprint(), alternative.target), true);
  if (fault.subject == FaultSubject::links) network_.refresh_all(world);
}

void Stepper::fold_everywhere(WorldState& world, EventId id) const {
  for (Slot slot = 0; slot < world.cells.size(); ++slot) {
    if (world.cells[slot] != 0 && !kernel_.is_monitor(slot)) fold(world, slot, id);
  }
}

void Stepper::erase_pending(WorldState& world, std::size_t place) {
  const Pending left = world.pending[place];
  world.erase(place);
  network_.after_step(world, left, false);
}

void Stepper::copy_pending(WorldState& world, std::size_t place, EventId id) {
  world.duplicate(place, id);
  if (world.queued) queue_.copied(world, place);
  const std::size_t copy = world.pending.behind() - 1;
  if (network_.may_wait(world)) network_.admit(world, copy, world.pending[copy]);
}

void Stepper::replace_pending(WorldState& world, std::size_t place, EventId id, EnvelopeId envelope) {
  world.replace(place, id, envelope, network_.route(envelope));
  if (network_.may_wait(world)) network_.refresh(world, world.pending[place].to, true);
}

}  // namespace gainsay
