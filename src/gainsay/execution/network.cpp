#include "gainsay/execution/network.hpp"

#include <algorithm>
#include <limits>

namespace gainsay {
namespace {

std::pair<std::uint64_t, std::uint64_t> link_key(ActorId from, ActorId to) { return {from.raw, to.raw}; }

}  // namespace

Network::Network(Kernel& kernel) : kernel_(kernel), blueprint_(kernel.blueprint()) {
  for (const LinkOrder& link : blueprint_.link_orders)
    link_orders_[link_key(link.from, link.to)] = link.order;
  for (const LinkLatency& link : blueprint_.link_latencies)
    link_latencies_[link_key(link.from, link.to)] = link.latency;
  const auto note_order = [&](Delivery order) {
    ordered_ = ordered_ || order != Delivery::unordered;
    causal_ = causal_ || order == Delivery::causal;
  };
  note_order(blueprint_.order);
  for (const LinkOrder& link : blueprint_.link_orders) note_order(link.order);
  bool gated = false;
  for (const ActorPlan& actor : blueprint_.actors) gated = gated || actor.type->gated;
  plain_ = !ordered_ && !gated && !blueprint_.timed && !has_faults() && blueprint_.timers_keep_alive &&
           blueprint_.timer_budgets.empty();
}

std::vector<std::uint32_t> Network::initial_budgets() const {
  const FaultPlan& faults = blueprint_.faults;
  if (!faults.any() && blueprint_.timer_budgets.empty()) return {};
  std::vector<std::uint32_t> budgets = {faults.drops, faults.duplicates, faults.crashes, faults.restarts,
                                        faults.partitions.empty() ? 0 : faults.partition_events};
  for (const Corruption& corruption : faults.corruptions) budgets.push_back(corruption.budget);
  for (const TimerBudget& timer : blueprint_.timer_budgets) budgets.push_back(timer.budget);
  return budgets;
}

std::size_t Network::timer_budget(const ValueType& type) const {
  for (std::size_t i = 0; i < blueprint_.timer_budgets.size(); ++i) {
    if (blueprint_.timer_budgets[i].type == &type)
      return fixed_budgets + blueprint_.faults.corruptions.size() + i;
  }
  return 0;
}

std::size_t Network::corruption_budget(const ValueType& type) const {
  for (std::size_t i = 0; i < blueprint_.faults.corruptions.size(); ++i) {
    if (blueprint_.faults.corruptions[i].type == &type) return fixed_budgets + i;
  }
  return 0;
}

Delivery Network::order_of(ActorId from, ActorId to) const {
  if (link_orders_.empty()) return blueprint_.order;
  const auto found = link_orders_.find(link_key(from, to));
  return found == link_orders_.end() ? blueprint_.order : found->second;
}

PendingWindow Network::window(const WorldState& world, const Envelope& envelope) const {
  Window latency = blueprint_.latency;
  if (!link_latencies_.empty()) {
    const auto found = link_latencies_.find(link_key(envelope.from, envelope.receiver));
    if (found != link_latencies_.end()) latency = found->second;
  }
  return {later(world.now_ns, latency.lo), later(world.now_ns, latency.hi)};
}

// Whether the sending of `earlier` happened before the sending of `later`; both are to one receiver. What the
// outside sends to one receiver is ordered by its sending; nothing else is known of the outside.
bool Network::precedes(const WorldState& world, std::size_t earlier, std::size_t later) const {
  const Envelope& first = kernel_.envelope(world.pending[earlier].envelope);
  const Envelope& second = kernel_.envelope(world.pending[later].envelope);
  if (first.from == outside) return second.from == outside;
  const Slot sender = kernel_.directory().slot_of(first.from);
  if (sender >= world.clock_width) return false;
  const std::uint32_t sent = world.pending_clocks[earlier * world.clock_width + sender];
  return world.pending_clocks[later * world.clock_width + sender] >= sent && sent > 0;
}

bool Network::waits(const WorldState& world, std::size_t index, std::size_t earlier) const {
  const Envelope& envelope = kernel_.envelope(world.pending[index].envelope);
  const Envelope& other = kernel_.envelope(world.pending[earlier].envelope);
  if (other.to != envelope.to || other.kind != EventKind::deliver || envelope.kind != EventKind::deliver)
    return false;
  const Delivery order = order_of(envelope);
  switch (order) {
    case Delivery::unordered:
      return false;
    case Delivery::fifo:
      return other.from == envelope.from;
    case Delivery::mailbox:
      return order_of(other) == Delivery::mailbox;
    case Delivery::causal:
      return order_of(other) == Delivery::causal && precedes(world, earlier, index);
  }
  return false;
}

// A message that its receiver does not accept is overtaken by what comes after it; so is, in a mailbox, one
// that a cut holds back. Only accepted messages are in the chain.
bool Network::in_order(const WorldState& world, std::size_t index, const Envelope& envelope) {
  const Delivery order = order_of(envelope);
  if (order == Delivery::unordered) return true;
  const bool uniform = link_orders_.empty();
  const std::uint32_t* known = causal_ ? &world.pending_clocks[index * world.clock_width] : nullptr;
  for (std::uint32_t at = chains_[envelope.to]; at != 0; at = links_[at - 1].before) {
    const Link& link = links_[at - 1];
    if (uniform && order == Delivery::causal && link.sender != Directory::no_slot) {
      // As `precedes` says: what its sender knew of the earlier one's sender.
      if (link.sender < world.clock_width && link.sent > 0 && known[link.sender] >= link.sent) return false;
      continue;
    }
    if (!waits(world, index, at - 1)) continue;
    if (order == Delivery::mailbox && cut(world, kernel_.envelope(world.pending[at - 1].envelope))) continue;
    return false;
  }
  return true;
}

// Whether the receiver, if it is up, lets the envelope in.
bool Network::accepted(const WorldState& world, EnvelopeId id, const Envelope& envelope) const {
  const CellId cell = world.cells[envelope.to];
  if (cell != live_cell) {
    const Cell& receiver = kernel_.cell(cell);
    return !receiver.type->gated || receiver.status != ActorStatus::alive || kernel_.accepts(cell, id);
  }
  const LiveActor& receiver = world.live[envelope.to];
  return !receiver.type->gated || receiver.status != ActorStatus::alive || kernel_.accepts(receiver, id);
}

bool Network::cut(const WorldState& world, const Envelope& envelope) const {
  if (world.partition == 0 || envelope.kind != EventKind::deliver) return false;
  const PartitionPlan& plan = blueprint_.faults.partitions[world.partition - 1];
  int from_block = -1;
  int to_block = -1;
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    for (const ActorId id : plan.blocks[b]) {
      if (id == envelope.from) from_block = static_cast<int>(b);
      if (id == envelope.receiver) to_block = static_cast<int>(b);
    }
  }
  return from_block >= 0 && to_block >= 0 && from_block != to_block;
}

