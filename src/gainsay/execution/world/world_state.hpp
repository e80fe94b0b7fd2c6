// WorldState: a world as a value. Copying it is a snapshot.
//
// In the common case it is two short rows: one cell id per actor and one entry per pending event, in the order in
// which they were created. Time, causal order, faults and live actors add rows that stay empty where they are not
// used. Rows that are parallel to others change together, in the functions below and nowhere else.
//
// Which pending events may not happen next is a row of bits (`waits`), kept up to date by Network.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "gainsay/base/bit_row.hpp"
#include "gainsay/base/flat_row.hpp"
#include "gainsay/base/pair_row.hpp"
#include "gainsay/execution/kernel/live_actor.hpp"
#include "gainsay/execution/world/time_class.hpp"
#include "gainsay/trace/event.hpp"

namespace gainsay {

struct Pending {
  EventId id;
  EnvelopeId envelope = 0;
  std::uint32_t parent = no_step;
  // What a step must know of the envelope before anything else.
  Slot to = 0;
  EventKind kind = EventKind::deliver;
  // What the network says of the event: its receiver does not accept it now, so later messages may overtake it.
  bool refused : 1 = false;
  // Which budgets a message draws on (Budgets::MessageGroup); 0: none.
  std::uint8_t group : 7 = 0;
  // And what it waits for: the tag of another event for the same receiver, or `held`; 0: nobody has looked.
  std::uint16_t blocker = 0;
  static constexpr std::uint16_t held = 2;  // something that is no message: a start, a cut, a budget, a crash

