// Network: which events may be next. Delivery orders, gates, partitions, time windows, budgets.
//
// Enabled are, in this order: pending events that may happen now, in the order of their creation; faults; and
// `stop` where the world is quiescent (only faults that need not happen, or only timers that do not keep it alive, are
// left).
//
// What orders, gates, starts and cuts say of a pending event is kept in the world (WorldState::waits). All of it is
// decided by what else is pending for the same receiver and by the receiver's own state. So a step touches the
// entries of the actor that handled it (`after_step`) and what it sent (`admit`), which is never waited for by earlier
// events; only cuts and spent timer budgets concern everybody (`refresh_all`).
#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/execution/kernel/front.hpp"
#include "gainsay/execution/world/faults/faults.hpp"
#include "gainsay/execution/world/world_state.hpp"
#include "gainsay/execution/world/world_time.hpp"

namespace gainsay {

class Network {
 public:
  explicit Network(Front& front);

  bool timed() const { return blueprint_.timed; }
  bool causal() const { return causal_; }
  bool queued() const { return queued_; }
  bool unordered() const { return !ordered_; }
  bool has_crashes() const { return blueprint_.faults.crashes > 0; }
  bool has_faults() const { return has_faults_; }
  // Whether a message under causal order may be doubled: a copy has the past of its original, but only what was sent
  // after it appeared waits for it.
  bool has_copies() const { return causal_ && !blueprint_.faults.duplicates.empty(); }
  // Whether a fault of this kind must happen in the end, once it is possible.
  bool is_obliged(EventKind fault) const {
    return (fault == EventKind::restart && blueprint_.faults.restarts_obliged) ||
           (fault == EventKind::heal && blueprint_.faults.heals_obliged);
  }
  bool obliges() const { return blueprint_.faults.restarts_obliged || blueprint_.faults.heals_obliged; }
  // The class of such a fault, beside those of events (WorldHash::class_of).
  static std::uint64_t obliged_class(EventKind fault, std::uint32_t target) {
    return mix(0x6f626c69676564ULL + static_cast<std::uint64_t>(fault), target + 1ULL);
  }
  // Whether a state has budgets and cuts.
  bool has_budgets() const { return has_faults() || !blueprint_.timer_budgets.empty(); }
  WorldTime& time() const { return time_; }
  const Kernel& kernel() const { return kernel_; }
  Delivery order_of(const Envelope& envelope) const { return order_of(envelope.from, envelope.receiver); }

  // What delivery has to know of it.
  const Route& route(EnvelopeId id) {
    if (id >= routes_.size()) [[unlikely]]
      find_routes(id);
    return routes_[id];
  }

  // Whether every pending event may be next and nothing else may happen: then nobody needs to look at entries.
  bool may_be_free() const { return free_; }
  bool free(const WorldState& world) const { return free_ && world.starts_pending == 0 && !world.gated; }
  // Whether nothing but pending events can happen, whatever they wait for.
  bool only_pending() const { return only_pending_; }
  void enabled(const WorldState& world, Alternatives& out) const;
  // The same without a list.
  void offer(const WorldState& world, Alternatives& out) const {
    if (only_pending_) [[likely]] {
      out.unlisted = true;
      out.count = out.ordinary = world.pending.count() - world.waiting;
      out.quiescent = out.count == 0;
    } else if (only_timers_rest_ && has_ready_message(world)) {
      out.unlisted = true;
      out.network = nullptr;
      out.count = out.ordinary = world.pending.count() - world.waiting;
      out.quiescent = out.may_stop = false;
    } else if (only_time_) {
      out.unlisted = false;
      out.early = &time_.early(world);
      out.count = out.ordinary = world.pending.count() - time_.early_count();
      out.quiescent = out.count == 0;
    } else {
      offer_more(world, out);
    }
  }
  // The faults among what may be next.
  void list_faults(const WorldState& world, std::vector<Alternative>& out) const;
  // What the pending event is where it is next: a message that crosses a cut is lost.
  EventKind kind_of(const WorldState& world, std::size_t place) const {
    const Pending& pending = world.pending[place];
    if (world.partition == 0 || pending.kind != EventKind::deliver) return pending.kind;
    return cut(world, kernel_.envelope(pending.envelope)) ? EventKind::lost : EventKind::deliver;
  }

  // Whether an event is like in a free world, time apart.
  bool free_in_time(const WorldState& world) const {
    return free_in_time_ && world.starts_pending == 0 && !world.gated && world.waited_count == 0;
  }

  // Whether the rules of the worlds are those of Rules::order, or narrow ones where a world is narrow.
  bool only_order() const { return only_order_; }
  bool is_narrow(const WorldState& world) const { return order_and_time_ && world.is_narrow(); }

