#include "gainsay/execution/world/stepper.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/execution/kernel/handler_call.hpp"
#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {

Stepper::Stepper(Kernel& kernel, Network& network) : kernel_(kernel), network_(network) {
  for (std::size_t m = 0; m < kernel.monitors().size(); ++m) {
    const Slot slot = kernel.monitors()[m];
    if (const auto hot = kernel.blueprint().actors[slot].type->hot; hot != nullptr)
      liveness_monitors_.push_back({m, slot, hot});
  }
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
  world.budgets = network_.budgets().initial();
  if (network_.has_faults()) world.fault_ordinals.assign(blueprint.actors.size(), 0);
  if (network_.causal()) grow(world, blueprint.actors.size());
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
  }
  for (Slot slot = 0; slot < blueprint.actors.size(); ++slot) {
    if (blueprint.actors[slot].type->on_start == nullptr) continue;
    const ActorId id = kernel_.directory().id_of(slot);
    const EnvelopeId start = kernel_.envelope_of(id, slot, EventKind::start, nullptr, nullptr);
    add_pending(world, {outside_event_id(EventKind::start, id, 0), start, no_step}, {}, Directory::no_slot);
    ++world.starts_pending;
  }
  std::vector<std::uint32_t> ordinals(blueprint.actors.size(), 0);
  for (const MessagePlan& plan : blueprint.messages) {
    const Slot to = kernel_.directory().slot_of(plan.to);
    const EnvelopeId envelope =
        kernel_.envelope_of(plan.from, to, EventKind::deliver, &plan.message.type(), plan.message.data());
    const EventId id = outside_event_id(EventKind::deliver, plan.to, ordinals[to]++);
    const Slot sender = plan.from == outside ? Directory::no_slot : kernel_.directory().slot_of(plan.from);
    add_pending(world, {id, envelope, no_step}, network_.window(world, kernel_.envelope(envelope)), sender);
  }
  world.hot_since.assign(kernel_.monitors().size(), no_step);
  feel_heat(world, 0);
}

void Stepper::add_pending(WorldState& world, const Pending& pending, const PendingWindow& window,
                          Slot sender) {
  world.pending.push_back(pending);
  if (network_.timed()) world.windows.push_back(window);
  if (!network_.causal()) return;
  const std::size_t width = world.clock_width;
  if (sender == Directory::no_slot) {
    world.pending_clocks.resize(world.pending_clocks.size() + width, 0);
  } else {
    std::uint32_t* clock = &world.actor_clocks[sender * width];
    ++clock[sender];
    world.pending_clocks.insert(world.pending_clocks.end(), clock, clock + width);
  }
}

void Stepper::erase_pending(WorldState& world, std::size_t index) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  world.pending.erase(world.pending.begin() + at);
  if (network_.timed()) world.windows.erase(world.windows.begin() + at);
  if (network_.causal()) {
    const auto width = static_cast<std::ptrdiff_t>(world.clock_width);
    world.pending_clocks.erase(world.pending_clocks.begin() + at * width,
                               world.pending_clocks.begin() + (at + 1) * width);
  }
}

void Stepper::copy_pending(WorldState& world, std::size_t index, EventId id) {
  GAINSAY_CHECK(index < world.pending.size(), "the original is pending");
  world.pending.push_back({id, world.pending[index].envelope, world.steps});
  if (network_.timed()) world.windows.push_back(PendingWindow(world.windows[index]));
  if (network_.causal()) {
    const auto width = static_cast<std::ptrdiff_t>(world.clock_width);
    const auto first = world.pending_clocks.begin() + static_cast<std::ptrdiff_t>(index) * width;
    const std::vector<std::uint32_t> clock(first, first + width);
    world.pending_clocks.insert(world.pending_clocks.end(), clock.begin(), clock.end());
  }
}

void Stepper::replace_pending(WorldState& world, std::size_t index, const Pending& instead) {
  GAINSAY_CHECK(index < world.pending.size(), "what is replaced is pending");
  world.pending[index] = instead;
}

