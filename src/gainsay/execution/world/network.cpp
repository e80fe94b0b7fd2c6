#include "gainsay/execution/world/network.hpp"

#include <algorithm>

#include "gainsay/execution/world/faults/cut.hpp"

namespace gainsay {
namespace {

std::pair<std::uint64_t, std::uint64_t> link_key(ActorId from, ActorId to) { return {from.raw, to.raw}; }

}  // namespace

Network::Network(Front& front)
    : front_(front),
      kernel_(front.kernel()),
      blueprint_(kernel_.blueprint()),
      budgets_(blueprint_),
      time_(kernel_),
      latency_(WorldTime::window(blueprint_.latency.lo, blueprint_.latency.hi)) {
  for (const LinkOrder& link : blueprint_.link_orders)
    link_orders_[link_key(link.from, link.to)] = link.order;
  for (const LinkLatency& link : blueprint_.link_latencies)
    link_latencies_[link_key(link.from, link.to)] = link.latency;
  const auto note_order = [&](Delivery order) {
    ordered_ = ordered_ || order != Delivery::unordered;
    causal_ = causal_ || order == Delivery::causal;
    queued_ = queued_ || order == Delivery::queue;
  };
  note_order(blueprint_.order);
  for (const LinkOrder& link : blueprint_.link_orders) note_order(link.order);
  has_faults_ = blueprint_.faults.any();
  keeps_ = blueprint_.to_crashed == ToCrashed::kept && blueprint_.faults.crashes > 0;
  holds_ = !blueprint_.timer_budgets.empty() || !blueprint_.faults.partitions.empty() ||
           blueprint_.faults.isolation.budget > 0;
  ruled_ = ordered_ || keeps_ || holds_;
  order_and_time_ = !has_faults() && !holds_ && !queued_;
  only_order_ = !blueprint_.timed && order_and_time_;
  only_pending_ = !blueprint_.timed && !has_faults() && blueprint_.timers_keep_alive;
  only_timers_rest_ = !blueprint_.timed && !has_faults() && !blueprint_.timers_keep_alive;
  free_ = !ruled_ && only_pending_;
  free_in_time_ = !ruled_ && blueprint_.timed;
  only_time_ = blueprint_.timed && !has_faults() && blueprint_.timers_keep_alive;
  for (const ActorPlan& actor : blueprint_.actors) gated_at_.push_back(actor.type->gated ? 1 : 0);
  for (const Fault* fault : all_faults()) {
    if (has_faults() && (fault->planned(blueprint_.faults) > 0 || fault->kind == EventKind::heal))
      faults_.push_back(fault);
  }
}

Delivery Network::order_of(ActorId from, ActorId to) const {
  if (link_orders_.empty()) return blueprint_.order;
  const auto found = link_orders_.find(link_key(from, to));
  return found == link_orders_.end() ? blueprint_.order : found->second;
}

PendingWindow Network::link_window(const Envelope& envelope) const {
  const auto found = link_latencies_.find(link_key(envelope.from, envelope.receiver));
  return found == link_latencies_.end() ? latency_ : WorldTime::window(found->second.lo, found->second.hi);
}

void Network::find_routes(EnvelopeId id) {
  for (auto next = static_cast<EnvelopeId>(routes_.size()); next <= id; ++next) {
    const Envelope& envelope = kernel_.envelope(next);
    Route route;
    route.to = envelope.to;
    route.kind = envelope.kind;
    const auto held = front_.lock();
    const ValueType* const type = envelope.type;  // envelope 0 has none
    route.gated = type != nullptr && may_be_refused(envelope.to, *type);
    if (envelope.kind == EventKind::deliver) {
      route.order = order_of(envelope);
      if (type != nullptr && !budgets_.groups().empty()) route.group = budgets_.group_of(*type);
      route.sender =
          envelope.from == outside ? Route::from_outside : kernel_.directory().slot_of(envelope.from);
    }
    routes_.push_back(route);
  }
}

// In some state of the actor. Of actors that are spawned the type is not known here.
bool Network::may_be_refused(Slot slot, const ValueType& message) const {
  if (slot >= blueprint_.actors.size()) return true;
  const ActorType& type = *blueprint_.actors[slot].type;
  if (!type.gated || type.expects != nullptr) return type.gated;
  const Handler* const handler = type.handler_of(message);
  return handler != nullptr && handler->accepts != nullptr;
}

bool Network::is_down(const WorldState& world, Slot slot) const {
  const CellId cell = world.cells[slot];
  return (cell == live_cell ? world.live[slot].status : kernel_.cell(cell).status) == ActorStatus::crashed;
}

bool Network::may_refuse(const WorldState& world, Slot slot) const {
  if (!world.gated) return false;
  const CellId cell = world.cells[slot];
  if (cell == live_cell) return world.live[slot].type->gated && world.live[slot].status == ActorStatus::alive;
  return kernel_.cell(cell).type->gated && kernel_.cell(cell).status == ActorStatus::alive;
}

bool Network::accepts(const WorldState& world, const Pending& pending) {
  if (!pending.gated) return true;
  const CellId cell = world.cells[pending.to];
  return cell == live_cell ? kernel_.accepts(world.live[pending.to], pending.envelope)
                           : front_.accepts(cell, pending.envelope);
}

// Whether it waits for what has a queue in common with it: in a mailbox for what was there before, in queue order for
// what was sent before. Those that a cut holds back are overtaken.
bool Network::is_queued(const WorldState& world, std::size_t place) const {
  const Pending& each = world.pending[place];
  bool waits = false;
  world.at.each(each.to, [&](std::size_t other) {
    const Pending& first = world.pending[other];
    if (!first.is_message() || first.order != each.order || world.refused[other]) return;
    if (each.order == Delivery::mailbox ? other >= place : !world.earlier.has(place, other)) return;
    waits |= world.partition == 0 || !cut(world, kernel_.envelope(first.envelope));
  });
  return waits;
}

// A message has left: those that waited for it go, or wait for another one. On one link that is the first of those that
// stand there. Who else waited for it nobody can predict: so all that wait at the receiver are asked.
template <Rules rules> void Network::release(WorldState& world, const Pending& left) {
  if (left.order == Delivery::unordered) return;
  const bool starting = is_starting(world, left.to);
  const bool by_sender = !left.is_sending() && left.order != Delivery::mailbox;
  const std::uint64_t* const from = by_sender ? world.from.row(WorldState::sender_row(left.sender)) : nullptr;
  for (std::size_t w = 0; w < world.at.words(); ++w) {
    std::uint64_t waiting = world.at.word(left.to, w) & world.waits.word(w) & ~world.refused.word(w);
    if (by_sender) waiting &= from[w];
    if (by_sender) waiting &= 0 - waiting;  // the first
    if (waiting == 0) continue;
    std::uint64_t ready = 0;
    bits::each(waiting, [&](std::size_t index) {
      const std::size_t other = w * 64 + index;
      const bool goes = !must_wait<rules>(world, other, world.pending[other], starting);
      ready |= std::uint64_t{goes} << index;
    });
    world.set_ready_in(w, ready);
    if (by_sender) return;
  }
}

// The same in single words.
template <> void Network::release<Rules::narrow>(WorldState& world, const Pending& left) {
  if (left.order == Delivery::unordered) return;
  const bool starting = is_starting(world, left.to);
  std::uint64_t waiting = world.at.only_word(left.to) & world.waits.word(0) & ~world.refused.word(0);
  if (!left.is_sending() && left.order != Delivery::mailbox) {
    waiting &= world.from.only_word(WorldState::sender_row(left.sender));
    waiting &= 0 - waiting;  // the first
  }
  std::uint64_t ready = 0;
  bits::each(waiting, [&](std::size_t other) {
    const bool goes = !must_wait<Rules::narrow>(world, other, world.pending[other], starting);
    ready |= std::uint64_t{goes} << other;
  });
  world.set_ready_in(0, ready);
}

template void Network::release<Rules::any>(WorldState& world, const Pending& left);
template void Network::release<Rules::order>(WorldState& world, const Pending& left);

bool Network::ask_gates(WorldState& world, Slot slot) {
  bool moved = false;
  for (std::size_t w = 0; w < world.at.words(); ++w) {
    bits::each(world.at.word(slot, w) & world.gated_events.word(w), [&](std::size_t index) {
      const std::size_t place = w * 64 + index;
      const Pending& each = world.pending[place];
      GAINSAY_CHECK(each.gated, "what is asked for may be refused");
      const bool refused = each.kind != EventKind::start && refuses(world, each);
      moved |= refused != world.refused[place];
      world.refused.set(place, refused);
    });
  }
  return moved;
}

void Network::refresh(WorldState& world, Slot slot, bool gates) {
  GAINSAY_CHECK(slot < world.cells.size() && world.cells[slot] != 0, "the actor is there");
  if (!may_wait(world)) {  // its start may have been the last thing to wait for
    world.set_all_ready();
    return;
  }
  if (gates) ask_gates(world, slot);
  const bool starting = is_starting(world, slot);
  world.at.each(slot, [&](std::size_t place) {
    if (world.pending[place].kind == EventKind::start) return;
    if (world.refused[place]) {
      world.set_ready(place, false);
    } else {
      world.set_ready(place, !must_wait(world, place, world.pending[place], starting));
    }
  });
}

void Network::refresh_all(WorldState& world) {
  for (Slot slot = 0; slot < world.cells.size(); ++slot) {
    if (world.cells[slot] != 0) refresh(world, slot, true);
  }
}

void Network::refresh_queues(WorldState& world, Slot slot, bool changed) {
  for (Slot each = 0; each < world.cells.size(); ++each) {
    if (world.cells[each] != 0)
      refresh(world, each, each == slot && changed && world.gated && type_at(world, each).gated);
  }
}

bool Network::crosses_now(const WorldState& world, ActorId from, ActorId to) const {
  const std::size_t actors = blueprint_.actors.size();
  if (from.raw >= actors || to.raw >= actors) return crosses(blueprint_.faults, world.partition, from, to);
  if (world.partition >= crossed_.size()) crossed_.resize(world.partition + std::size_t{1});
  std::vector<std::uint8_t>& crossed = crossed_[world.partition];
  if (crossed.empty()) {
    crossed.resize(actors * actors);
    for (std::uint64_t a = 0; a < actors; ++a) {
      for (std::uint64_t b = 0; b < actors; ++b)
        crossed[a * actors + b] = crosses(blueprint_.faults, world.partition, ActorId{a}, ActorId{b}) ? 1 : 0;
    }
  }
  return crossed[from.raw * actors + to.raw] != 0;
}

// Budgets and partitions.
bool Network::is_let(const WorldState& world, const Pending& pending) const {
  if (pending.kind == EventKind::timer && !blueprint_.timer_budgets.empty()) {
    const std::size_t budget = budgets_.timer(*kernel_.envelope(pending.envelope).type);
    if (budget != Budgets::none && world.budgets[budget] == 0) return false;
  }
  if (world.partition == 0 || !cut(world, kernel_.envelope(pending.envelope))) return true;
  return drops(blueprint_.faults, world.partition);  // then it is lost when it is its turn
}

void Network::list_faults(const WorldState& world, std::vector<Alternative>& out) const {
  Offers offers(&out);
  for (const Fault* fault : faults_) fault->offer(kernel_, budgets_, world, offers);
}

void Network::offer_more(const WorldState& world, Alternatives& out) const {
  out.unlisted = !blueprint_.timed;
  out.early = blueprint_.timed ? &time_.early(world) : nullptr;
  out.faults_listed = false;
  out.ordinary = world.pending.count() - (blueprint_.timed ? time_.early_count() : world.waiting);
  out.quiescent = rests(world);
  Offers faults(nullptr);
  out.fault_rows.clear();
  for (const Fault* fault : faults_) {
    const std::size_t before = faults.count();
    fault->offer(kernel_, budgets_, world, faults);
    if (faults.count() == before) continue;
    if (is_obliged(fault->kind)) out.quiescent = false;
    out.fault_rows.push_back({fault->kind, out.ordinary + faults.count()});
  }
  out.count = out.ordinary + faults.count();
  out.may_stop = out.quiescent && out.count > 0;
  out.count += out.may_stop ? 1 : 0;
  out.network = faults_.empty() && !out.may_stop ? nullptr : this;
}

void Network::enabled(const WorldState& world, Alternatives& out) const {
  out.unlisted = false;
  out.early = nullptr;
  out.network = nullptr;
  out.list.clear();
  for (const std::size_t place : world.pending.each_place()) {
    if (world.is_ready(place)) out.list.push_back({kind_of(world, place), static_cast<std::uint32_t>(place)});
  }
  GAINSAY_CHECK(out.list.size() == world.pending.count() - world.waiting, "what may be next is counted");
  out.quiescent = rests(world);
  // What comes later keeps the world alive all the same.
  if (blueprint_.timed) time_.keep_possible(world, out.list);
  out.ordinary = out.list.size();
  list_faults(world, out.list);
  if (obliges() && std::any_of(out.list.begin(), out.list.end(),
                               [&](const Alternative& each) { return is_obliged(each.kind); }))
    out.quiescent = false;
  out.may_stop = out.quiescent && !out.list.empty();
  if (out.may_stop) out.list.push_back({EventKind::stop, 0});
  out.count = out.list.size();
}

}  // namespace gainsay