  // Whether this actor may keep what is sent to it waiting: by a gate, or while it is down.
  bool may_delay(const WorldState& world, Slot slot) const { return keeps_ || has_gates(world, slot); }
  // Whether an entry may have to wait for something.
  bool may_wait(const WorldState& world) const { return ruled_ || world.starts_pending > 0 || world.gated; }
  // The event at the last place is new. REQUIRES: all others are up to date.
  template <Rules rules = Rules::any>
  [[gnu::always_inline]] void admit(WorldState& world, std::size_t place, const Route& route) {
    if (route.kind == EventKind::start) return;
    if (route.to >= world.cells.size() || world.cells[route.to] == 0)
      return;  // nobody is there: the step fails
    if (route.gated && refuses(world, world.pending[place])) [[unlikely]] {
      world.refused.set(place);
      world.set_ready(place, false);
    } else {
      world.set_new(place, must_wait<rules>(world, place, route, is_starting(world, route.to)));
    }
  }
  // The same of a message that `WorldState::add_narrow` has added.
  [[gnu::always_inline]] void admit_narrow(WorldState& world, std::size_t place, const Route& route) {
    if (route.gated && refuses(world, world.pending[place])) [[unlikely]] {
      world.refused.set(place);
      world.set_ready(place, false);
    } else {
      world.set_new_narrow(place, is_starting(world, route.to) | is_blocked_narrow(world, place, route));
    }
  }
  // The same of what `WorldState::add_own_narrow` has added.
  [[gnu::always_inline]] void admit_own_narrow(WorldState& world, std::size_t place, const Route& route) {
    if (route.gated && refuses(world, world.pending[place])) [[unlikely]] {
      world.refused.set(place);
      world.set_ready(place, false);
    } else {
      world.set_new_narrow(place, is_starting(world, route.to));
    }
  }
  // An event has left its receiver, whose state is another one or not.
  template <Rules rules = Rules::any>
  [[gnu::always_inline]] void after_step(WorldState& world, const Pending& left, bool changed) {
    if (world.has_queues<rules>()) {  // what came before what may be known of others now
      refresh_queues(world, left.to, changed);
    } else if (changed && world.has_gated_events<rules>(left.to) && ask_gates(world, left.to)) {
      refresh(world, left.to, false);
    } else if (world.any_waiting<rules>(left.to)) {
      // What has left can only let others go: where nobody waits nothing is to be done, and nobody waits for a timer.
      if (left.is_message()) {
        release<are_narrow(rules) ? Rules::narrow : rules>(world, left);
      } else if (left.kind == EventKind::start) {
        refresh(world, left.to, false);
      }
    }
  }
  // What this actor refuses; whether it is something else than before. What waits for it is not up to date then.
  bool ask_gates(WorldState& world, Slot slot);
  // What is pending for this actor, after its state has changed (`gates`: so may its gates) or an event for it left.
  void refresh(WorldState& world, Slot slot, bool gates);
  void refresh_all(WorldState& world);
  void refresh_queues(WorldState& world, Slot slot, bool changed);

  // Whether an envelope crosses the cut in force.
  bool cut(const WorldState& world, const Envelope& envelope) const {
    return world.partition != 0 && envelope.kind == EventKind::deliver &&
           crosses_now(world, envelope.from, envelope.receiver);
  }
  // The kernel was cleared.
  void forget() { routes_.clear(); }
  // How long a message takes.
  PendingWindow window(EnvelopeId id) const {
    return link_latencies_.empty() ? latency_ : link_window(kernel_.envelope(id));
  }

  // Where the budgets of faults and timers stand.
  const Budgets& budgets() const { return budgets_; }

