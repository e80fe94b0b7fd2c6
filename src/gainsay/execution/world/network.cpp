#include "gainsay/execution/world/network.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "gainsay/execution/world/faults/cut.hpp"

namespace gainsay {
namespace {

std::pair<std::uint64_t, std::uint64_t> link_key(ActorId from, ActorId to) { return {from.raw, to.raw}; }

// Calls `take` for the events of one actor among the first `end`. Which they are is as good as random, so they are
// found without a branch for each entry, and in worlds with orders by what is said of them in `links`.
template <class Take>
[[gnu::always_inline]] inline void for_each_at(const WorldState& world, Slot slot, std::size_t end,
                                               Take take) {
  GAINSAY_CHECK(end <= world.pending.size(), "entries are pending");
  for (std::size_t first = 0; first < end; first += 64) {
    const std::size_t count = std::min<std::size_t>(end - first, 64);
    const Pending* entries = world.pending.data() + first;
    std::uint64_t found = 0;
    if (world.ordered) {
      found = world.links.matching_first(first, first + count, static_cast<std::uint8_t>(slot));
    } else {
      for (std::size_t k = count; k-- > 0;) found = found + found + (entries[k].to == slot ? 1 : 0);
    }
    for (; found != 0; found &= found - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(found));
      if (entries[k].to == slot) [[likely]]
        take(first + k);
    }
  }
}

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
  const bool kept = blueprint_.to_crashed == ToCrashed::kept && blueprint_.faults.crashes > 0;
  holds_ = !blueprint_.timer_budgets.empty() || !blueprint_.faults.partitions.empty() ||
           blueprint_.faults.isolation.budget > 0;
  ruled_ = ordered_ || kept || holds_;
  only_fifo_ = blueprint_.order == Delivery::fifo && link_orders_.empty();
  only_pending_ = !blueprint_.timed && !has_faults() && blueprint_.timers_keep_alive;
  free_ = !ruled_ && only_pending_;
  free_in_time_ = !ruled_ && blueprint_.timed;
  only_time_ = blueprint_.timed && !has_faults() && blueprint_.timers_keep_alive;
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
    far_receivers_ = far_receivers_ || route.to > 0xff;
    route.kind = envelope.kind;
    const auto held = front_.lock();
    const ValueType* const type = kernel_.value(envelope.message).type;  // envelope 0 has none
    route.gated = type != nullptr && may_be_refused(envelope.to, *type);
    if (envelope.kind == EventKind::deliver) {
      route.order = order_of(envelope);
      if (type != nullptr && !budgets_.groups().empty()) route.group = budgets_.group_of(*type);
      route.sender = envelope.from == outside ? from_outside : kernel_.directory().slot_of(envelope.from);
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

inline bool Network::has_start(const WorldState& world, Slot slot) const {
  // A start that nobody lets go is old: those that are left are among the first events.
  std::uint32_t left = world.starts_pending;
  for (std::size_t i = 0; left > 0; ++i) {
    GAINSAY_CHECK(i < world.pending.size(), "pending starts are counted");
    if (world.pending[i].kind != EventKind::start) continue;
    if (world.pending[i].to == slot) return true;
    --left;
  }
  return false;
}

inline bool Network::is_down(const WorldState& world, Slot slot) const {
  if (blueprint_.to_crashed != ToCrashed::kept) return false;
  const CellId cell = world.cells[slot];
  return (cell == live_cell ? world.live[slot].status : kernel_.cell(cell).status) == ActorStatus::crashed;
}

inline bool Network::may_refuse(const WorldState& world, Slot slot) const {
  if (!world.gated) return false;
  const CellId cell = world.cells[slot];
  if (cell == live_cell) return world.live[slot].type->gated && world.live[slot].status == ActorStatus::alive;
  return kernel_.cell(cell).type->gated && kernel_.cell(cell).status == ActorStatus::alive;
}

inline bool Network::accepts(const WorldState& world, const Pending& pending) {
  if (!route(pending.envelope).gated) return true;
  const CellId cell = world.cells[pending.to];
  return cell == live_cell ? kernel_.accepts(world.live[pending.to], pending.envelope)
                           : front_.accepts(cell, pending.envelope);
}

// Whether pending[index] need not wait for what was noted. Causal delivery: for what its sender knew to have been sent
// to the same receiver. What the outside sends to one receiver is ordered by its sending; nothing else is known of the
// outside.
[[gnu::always_inline]] inline bool Network::in_order(const WorldState& world, std::size_t index,
                                                     const Route& route) {
  switch (route.order) {
    case Delivery::unordered:
      return true;
    case Delivery::mailbox:
      return !noted_.mail;
    case Delivery::fifo:
      return route.sender == from_outside ? !noted_.outside : !noted_.queued[route.sender];
    case Delivery::queue:
      return first_in_queue(world, index);
    case Delivery::causal:
      break;
  }
  if (route.sender == from_outside) return !noted_.outside;
  const std::uint32_t* known = world.clock_of(index);
  bool waits = false;
  for (std::size_t k = 0; k < noted_.sent.size(); ++k) waits |= known[k] >= noted_.sent[k];
  return !waits;
}

// Nothing that may be taken stands before it in its receiver's queue. What was sent earlier may have been made later.
bool Network::first_in_queue(const WorldState& world, std::size_t index) {
  const Route way = route(world.pending[index].envelope);
  bool first = true;
  for_each_at(world, way.to, world.pending.size(), [&](std::size_t i) {
    first &= i == index || world.pending[i].refused || !waits_for(world, index, way, i);
  });
  return first;
}

// Later events have to wait for pending[index]. A message that its receiver does not accept is overtaken by what comes
// after it; so is, in a mailbox, one that a cut holds back: those are not noted.
[[gnu::always_inline]] inline void Network::note(const WorldState& world, std::size_t index,
                                                 const Route& route) {
  if (route.order == Delivery::unordered || route.order == Delivery::queue) return;
  if (route.order == Delivery::mailbox) {
    noted_.mail =
        noted_.mail || world.partition == 0 || !cut(world, kernel_.envelope(world.pending[index].envelope));
    return;
  }
  if (route.sender == from_outside) {
    noted_.outside = true;
  } else if (route.order == Delivery::fifo) {
    GAINSAY_CHECK(route.sender < noted_.queued.size(), "a sender is an actor");
    noted_.queued[route.sender] = true;
  } else {
    GAINSAY_CHECK(route.sender < noted_.sent.size(), "a sender has a clock");
    // A duplicate stands behind later messages and has the clock of its original.
    const std::uint32_t sent = world.clock_of(index)[route.sender];
    GAINSAY_CHECK(sent > 0, "a sending was counted");
    noted_.sent[route.sender] = std::min(noted_.sent[route.sender], sent);
  }
}

void Network::forget_noted(const WorldState& world) {
  noted_.mail = false;
  noted_.outside = false;
  noted_.queued.assign(world.cells.size(), 0);
  noted_.sent.assign(world.causal ? world.clock_width : 0, never_sent);
}

// The same rules for one pair: both are for one receiver, and the earlier one is accepted.
[[gnu::always_inline]] inline bool Network::waits_for(const WorldState& world, std::size_t later,
                                                      const Route& way, std::size_t earlier) {
  const Pending& first = world.pending[earlier];
  if (first.kind != EventKind::deliver) return false;
  const Route& other = route(first.envelope);
  if (other.order != way.order) return false;
  switch (way.order) {
    case Delivery::unordered:
      return false;
    case Delivery::mailbox:
      return world.partition == 0 || !cut(world, kernel_.envelope(first.envelope));
    case Delivery::fifo:
      return other.sender == way.sender;
    case Delivery::queue:
      return world.earlier[later][earlier] &&
             (world.partition == 0 || !cut(world, kernel_.envelope(first.envelope)));
    case Delivery::causal:
      break;
  }
  if (other.sender == from_outside || way.sender == from_outside) return other.sender == way.sender;
  return world.clock_of(later)[other.sender] >= world.clock_of(earlier)[other.sender];
}

// The tag of the last event before this one that it waits for; 0: none. On a fifo link it is the one that leaves last.
std::uint16_t Network::find_blocker(const WorldState& world, std::size_t index, const Route& way) {
  GAINSAY_CHECK(world.ordered && index < world.pending.size(), "events that have an order");
  const bool exact = !world.gated && !far_receivers_;  // nobody refuses, and no two receivers share a byte
  const auto is_there = [&](std::size_t i) {
    return exact || (world.pending[i].to == way.to && !world.pending[i].refused);
  };
  const auto receiver = static_cast<std::uint8_t>(way.to);
  const std::uint8_t sender = sender_byte(way);
  const bool by_sender = way.order == Delivery::fifo || sender == WorldState::outside_sender;
  std::size_t found = index;
  if (!link_orders_.empty() || sender == WorldState::far_sender ||
      (way.order != Delivery::fifo && way.order != Delivery::causal)) {
    found = world.links.last_first(
        index, receiver, [&](std::size_t i) { return is_there(i) && waits_for(world, index, way, i); });
  } else if (by_sender) {
    found = world.links.last_both(index, WorldState::link(way.to, sender), is_there);
  } else {
    const std::uint32_t* const known = world.clock_of(index);
    found = world.links.last_first(index, receiver, [&](std::size_t i) {
      const std::uint8_t from = PairRow::second_of(world.links[i]);
      if (from < WorldState::far_sender) return is_there(i) && known[from] >= world.clock_of(i)[from];
      return from == WorldState::far_sender && is_there(i) && waits_for(world, index, way, i);
    });
  }
  return found == index ? 0 : world.pending[found].tag();
}

void Network::admit(WorldState& world) {
  GAINSAY_CHECK(!world.pending.empty(), "something was added");
  const std::size_t index = world.pending.size() - 1;
  Pending& added = world.pending[index];
  if (added.kind == EventKind::start) return;
  const Slot slot = added.to;
  if (slot >= world.cells.size() || world.cells[slot] == 0) return;  // there is nobody: the step fails
  if (may_refuse(world, slot) && !accepts(world, added)) {
    added.refused = true;
    world.set_ready(index, false);
    return;
  }
  settle(world, index);
}

// Whether this entry has to wait, and for whom. REQUIRES: its receiver accepts it, and is there.
void Network::settle(WorldState& world, std::size_t index) {
  Pending& each = world.pending[index];
  GAINSAY_CHECK(each.kind != EventKind::start && !each.refused, "an event that may have to wait");
  const bool message = ruled_ && each.kind == EventKind::deliver;
  std::uint16_t blocker = 0;
  if (has_start(world, each.to) || (holds_ && !admitted(world, each)) ||
      (message && is_down(world, each.to))) {
    blocker = Pending::held;
  } else if (message && ordered_) {
    const Route& way = route(each.envelope);
    if (way.order != Delivery::unordered) blocker = find_blocker(world, index, way);
  }
  each.blocker = blocker;
  world.set_ready(index, blocker == 0);
}

// A message has left: those that waited for it go, or wait for another one. On fifo links they are on its link.
void Network::release(WorldState& world, const Pending& left) {
  const std::uint16_t tag = left.tag();
  const std::size_t size = world.pending.size();
  const PairRow::Pair link = WorldState::link(left.to, only_fifo_ ? sender_byte(route(left.envelope)) : 0);
  for (std::size_t first = 0; first < size; first += 64) {
    std::uint64_t found = world.waits.block(first);
    if (found == 0) continue;
    const std::size_t behind = std::min(size, first + 64);
    if (only_fifo_) {
      found &= world.links.matching_both(first, behind, link);
    } else if (world.ordered) {
      found &= world.links.matching_first(first, behind, PairRow::first_of(link));
    }
    for (; found != 0; found &= found - 1) {
      const std::size_t index = first + static_cast<std::size_t>(std::countr_zero(found));
      const Pending& each = world.pending[index];
      if ((each.blocker == tag || each.blocker == 0) && each.to == left.to && !each.refused)
        settle(world, index);
    }
  }
}

bool Network::ask_gates(WorldState& world, Slot slot) {
  const bool refuses = may_refuse(world, slot);
  bool moved = false;
  for_each_at(world, slot, world.pending.size(), [&](std::size_t i) {
    Pending& each = world.pending[i];
    if (each.kind == EventKind::start) return;
    const bool refused = refuses && !accepts(world, each);
    moved |= refused != each.refused;
    each.refused = refused;
  });
  return moved;
}

void Network::refresh(WorldState& world, Slot slot, bool gates) {
  GAINSAY_CHECK(slot < world.cells.size() && world.cells[slot] != 0, "the actor is there");
  if (!may_wait(world)) {  // its start may have been the last thing to wait for
    world.set_all_ready();
    return;
  }
  const bool starting = has_start(world, slot);
  const bool down = ruled_ && is_down(world, slot);
  if (ordered_) forget_noted(world);
  if (gates && world.queued) ask_gates(world, slot);
  const bool refuses = may_refuse(world, slot);
  for_each_at(world, slot, world.pending.size(), [&](std::size_t i) {
    Pending& each = world.pending[i];
    if (each.kind == EventKind::start) return;
    if (gates && !world.queued) each.refused = refuses && !accepts(world, each);
    each.blocker = 0;
    if (each.refused) {
      world.set_ready(i, false);
      return;
    }
    const bool message = ruled_ && each.kind == EventKind::deliver;
    bool ready = !starting && (!holds_ || admitted(world, each)) && !(message && down);
    if (!ready) each.blocker = Pending::held;
    if (message && ordered_) {
      const Route& way = route(each.envelope);
      ready = ready && in_order(world, i, way);
      note(world, i, way);
    }
    world.set_ready(i, ready);
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
    const std::size_t budget =
        budgets_.timer(*kernel_.value(kernel_.envelope(pending.envelope).message).type);
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
  out.ordinary = world.pending.size() - (blueprint_.timed ? time_.early_count() : world.waiting);
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
  for (std::uint32_t i = 0; i < world.pending.size(); ++i) {
    if (world.is_ready(i)) out.list.push_back({kind_of(world, i), i});
  }
  GAINSAY_CHECK(out.list.size() == world.pending.size() - world.waiting, "what may be next is counted");
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