// Everything but the order: the receiver's start, its gate, whether it is up, budgets, partitions.
bool Network::admitted(const WorldState& world, const Envelope& envelope, bool accepted) const {
  if (envelope.kind == EventKind::start) return true;
  if (!starting_.empty() && starting_[envelope.to]) return false;
  if (!accepted) return false;
  if (envelope.kind == EventKind::deliver && blueprint_.to_crashed == ToCrashed::kept) {
    const CellId cell = world.cells[envelope.to];
    const ActorStatus status = cell == live_cell ? world.live[envelope.to].status : kernel_.cell(cell).status;
    if (status == ActorStatus::crashed) return false;
  }
  if (envelope.kind == EventKind::timer && !blueprint_.timer_budgets.empty()) {
    const std::size_t budget = timer_budget(*kernel_.value(envelope.message).type);
    if (budget != 0 && world.budgets[budget] == 0) return false;
  }
  if (world.partition != 0 && cut(world, envelope)) {
    return blueprint_.faults.partitions[world.partition - 1]
        .drops;  // a dropping cut lets the message arrive nowhere
  }
  return true;
}

void Network::note_starts(const WorldState& world) {
  starting_.clear();
  if (world.starts_pending == 0) return;
  starting_.assign(world.cells.size(), false);
  for (const Pending& pending : world.pending) {
    const Envelope& envelope = kernel_.envelope(pending.envelope);
    if (envelope.kind == EventKind::start) starting_[envelope.to] = true;
  }
}