 private:
  Delivery order_of(ActorId from, ActorId to) const;
  void offer_more(const WorldState& world, Alternatives& out) const;
  // Whether nothing needs to happen any more; faults that must happen apart.
  bool rests(const WorldState& world) const {
    return world.pending.count() == world.waiting || (!blueprint_.timers_keep_alive && !is_alive(world));
  }
  bool crosses_now(const WorldState& world, ActorId from, ActorId to) const;
  PendingWindow link_window(const Envelope& envelope) const;
  void find_routes(EnvelopeId id);
  bool has_gates(const WorldState& world, Slot slot) const {
    return slot < gated_at_.size() ? gated_at_[slot] != 0 : type_at(world, slot).gated;
  }
  const ActorType& type_at(const WorldState& world, Slot slot) const {
    const CellId cell = world.cells[slot];
    return cell == live_cell ? *world.live[slot].type : *kernel_.cell(cell).type;
  }
  // Whether one of the first 64 events is a message that may be next.
  static bool has_ready_message(const WorldState& world) {
    return (world.pending.places().word(0) & ~world.waits.word(0) & ~world.own.word(0)) != 0;
  }
  // Whether something may be next that is no timer.
  static bool is_alive(const WorldState& world) {
    const BitRow& places = world.pending.places();
    for (std::size_t w = 0; w < places.words(); ++w) {
      const std::uint64_t ready = places.word(w) & ~world.waits.word(w);
      if ((ready & ~world.own.word(w)) != 0) return true;
      bool found = false;
      bits::each(ready,
                 [&](std::size_t index) { found |= world.pending[w * 64 + index].kind != EventKind::timer; });
      if (found) return true;
    }
    return false;
  }
  bool is_down(const WorldState& world, Slot slot) const;
  bool may_refuse(const WorldState& world, Slot slot) const;
  bool accepts(const WorldState& world, const Pending& pending);
  bool admitted(const WorldState& world, const Pending& pending) const {
    return (world.partition == 0 && pending.kind != EventKind::timer) || is_let(world, pending);
  }
  bool is_let(const WorldState& world, const Pending& pending) const;
  bool may_be_refused(Slot slot, const ValueType& message) const;
  template <Rules rules> void release(WorldState& world, const Pending& left);
  // Whether nothing at this actor may happen but its start.
  static bool is_starting(const WorldState& world, Slot slot) {
    return world.starts_pending > 0 && world.starting[slot];
  }
  // Whether this event has to wait. REQUIRES: its receiver accepts it, and is there.
  template <Rules rules = Rules::any>
  [[gnu::always_inline]] bool must_wait(const WorldState& world, std::size_t place, const Route& route,
                                        bool starting) const {
    if constexpr (rules == Rules::order)
      return starting || (route.is_message() && is_blocked(world, place, route));
    if constexpr (rules == Rules::narrow)
      return starting || (route.is_message() && is_blocked_narrow(world, place, route));
    return starting || (holds_ && !admitted(world, world.pending[place])) ||
           (ruled_ && route.is_message() &&
            ((keeps_ && is_down(world, route.to)) || is_blocked(world, place, route)));
  }
  // Whether it has to wait for another message to the same receiver, which was there before it. One that its receiver
  // does not accept is overtaken by what comes after it. Causal delivery: for what its sender knew to have been sent.
  // What the outside sends to one receiver is ordered by its sending; nothing else is known of the outside.
  [[gnu::always_inline]] bool is_blocked(const WorldState& world, std::size_t place,
                                         const Route& route) const {
    if (route.order == Delivery::unordered) return false;
    if (route.order == Delivery::mailbox || route.order == Delivery::queue) return is_queued(world, place);
    const std::uint64_t* const by =
        route.is_sending() ? world.known_by.row(place) : world.from.row(WorldState::sender_row(route.sender));
    const std::uint64_t* const at = world.at.row(route.to);
    const std::size_t last = place / 64;
    std::uint64_t before = at[last] & by[last] & ~world.refused.word(last) & bits::below(place % 64);
    for (std::size_t w = 0; w < last; ++w) before |= at[w] & by[w] & ~world.refused.word(w);
    return before != 0;
  }
  [[gnu::always_inline]] bool is_blocked_narrow(const WorldState& world, std::size_t place,
                                                const Route& route) const {
    if (route.order != Delivery::causal && route.order != Delivery::fifo) [[unlikely]]
      return is_blocked(world, place, route);
    const std::uint64_t by = route.is_sending() ? world.known_by.only_word(place)
                                                : world.from.only_word(WorldState::sender_row(route.sender));
    return (world.at.only_word(route.to) & by & ~world.refused.word(0) & bits::below(place)) != 0;
  }
  bool is_queued(const WorldState& world, std::size_t place) const;
  bool refuses(const WorldState& world, const Pending& pending) {
    return may_refuse(world, pending.to) && !accepts(world, pending);
  }

  Front& front_;
  Kernel& kernel_;
  const Blueprint& blueprint_;
  Budgets budgets_;
  mutable WorldTime time_;  // with scratch
  // By cut, where it was in force: which links between actors of the scenario it crosses, by sender and receiver.
  mutable std::vector<std::vector<std::uint8_t>> crossed_;
  PendingWindow latency_;        // of links of which nothing else is said
  bool has_faults_ = false;      // some may happen
  bool free_in_time_ = false;    // timed, and what is pending waits for nothing but a start or a gate
  bool only_time_ = false;       // timed, and nothing but pending events can happen
  bool only_order_ = false;      // the rules are those of Rules::order
  bool order_and_time_ = false;  // those and time
  bool causal_ = false;
  bool queued_ = false;
  bool ordered_ = false;
  bool keeps_ = false;                // what is sent to a crashed actor is kept until it is up again
  bool ruled_ = false;                // something but a start or a gate can make an event wait
  bool holds_ = false;                // a cut or a spent budget can
  bool only_timers_rest_ = false;     // nothing but pending events can, and timers do not keep a world alive
  bool only_pending_ = true;          // nothing but pending events can happen, whatever they wait for
  bool free_ = true;                  // and nothing but a start or a gate can make them wait
  std::vector<const Fault*> faults_;  // those that the scenario plans
  std::vector<std::uint8_t> gated_at_;  // by slot of the scenario: the actor may refuse messages
  FlatRow<Route> routes_;               // by envelope
  boost::unordered_flat_map<std::pair<std::uint64_t, std::uint64_t>, Delivery> link_orders_;
  boost::unordered_flat_map<std::pair<std::uint64_t, std::uint64_t>, Window> link_latencies_;
};

}  // namespace gainsay