  // Tells events apart, mostly: who takes one for another looks once too often.
  std::uint16_t tag() const { return static_cast<std::uint16_t>(id.raw | 1U); }
};
static_assert(sizeof(Pending) == 24);

// When it comes: between `lo` and `hi` after a moment (world_time.hpp).
struct PendingWindow {
  double lo = 0;
  double hi = 0;
  TimeClass::Moment moment = 0;  // `nowhere`: it is due as soon as it is ready
  bool waited = false;           // it was not ready when the last step ended
};

// What a clock that drifts showed last.
struct ClockReading {
  Slot slot = 0;
  TimeClass::Moment moment = 0;
  std::int64_t shown_ns = 0;
};

// The moment that is `by` after `from`, or the last there is.
constexpr std::int64_t later(std::int64_t from_ns, Duration by) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(from_ns, by.count(), &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

// What an execution has seen of a liveness condition's heat.
struct HeatSpan {
  std::uint32_t since = no_step;  // it has not been cold since after so many steps; no_step: it is cold
  // Since then it was hot, for the last time, in the world after one step less, or during the step that followed;
  // no_step: it is hot; 0: it was not hot.
  std::uint32_t hot_until = 0;
  std::uint32_t hot_since = no_step;  // without a break, until now; where it is hot

  bool is_hot() const { return hot_until == no_step; }
  Heat heat() const { return is_hot() ? Heat::hot : since == no_step ? Heat::cold : Heat::warm; }
  // Whether it has been hot at some time and never cold from the world after `from` steps until now.
  bool counts_from(std::uint32_t from) const { return since <= from && from < hot_until; }
  // Its heat after so many steps, or at a moment of the last of them.
  void feel(Heat heat, std::uint32_t steps) {
    if (heat == Heat::cold) {
      *this = {};
      return;
    }
    if (since == no_step) since = steps;
    if (heat == Heat::hot) {
      if (!is_hot()) hot_since = steps;
      hot_until = no_step;
    } else if (is_hot()) {
      hot_until = steps;
    }
  }
};

inline constexpr CellId live_cell = 0xffffffffU;  // the actor is in `live`

struct WorldState {
  std::vector<CellId> cells;  // by slot; 0: absent
  FlatRow<Pending> pending;
  std::vector<std::uint64_t> classes;  // by slot: rolling hash of the ids received
  std::uint32_t steps = 0;
  std::uint32_t starts_pending = 0;
  std::uint32_t waiting = 0;              // pending events that may not be next
  BitRow waits;                           // which; as far as orders, gates, cuts and budgets are concerned
  std::vector<std::uint32_t> waiting_at;  // by slot: how many wait there; what is not listed has none
  bool gated = false;                     // some actor may refuse messages
  bool timed = false;                     // `windows` is in use
  bool causal = false;                    // clocks are in use
  bool queued = false;                    // `sent` and `earlier` are in use
  bool ordered = false;                   // `links` is in use
  // Orders, parallel to `pending`: the low byte of the receiver's slot, and the slot of the sender where it has a
  // number of its own. Who looks for the events of an actor or of a link looks here.
  PairRow links;
  static constexpr std::uint8_t no_sender = 0xff;  // no message
  static constexpr std::uint8_t outside_sender = 0xfe;
  static constexpr std::uint8_t far_sender = 0xfd;  // one of those that have no number

  // Simulated time.
  TimeClass time;
  FlatRow<PendingWindow> windows;      // parallel to `pending`
  std::uint32_t waited = 0;            // how many of them waited
  std::vector<ClockReading> readings;  // of clocks that drift

  // Causal delivery: vector clocks that count sends, of every actor and of every pending message;
  // `clock_width` entries each.
  std::uint32_t clock_width = 0;
  std::vector<std::uint32_t> actor_clocks;
  std::vector<std::uint32_t> pending_clocks;  // parallel to `pending`

  // Queue order (queue_order.hpp): which pending messages have been sent for certain, and by event, which of them were
  // sent before it.
  BitRow sent;
  std::vector<BitRow> earlier;  // parallel to `pending`

  // Faults: what is left of each budget (layout in network.hpp), and the cut in force.
  std::vector<std::uint32_t> budgets;
  std::vector<std::uint32_t> messages_in;  // by Pending::group: how many are pending; group 0 is not counted
  std::vector<std::uint32_t> fault_ordinals;  // by slot: crashes and restarts so far
  std::uint32_t partition = 0;                // the cut in force (faults/cut.hpp); 0: none
  std::uint32_t partition_steps_left = 0;     // 0: until healed
  std::uint32_t partition_ordinal = 0;
  std::vector<std::uint64_t> happened;  // faults that are numbered by how often they were there (faults.hpp)
  std::vector<std::int64_t> clock_jumps_ns;  // by slot: how far its clock has jumped; empty: no clock has
  std::vector<EventId> doubled;  // the originals of duplicates, once per duplicate: this tells them apart

  // Liveness conditions, by LivenessCondition::row; no part of a state. Those of monitors are kept by the stepper,
  // those of properties by whoever follows an execution (execution/run/property_heat.hpp).
  std::vector<HeatSpan> heat;

  std::vector<LiveActor> live;  // by slot, where any actor is live

  std::int64_t clock_jump(Slot slot) const { return slot < clock_jumps_ns.size() ? clock_jumps_ns[slot] : 0; }
  bool is_live(Slot slot) const { return cells[slot] == live_cell; }
  const std::uint32_t* clock_of(std::size_t index) const { return &pending_clocks[index * clock_width]; }

  // What stands in `senders` for a message from `sender`; no_slot: the outside.
  static std::uint8_t sender_byte(Slot sender) {
    if (sender == Directory::no_slot) return outside_sender;
    return sender < far_sender ? static_cast<std::uint8_t>(sender) : far_sender;
  }
  // What stands in `links` for an event.
  static PairRow::Pair link(Slot to, std::uint8_t sender) {
    return PairRow::pair(static_cast<std::uint8_t>(to), sender);
  }
  // A new entry at the end. `sender`: whose clock counts it; no_slot: nobody's.
  [[gnu::always_inline]] void add(const Pending& entry, const PendingWindow& window, Slot sender) {
    if (entry.kind == EventKind::start) ++starts_pending;
    append(entry);
    if (ordered)
      links.push_back(link(entry.to, entry.kind == EventKind::deliver ? sender_byte(sender) : no_sender));
    if (timed) add_window(window);
    if (causal) add_clock(sender);
    if (queued) earlier.emplace_back();
  }
  // The same for a world of nothing but cells and pending events. Field by field: who reads as a whole what has just
  // been written in parts waits for the parts to arrive.
  [[gnu::always_inline]] void append(const Pending& entry) {
    if (entry.group != 0) ++messages_in[entry.group];
    Pending& added = pending.add();
    added.id = entry.id;
    added.envelope = entry.envelope;
    added.parent = entry.parent;
    added.to = entry.to;
    added.kind = entry.kind;
    added.refused = entry.refused;
    added.group = entry.group;
    added.blocker = entry.blocker;
  }
  // The entry leaves; the rest keeps its order.
  void erase(std::size_t index) {
    GAINSAY_CHECK(index < pending.size(), "the event is pending");
    if (pending[index].kind == EventKind::start) {
      GAINSAY_CHECK(starts_pending > 0, "a pending start is counted");
      --starts_pending;
    }
    uncount(pending[index]);
    if (waiting > 0) {
      set_ready(index, true);
      waits.erase(index);
    }
    pending.erase(index);
    if (ordered) links.erase(index);
    if (timed) erase_window(index);
    if (causal) erase_clock(index);
    if (queued) erase_sending(index);
  }
  // The same where nothing waits or is a start, and there is time and no causal order.
  [[gnu::always_inline]] void add_in_time(const Pending& entry, const PendingWindow& window) {
    append(entry);
    add_window(window);
  }
  void erase_in_time(std::size_t index) {
    uncount(pending[index]);
    pending.erase(index);
    erase_window(index);
  }
  // The last of the first `end` entries that is no message, is for this actor, and that `is` says yes to; `end`: none.
  template <class Is> std::size_t last_own(Slot slot, std::size_t end, const Is& is) const {
    GAINSAY_CHECK(end <= pending.size(), "entries are pending");
    const auto is_own = [&](std::size_t i) {
      return pending[i].to == slot && pending[i].kind != EventKind::deliver && is(pending[i]);
    };
    if (!ordered) {
      for (std::size_t i = end; i-- > 0;) {
        if (is_own(i)) return i;
      }
      return end;
    }
    return links.last_both(end, link(slot, no_sender), is_own);
  }
  bool is_ready(std::size_t index) const { return waiting == 0 || !waits[index]; }
  void set_ready(std::size_t index, bool ready) {
    if (is_ready(index) != ready) change_ready(index, ready);
  }
  void change_ready(std::size_t index, bool ready) {
    GAINSAY_CHECK(index < pending.size() && (!ready || waiting > 0), "who waits is pending and counted");
    const Slot to = pending[index].to;
    if (to >= waiting_at.size()) waiting_at.resize(to + std::size_t{1}, 0);
    const std::uint32_t by = ready ? 0xffffffffU : 1;  // minus one, or one
    waiting += by;
    waiting_at[to] += by;
    waits.set(index, !ready);
  }
  void set_all_ready() {
    waiting = 0;
    waits.clear();
    waiting_at.clear();
  }
  // How many events of this actor may not be next.
  std::uint32_t count_waiting(Slot slot) const { return slot < waiting_at.size() ? waiting_at[slot] : 0; }
  // Its window is this one, at this moment.
  void set_window(std::size_t index, TimeClass::Moment moment, double lo, double hi);
  void set_moment(std::size_t index, TimeClass::Moment moment) {
    set_window(index, moment, windows[index].lo, windows[index].hi);
  }
  void set_waited(std::size_t index, bool waited_now) {
    waited += waited_now ? 1 : 0;
    waited -= windows[index].waited ? 1 : 0;
    windows[index].waited = waited_now;
  }
  void move_reading(ClockReading& reading, TimeClass::Moment moment);
  // The entry's message is another one now.
  void regroup(Pending& entry, std::uint8_t group) {
    uncount(entry);
    entry.group = group & 0x7fU;
    if (group != 0) ++messages_in[group];
  }
  // A copy of the entry at the end, with its window and its clock, under an id of its own.
  void duplicate(std::size_t index, EventId id);
  // The actor learns of every sending that the message knows of.
  void learn(Slot slot, std::size_t index);
  // The second actor knows what the first one knows.
  void inherit(Slot from, Slot to);
  // Makes room for `slots` actors; causal clocks get wider.
  void grow(std::size_t slots);
  // Checks that parallel rows are parallel and that what is counted is there; for tests and for worlds that were
  // read from a record.
  void check_rows() const;

 private:
  void uncount(const Pending& entry) {
    if (entry.group == 0) return;
    GAINSAY_CHECK(messages_in[entry.group] > 0, "pending messages are counted");
    --messages_in[entry.group];
  }
  void add_clock(Slot sender);
  void erase_sending(std::size_t index);
  void erase_clock(std::size_t index);
  // In parts, as above.
  [[gnu::always_inline]] void add_window(const PendingWindow& window) {
    const TimeClass::Moment now = time.now();
    time.hold(now, window.hi);
    PendingWindow& added = windows.add();
    added.lo = window.lo;
    added.hi = window.hi;
    added.moment = now;
    added.waited = window.waited;
  }
  void erase_window(std::size_t index) {
    const PendingWindow gone = windows[index];
    waited -= gone.waited ? 1 : 0;
    windows.erase(index);
    GAINSAY_CHECK(windows.size() == pending.size(), "every pending event has a window");
    let_go(gone.moment, gone.hi);
  }
  void let_go(TimeClass::Moment moment, double until) {
    if (moment != TimeClass::nowhere) time.release(moment, until);
  }
};

}  // namespace gainsay