void Stepper::erase_timers(WorldState& world, Slot slot, const ValueType* type) {
  for (std::size_t i = world.pending.size(); i-- > 0;) {
    const Envelope& envelope = kernel_.envelope(world.pending[i].envelope);
    const bool own = envelope.kind == EventKind::timer || envelope.kind == EventKind::task;
    if (!own || envelope.to != slot) continue;
    if (type == nullptr || kernel_.value(envelope.message).type == type) erase_pending(world, i);
  }
}

void Stepper::erase_start(WorldState& world, Slot slot) {
  for (std::size_t i = world.pending.size(); i-- > 0;) {
    const Envelope& envelope = kernel_.envelope(world.pending[i].envelope);
    if (envelope.kind != EventKind::start || envelope.to != slot) continue;
    erase_pending(world, i);
    --world.starts_pending;
  }
}

// Makes room for actors that were spawned; causal clocks get wider.
void Stepper::grow(WorldState& world, std::size_t slots) {
  if (world.cells.size() < slots) {
    world.cells.resize(slots, 0);
    world.classes.resize(slots, 0);
    if (network_.has_faults()) world.fault_ordinals.resize(slots, 0);
    if (!world.live.empty()) world.live.resize(slots);
  }
  if (!network_.causal() || world.clock_width >= slots) return;
  const auto widen = [&](std::vector<std::uint32_t>& rows, std::size_t count) {
    std::vector<std::uint32_t> wider(count * slots, 0);
    const std::size_t old_rows = world.clock_width == 0 ? 0 : rows.size() / world.clock_width;
    for (std::size_t r = 0; r < old_rows; ++r) {
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(r * world.clock_width), world.clock_width,
                  wider.begin() + static_cast<std::ptrdiff_t>(r * slots));
    }
    rows = std::move(wider);
  };
  widen(world.actor_clocks, slots);
  widen(world.pending_clocks, world.pending.size());
  world.clock_width = static_cast<std::uint32_t>(slots);
}

void Stepper::spawn(WorldState& world, Slot creator, const SpawnOp& op, EventId start_id,
                    std::uint32_t step) {
  grow(world, std::max<std::size_t>(op.slot + std::size_t{1}, world.cells.size()));
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
  if (op.type->gated) world.plain = false;
  if (network_.causal()) {  // what the creator knows, the spawned knows
    const std::size_t width = world.clock_width;
    std::copy_n(world.actor_clocks.begin() + static_cast<std::ptrdiff_t>(creator * width), width,
                world.actor_clocks.begin() + static_cast<std::ptrdiff_t>(op.slot * width));
  }
  if (op.start != 0) {
    add_pending(world, {start_id, op.start, step}, {world.now_ns, world.now_ns}, Directory::no_slot);
    ++world.starts_pending;
  }
}

void Stepper::apply_sends(WorldState& world, Slot slot, std::uint64_t seed, std::uint32_t step,
                          std::span<const EnvelopeId> sends) {
  for (std::uint32_t k = 0; k < sends.size(); ++k) {
    const PendingWindow window =
        network_.timed() ? network_.window(world, kernel_.envelope(sends[k])) : PendingWindow{};
    add_pending(world, {child_event_id(seed, EventKind::deliver, k), sends[k], step}, window, slot);
  }
}

void Stepper::apply_extras(WorldState& world, Slot slot, std::uint64_t seed, std::uint32_t step,
                           const Extras& extras) {
  std::uint32_t ordinal = 0;
  for (const TimerOp& op : extras.timers) {
    if (op.cancelled != nullptr) {
      erase_timers(world, slot, op.cancelled);
      continue;
    }
    for (std::size_t i = 0; i < world.pending.size(); ++i) {
      if (world.pending[i].envelope == op.armed) {
        erase_pending(world, i);
        break;
      }
    }
    if (op.withdrawn) continue;
    const PendingWindow window{later(world.now_ns, op.earliest), later(world.now_ns, op.latest)};
    const EventKind kind = kernel_.brief(op.armed).kind;
    add_pending(world, {child_event_id(seed, kind, ordinal++), op.armed, step}, window, Directory::no_slot);
  }
  ordinal = 0;
  for (const SpawnOp& op : extras.spawns)
    spawn(world, slot, op, child_event_id(seed, EventKind::start, ordinal++), step);
}