void Network::enabled(const WorldState& world, Alternatives& out) {
  out.list.clear();
  note_starts(world);
  const std::size_t n = world.pending.size();
  if (ordered_) {
    chains_.assign(world.cells.size(), 0);
    links_.resize(n);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const EnvelopeId id = world.pending[i].envelope;
    const Envelope& envelope = kernel_.envelope(id);
    const bool accepted = this->accepted(world, id, envelope);
    const bool chained = ordered_ && envelope.kind == EventKind::deliver && accepted;
    if (admitted(world, envelope, accepted) && (!chained || in_order(world, i, envelope)))
      out.list.push_back({envelope.kind, static_cast<std::uint32_t>(i)});
    if (!chained) continue;
    Link& link = links_[i];
    link.before = chains_[envelope.to];
    link.sender = envelope.from == outside ? Directory::no_slot : kernel_.directory().slot_of(envelope.from);
    if (causal_ && link.sender < world.clock_width)
      link.sent = world.pending_clocks[i * world.clock_width + link.sender];
    chains_[envelope.to] = static_cast<std::uint32_t>(i + 1);
  }
  if (blueprint_.timed) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Alternative& each : out.list) least = std::min(least, world.windows[each.target].hi_ns);
    std::erase_if(out.list,
                  [&](const Alternative& each) { return world.windows[each.target].lo_ns > least; });
  }
  out.ordinary = out.list.size();
  out.quiescent = out.list.empty();
  if (!blueprint_.timers_keep_alive) {
    out.quiescent = std::all_of(out.list.begin(), out.list.end(),
                                [](const Alternative& each) { return each.kind == EventKind::timer; });
  }
  if (has_faults()) add_faults(world, out);
  if (out.quiescent && !out.list.empty()) out.list.push_back({EventKind::stop, 0});
}

bool Network::concerns(const std::vector<const ValueType*>& types, const Envelope& envelope) const {
  return types.empty() ||
         std::find(types.begin(), types.end(), kernel_.value(envelope.message).type) != types.end();
}

void Network::add_faults(const WorldState& world, Alternatives& out) const {
  const FaultPlan& plan = blueprint_.faults;
  const auto on_messages = [&](EventKind kind, std::size_t budget,
                               const std::vector<const ValueType*>& types) {
    if (world.budgets[budget] == 0) return;
    for (std::size_t i = 0; i < world.pending.size(); ++i) {
      const Envelope& envelope = kernel_.envelope(world.pending[i].envelope);
      if (envelope.kind == EventKind::deliver && concerns(types, envelope)) {
        out.list.push_back({kind, static_cast<std::uint32_t>(i)});
      }
    }
  };
  on_messages(EventKind::drop, drops, plan.droppable);
  on_messages(EventKind::duplicate, duplicates, plan.duplicable);
  for (std::size_t i = 0; i < plan.corruptions.size(); ++i) {
    on_messages(EventKind::corrupt, fixed_budgets + i, {plan.corruptions[i].type});
  }
  const auto status = [&](Slot slot) {
    return world.cells[slot] == live_cell ? world.live[slot].status : kernel_.cell(world.cells[slot]).status;
  };
  if (world.budgets[crashes] > 0) {
    for (const ActorId id : plan.crashable) {
      if (status(static_cast<Slot>(id.raw)) == ActorStatus::alive)
        out.list.push_back({EventKind::crash, static_cast<std::uint32_t>(id.raw)});
    }
  }
  if (world.budgets[restarts] > 0) {
    for (const ActorId id : plan.crashable) {
      if (status(static_cast<Slot>(id.raw)) == ActorStatus::crashed)
        out.list.push_back({EventKind::restart, static_cast<std::uint32_t>(id.raw)});
    }
  }
  if (world.partition != 0) {
    if (world.partition_steps_left == 0) out.list.push_back({EventKind::heal, world.partition - 1});
  } else if (world.budgets[partitions] > 0) {
    for (std::size_t i = 0; i < plan.partitions.size(); ++i) {
      out.list.push_back({EventKind::partition, static_cast<std::uint32_t>(i)});
    }
  }
}

EventId Network::fault_id(const WorldState& world, const Alternative& fault) const {
  switch (fault.kind) {
    case EventKind::drop:
    case EventKind::corrupt:
      return child_event_id(world.pending[fault.target].id.raw, fault.kind, 0);
    case EventKind::duplicate: {
      const EventId original = world.pending[fault.target].id;
      const auto before = std::count(world.doubled.begin(), world.doubled.end(), original);
      return child_event_id(original.raw, fault.kind, static_cast<std::uint32_t>(before));
    }
    case EventKind::crash:
    case EventKind::restart:
      return outside_event_id(fault.kind, ActorId{fault.target}, world.fault_ordinals[fault.target]);
    default:
      return outside_event_id(fault.kind, ActorId{fault.target}, world.partition_ordinal);
  }
}

}  // namespace gainsay
