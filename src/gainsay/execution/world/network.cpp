#include "gainsay/execution/world/network.hpp"

#include <algorithm>
#include <limits>

#include "gainsay/execution/world/faults/cut.hpp"
#include "gainsay/execution/world/faults/faults.hpp"

namespace gainsay {
namespace {

std::pair<std::uint64_t, std::uint64_t> link_key(ActorId from, ActorId to) { return {from.raw, to.raw}; }

}  // namespace

Network::Network(Kernel& kernel) : kernel_(kernel), blueprint_(kernel.blueprint()), budgets_(blueprint_) {
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

void Network::meet(const WorldState& world, Slot slot, Receiver& receiver) const {
  receiver = {};
  receiver.round = round_;
  const CellId cell = world.cells[slot];
  const ActorType* type = cell == live_cell ? world.live[slot].type : kernel_.cell(cell).type;
  const ActorStatus status = cell == live_cell ? world.live[slot].status : kernel_.cell(cell).status;
  receiver.gated = type->gated && status == ActorStatus::alive;
  receiver.down = blueprint_.to_crashed == ToCrashed::kept && status == ActorStatus::crashed;
}

bool Network::accepts(const WorldState& world, Slot slot, EnvelopeId id) const {
  const CellId cell = world.cells[slot];
  return cell == live_cell ? kernel_.accepts(world.live[slot], id) : kernel_.accepts(cell, id);
}

Network::Link* Network::link(const Receiver& receiver, ActorId from) {
  for (std::uint32_t at = receiver.links; at != 0; at = links_[at - 1].next) {
    if (links_[at - 1].from == from) return &links_[at - 1];
  }
  return nullptr;
}

// Whether pending[index] need not wait for what was noted. Causal delivery: for what its sender knew to have been sent
// to the same receiver. What the outside sends to one receiver is ordered by its sending; nothing else is known of the
// outside.
bool Network::in_order(const WorldState& world, std::size_t index, const Envelope& envelope,
                       const Receiver& to) {
  switch (order_of(envelope)) {
    case Delivery::unordered:
      return true;
    case Delivery::mailbox:
      return !to.mail;
    case Delivery::fifo:
      return link(to, envelope.from) == nullptr;
    case Delivery::causal:
      break;
  }
  if (envelope.from == outside) return link(to, outside) == nullptr;
  const std::uint32_t* known = &world.pending_clocks[index * world.clock_width];
  for (std::uint32_t at = to.links; at != 0; at = links_[at - 1].next) {
    const Link& link = links_[at - 1];
    if (link.sender < world.clock_width && known[link.sender] >= link.sent) return false;
  }
  return true;
}

// Later events have to wait for pending[index]. A message that its receiver does not accept is overtaken by what comes
// after it; so is, in a mailbox, one that a cut holds back: those are not noted.
void Network::note(const WorldState& world, std::size_t index, const Envelope& envelope, Receiver& to) {
  const Delivery order = order_of(envelope);
  if (order == Delivery::unordered) return;
  if (order == Delivery::mailbox) {
    to.mail = to.mail || !cut(world, envelope);
    return;
  }
  Link* link = this->link(to, envelope.from);
  const bool known = link != nullptr;
  if (!known) {
    links_.push_back({envelope.from, Directory::no_slot, 0, to.links});
    to.links = static_cast<std::uint32_t>(links_.size());
    link = &links_.back();
  }
  if (order == Delivery::fifo || envelope.from == outside) return;
  if (!known) link->sender = kernel_.directory().slot_of(envelope.from);
  if (link->sender >= world.clock_width) return;
  // A duplicate stands behind later messages and has the clock of its original.
  const std::uint32_t sent = world.pending_clocks[index * world.clock_width + link->sender];
  link->sent = known ? std::min(link->sent, sent) : sent;
}

bool Network::cut(const WorldState& world, const Envelope& envelope) const {
  return world.partition != 0 && envelope.kind == EventKind::deliver &&
         crosses(blueprint_.faults, world.partition, envelope.from, envelope.receiver);
}

// Budgets and partitions.
bool Network::admitted(const WorldState& world, EnvelopeId id, EventKind kind) const {
  if (kind == EventKind::timer && !blueprint_.timer_budgets.empty()) {
    const std::size_t budget = budgets_.timer(*kernel_.value(kernel_.envelope(id).message).type);
    if (budget != Budgets::none && world.budgets[budget] == 0) return false;
  }
  if (world.partition == 0 || !cut(world, kernel_.envelope(id))) return true;
  return drops(blueprint_.faults, world.partition);  // then it is lost when it is its turn
}

void Network::note_starts(const WorldState& world) {
  std::uint32_t left = world.starts_pending;
  for (std::size_t i = 0; left > 0; ++i) {
    const EnvelopeBrief brief = kernel_.brief(world.pending[i].envelope);
    if (brief.kind != EventKind::start) continue;
    receiver(world, brief.to).starting = true;
    --left;
  }
}

void Network::enabled(const WorldState& world, Alternatives& out) {
  out.list.clear();
  ++round_;
  links_.clear();
  if (receivers_.size() < world.cells.size()) receivers_.resize(world.cells.size());
  note_starts(world);
  for (std::size_t i = 0; i < world.pending.size(); ++i) {
    const EnvelopeId id = world.pending[i].envelope;
    const auto [slot, kind] = kernel_.brief(id);
    Alternative alternative{kind, static_cast<std::uint32_t>(i)};
    if (kind == EventKind::start) {
      out.list.push_back(alternative);
      continue;
    }
    Receiver& to = receiver(world, slot);
    if (to.gated && !accepts(world, slot, id)) continue;
    const bool ready = !to.starting && admitted(world, id, kind);
    if (kind != EventKind::deliver) {
      if (ready) out.list.push_back(alternative);
      continue;
    }
    const bool up = ready && !to.down;
    if (world.partition != 0 && cut(world, kernel_.envelope(id))) alternative.kind = EventKind::lost;
    if (!ordered_) {
      if (up) out.list.push_back(alternative);
      continue;
    }
    const Envelope& envelope = kernel_.envelope(id);
    if (up && in_order(world, i, envelope, to)) out.list.push_back(alternative);
    note(world, i, envelope, to);
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
  if (has_faults()) {
    for (const Fault* fault : all_faults()) fault->offer(kernel_, budgets_, world, out.list);
  }
  if (out.quiescent && !out.list.empty()) out.list.push_back({EventKind::stop, 0});
}

}  // namespace gainsay