// An id of a spawned actor may be known to its sender before there is the actor: from a static variable, or
// guessed. Which actors there are is no part of the sender's local state, so this is looked at whenever such
// a message is sent.
const Failure* Stepper::send_to_nobody(const WorldState& world, Slot sender,
                                       std::span<const EnvelopeId> sends) {
  for (const EnvelopeId id : sends) {
    const Envelope& envelope = kernel_.envelope(id);
    if (envelope.to < world.cells.size() && world.cells[envelope.to] != 0) continue;
    nobody_there_ = {"bad send", bad_send_text(kernel_, sender, *kernel_.value(envelope.message).type,
                                               fmt::format("actor {:#x}", envelope.receiver.raw))};
    return &nobody_there_;
  }
  return nullptr;
}

StepResult Stepper::step(WorldState& world, const Alternative& alternative, Asker& asker) {
  asker.answers_hash = 0;
  GAINSAY_CHECK(alternative.kind != EventKind::stop, "stop is not a step");
  StepResult result = is_fault(alternative.kind) ? fault(world, alternative, asker)
                                                 : consume(world, alternative.target, asker);
  ++world.steps;
  tick_partition(world);
  return result;
}

// A cut for so many steps ends when they have passed, or when it is all that keeps the world from going on.
void Stepper::tick_partition(WorldState& world) {
  if (world.partition_steps_left == 0) return;
  if (--world.partition_steps_left > 0) {
    network_.enabled(world, scratch_);
    if (scratch_.ordinary > 0) return;
  }
  world.partition = 0;
  world.partition_steps_left = 0;
}

StepResult Stepper::consume(WorldState& world, std::size_t index, Asker& asker) {
  const Pending pending = world.pending[index];
  const Envelope envelope = kernel_.envelope(pending.envelope);
  if (network_.timed()) world.now_ns = std::max(world.now_ns, world.windows[index].lo_ns);
  if (envelope.kind == EventKind::start) --world.starts_pending;
  if (envelope.kind == EventKind::timer) {
    const std::size_t budget = network_.budgets().timer(*kernel_.value(envelope.message).type);
    if (budget != Budgets::none) spend(world, budget);
  }
  const bool arrives = !network_.cut(world, envelope);
  if (arrives && network_.causal() && envelope.kind == EventKind::deliver) {
    const std::size_t width = world.clock_width;
    for (std::size_t k = 0; k < width; ++k) {
      std::uint32_t& known = world.actor_clocks[envelope.to * width + k];
      known = std::max(known, world.pending_clocks[index * width + k]);
    }
  }
  erase_pending(world, index);
  if (!arrives) {
    world.classes[envelope.to] = mix(world.classes[envelope.to], pending.id.raw + 1);
    return {};
  }
  return handle(world, envelope.to, pending.envelope, pending.id, asker);
}

