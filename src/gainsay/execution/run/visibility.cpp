#include "gainsay/execution/run/visibility.hpp"

#include <algorithm>

#include "gainsay/execution/run/execution.hpp"

namespace gainsay {

Visibility::Visibility(const Blueprint& blueprint)
    : by_slot_(blueprint.actors.size(), 0),
      own_by_slot_(blueprint.actors.size(), 0),
      watched_(blueprint.actors.size(), false) {
  for (std::size_t i = 0; i < blueprint.properties.size(); ++i) {
    const Property& property = blueprint.properties[i];
    if (property.kind == Property::Kind::finally || property.is_liveness()) continue;
    if (property.scope.empty()) watches_all_ = true;
    for (const ActorId actor : property.scope) watched_[actor.raw] = true;
    if (!property.is_global()) {
      any_own_ = true;
      own_by_slot_[property.scope.front().raw] |= bit_of(i);
      continue;
    }
    any_ = true;
    if (property.scope.empty()) everywhere_ |= bit_of(i);
    for (const ActorId actor : property.scope) by_slot_[actor.raw] |= bit_of(i);
  }
}

WorldTraits traits_of(const Blueprint& blueprint) {
  WorldTraits traits;
  std::vector<Delivery> orders = {blueprint.order};
  for (const LinkOrder& link : blueprint.link_orders) orders.push_back(link.order);
  const auto has = [&](Delivery order) {
    return std::find(orders.begin(), orders.end(), order) != orders.end();
  };
  traits.mailboxes = has(Delivery::mailbox);
  traits.causal = has(Delivery::causal);
  traits.queues = has(Delivery::queue);
  traits.ordered = traits.mailboxes || traits.causal || traits.queues || has(Delivery::fifo);
  traits.mailbox =
      std::all_of(orders.begin(), orders.end(), [](Delivery order) { return order == Delivery::mailbox; });
  const auto any_actor = [&](auto is) {
    return std::any_of(blueprint.actors.begin(), blueprint.actors.end(),
                       [&](const ActorPlan& actor) { return is(*actor.type); });
  };
  traits.gated = any_actor([](const ActorType& type) { return type.gated; });
  traits.timed = blueprint.timed;
  const FaultPlan& faults = blueprint.faults;
  for (const Fault* fault : all_faults())
    traits.budgets[static_cast<std::size_t>(fault->kind)] = fault->planned(faults);
  traits.obliged[static_cast<std::size_t>(EventKind::restart)] = faults.restarts_obliged;
  traits.obliged[static_cast<std::size_t>(EventKind::heal)] = faults.heals_obliged;
  traits.faulty = faults.any();
  traits.timer_budgets = !blueprint.timer_budgets.empty();
  traits.timers_optional = !blueprint.timers_keep_alive;
  traits.counts_steps = faults.counts_steps();
  traits.cuts = faults.cuts;
  const Visibility visibility(blueprint);
  traits.global_properties =
      visibility.any() || any_actor([](const ActorType& type) { return type.monitor; });
  traits.own_properties = visibility.any_own();
  traits.monitors = any_actor([](const ActorType& type) { return type.monitor; });
  using Reads = HistoryProperty::Reads;
  for (const HistoryProperty& property : blueprint.history_properties) {
    traits.histories = traits.histories || property.reads != Reads::clients;
    traits.history_order = traits.history_order || property.reads == Reads::order;
    traits.client_order = traits.client_order || property.reads == Reads::clients;
  }
  return traits;
}

// --- what executions tell searches ---

EffectFlags Execution::flags_of(const StepRecord& record, const StepResult& result) const {
  EffectFlags flags;
  flags.changed = result.changed;
  flags.violated = result.failure != nullptr;
  if (result.changed) {
    flags.properties = visibility_.readers_of(result.slot);
    flags.own_properties = visibility_.own_of(result.slot);
  }
  if (result.extras != nullptr) {
    for (const HistoryOp& op : result.extras->history) {
      flags.invoked = flags.invoked || op.invocation;
      flags.responded = flags.responded || !op.invocation;
      const ActorId client = op.client == nobody ? kernel().directory().id_of(result.slot) : op.client;
      // Clients that share a bit are in order without need.
      flags.clients |= std::uint64_t{1} << (scramble(client.raw) % 64);
    }
    for (const EnvelopeId notification : result.extras->notifications) {
      const Slot monitor = kernel().envelope(notification).to;
      const auto found = std::find(kernel().monitors().begin(), kernel().monitors().end(), monitor);
      flags.monitors |= bit_of(static_cast<std::size_t>(found - kernel().monitors().begin()));
      flags.properties |= visibility_.readers_of(monitor);
      flags.own_properties |= visibility_.own_of(monitor);
    }
  }
  const auto message_type = [&]() -> const ValueType* {
    const ValueId message = record.envelope == 0 ? 0 : kernel().envelope(record.envelope).message;
    return message == 0 ? nullptr : kernel().value(message).type;
  };
  const Budgets& budgets = engine_.network.budgets();
  std::size_t budget = Budgets::none;
  if (is_fault(record.kind)) {
    budget = fault_of(record.kind).budget(budgets, record.target, message_type());
  } else if (record.kind == EventKind::timer) {
    budget = budgets.timer(*message_type());
  }
  if (budget != Budgets::none) {
    flags.budget = static_cast<std::uint32_t>(budget + 1);
    flags.budget_exhausted = world_.budgets[budget] == 0;
  }
  return flags;
}

ActorId Execution::task_of(const Pending& pending) const {
  const ActorId receiver = kernel().directory().id_of(pending.to);
  if (!world_.is_live(pending.to)) return receiver;
  const LiveActor& actor = world_.live[pending.to];
  if (actor.type->task_of == nullptr || pending.kind == EventKind::start ||
      actor.status != ActorStatus::alive)
    return receiver;
  const std::uint32_t task =
      actor.type->task_of(actor.object(), kernel().arrival_of(kernel().envelope(pending.envelope)));
  // Far from the ids of actors that the scenario makes.
  return task == 0 ? receiver : ActorId{mix(receiver.raw + 1, task) | (std::uint64_t{1} << 63U)};
}

std::size_t Execution::count_of(ActorId receiver, std::size_t ordinary) const {
  if (offer_.listed()) return EventSource::count_of(receiver, ordinary);
  const Slot slot = kernel().directory().slot_of(receiver);
  return slot < world_.at.rows() ? world_.at.count_without(slot, offer_.closed(world_)) : 0;
}

// Of few, all are looked at: nobody could predict which is the first.
EventSource::Able Execution::first_able(std::span<const ActorId> receivers, std::size_t ordinary) const {
  const BitTable& at = world_.at;
  if (offer_.listed() || at.words() > 1 || receivers.size() > 16)
    return EventSource::first_able(receivers, ordinary);
  const std::uint64_t closed = offer_.closed(world_).word(0);
  Able first;
  for (std::size_t which = receivers.size(); which-- > 0;) {
    const Slot slot = kernel().directory().slot_of(receivers[which]);
    const std::uint64_t events = slot < at.rows() ? at.word(slot, 0) & ~closed : 0;
    first = events != 0 ? Able{which, events} : first;
  }
  first.events = bits::count(first.events);
  return first;
}

std::size_t Execution::nth_of(ActorId receiver, std::size_t nth, std::size_t ordinary) const {
  if (offer_.listed()) return EventSource::nth_of(receiver, nth, ordinary);
  const BitRow& closed = offer_.closed(world_);
  const std::size_t place = world_.at.nth_without(kernel().directory().slot_of(receiver), closed, nth);
  return world_.pending.places().count_without_before(closed, place);
}

// Whatever a step makes names it as its parent, but for copies, which go where the first one goes.
void Execution::owners_of_new(std::vector<Owner>& out) const {
  out.clear();
  const auto last = recording_.empty() ? no_step : static_cast<std::uint32_t>(recording_.size() - 1);
  world_.pending.places().each_last([&](std::size_t place) {
    const Pending& pending = world_.pending[place];
    if (pending.parent != last) return false;
    out.push_back({kernel().directory().id_of(pending.to), task_of(pending)});
    return true;
  });
  std::reverse(out.begin(), out.end());
}

// Whose slot is that of an actor of the scenario has it as its id.
bool Execution::are_new_for(std::uint64_t receivers) const {
  if (has_tasks_ || world_.cells.size() > 64) return false;
  const auto last = recording_.empty() ? no_step : static_cast<std::uint32_t>(recording_.size() - 1);
  bool all = true;
  world_.pending.places().each_last([&](std::size_t place) {
    const Pending& pending = world_.pending[place];
    if (pending.parent != last) return false;
    all = pending.to < blueprint_.actors.size() && (receivers >> pending.to & 1U) != 0;
    return all;
  });
  return all;
}

EventLink Execution::pending_link(std::size_t position) const {
  const Pending& pending = pending_at(position);
  const Directory& directory = kernel().directory();
  EventLink link;
  link.id = pending.id;
  link.receiver = directory.id_of(pending.to);
  link.parent = pending.parent;
  link.kind = pending.kind;
  if (pending.is_message()) {
    link.sender = pending.sender == Route::from_outside ? outside : directory.id_of(pending.sender);
    link.ordered = pending.order != Delivery::unordered && !engine_.network.may_delay(world_, pending.to);
  }
  return link;
}

EventTraits Execution::traits_of(std::size_t position) const {
  const Pending& pending = pending_at(position);
  EventTraits traits;
  traits.order = pending.order;
  traits.gated = engine_.network.may_delay(world_, pending.to);
  if (!blueprint_.has_keys()) return traits;
  const Envelope& envelope = kernel().envelope(pending.envelope);
  if (envelope.message == 0) return traits;
  const InternedValue& message = kernel().value(envelope.message);
  traits.key = blueprint_.key_of(message.type, message.data);
  return traits;
}

}  // namespace gainsay