StepResult Stepper::handle(WorldState& world, Slot slot, EnvelopeId envelope, EventId id, Asker& asker) {
  StepResult result;
  result.slot = slot;
  std::span<const EnvelopeId> sends;
  const Time now(world.now_ns + (slot < world.clock_jumps_ns.size() ? world.clock_jumps_ns[slot] : 0));
  if (world.cells[slot] == live_cell) {
    LiveActor& actor = world.live[slot];
    live_sends_.clear();
    live_extras_.clear();
    if (actor.status == ActorStatus::alive) {
      kernel_.call_live(actor, slot, envelope, asker, now, live_sends_, live_extras_);
      result.changed = true;
    }
    sends = live_sends_;
    if (!live_extras_.empty()) result.extras = &live_extras_;
  } else {
    const Transition& transition = kernel_.transition(world.cells[slot], envelope, asker, now);
    world.cells[slot] = transition.next;
    result.changed = transition.changed;
    result.extras = transition.extras;
    sends = transition.outs();
  }
  world.classes[slot] = mix(world.classes[slot], id.raw ^ asker.answers_hash);
  const std::uint64_t seed = child_seed(id, asker.answers_hash);
  apply_sends(world, slot, seed, world.steps, sends);
  finish_step(world, seed, world.steps, sends, result);
  return result;
}

// What a step does besides sending. The handler's own failure comes first, then those of the monitors it told.
void Stepper::finish_step(WorldState& world, std::uint64_t seed, std::uint32_t step,
                          std::span<const EnvelopeId> sends, StepResult& result) {
  if (result.extras != nullptr) {
    if (!result.extras->timers.empty() || !result.extras->spawns.empty())
      apply_extras(world, result.slot, seed, step, *result.extras);
    if (result.extras->failure) result.failure = &*result.extras->failure;
    for (const EnvelopeId envelope : result.extras->notifications) {
      const Failure* failure = notify(world, envelope, result.monitors_changed);
      if (result.failure == nullptr) result.failure = failure;
      result.notified = true;
    }
    if (result.monitors_changed) feel_heat(world, step + 1);
  }
  if (kernel_.directory().has_spawned() && result.failure == nullptr)
    result.failure = send_to_nobody(world, result.slot, sends);
}

namespace {

// Monitors have nothing to ask with.
class NoQuestions final : public Asker {
  std::uint32_t answer_to(std::uint32_t, bool) override {
    GAINSAY_CHECK(false, "a monitor asks nothing");
    return 0;
  }
};

}  // namespace

const Failure* Stepper::notify(WorldState& world, EnvelopeId envelope, bool& changed) {
  const Slot slot = kernel_.brief(envelope).to;
  NoQuestions nobody_asks;
  const Extras* extras = nullptr;
  if (world.cells[slot] == live_cell) {
    monitor_sends_.clear();
    monitor_extras_.clear();
    kernel_.call_live(world.live[slot], slot, envelope, nobody_asks, Time(0), monitor_sends_,
                      monitor_extras_);
    extras = &monitor_extras_;
    changed = true;
  } else {
    const Transition& transition = kernel_.transition(world.cells[slot], envelope, nobody_asks, Time(0));
    world.cells[slot] = transition.next;
    extras = transition.extras;
    changed = changed || transition.changed;
  }
  if (extras == nullptr || !extras->failure) return nullptr;
  monitor_failure_ = *extras->failure;
  return &monitor_failure_;
}

// Notes since when each liveness monitor has been hot: after how many steps of the execution.
void Stepper::feel_heat(WorldState& world, std::uint32_t steps) {
  for (const LivenessMonitor& monitor : liveness_monitors_) {
    const CellId cell = world.cells[monitor.slot];
    std::uint32_t& since = world.hot_since[monitor.index];
    if (!monitor.hot(cell == live_cell ? world.live[monitor.slot].object() : kernel_.cell(cell).data)) {
      since = no_step;
    } else if (since == no_step) {
      since = steps;
    }
  }
}

StepResult Stepper::fault(WorldState& world, const Alternative& alternative, Asker& asker) {
  const Fault& fault = fault_of(alternative.kind);
  return fault.apply(*this, world, alternative.target, fault.id(world, alternative.target), asker);
}

void Stepper::fold_everywhere(WorldState& world, EventId id) {
  for (Slot slot = 0; slot < world.cells.size(); ++slot) {
    if (world.cells[slot] != 0 && !kernel_.is_monitor(slot)) fold(world, slot, id);
  }
}

}  // namespace gainsay
