// WorldState: a world as a value. Copying it is a snapshot.
//
// In the common case it is two short rows: one cell id per actor and the pending events, in the order in which they
// were made (pending_row.hpp). Time, orders, faults and live actors add rows that stay empty where they are not used.
//
// Sets of pending events are rows of bits, by place: which are for an actor, which came from one, which may not be next
// (`waits`, kept up to date by Network), of which of them somebody knows. Of an event that has left, the bit in the
// last kind of rows stays until gaps are closed: who asks asks for events of an actor, and those are all pending.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "gainsay/base/bit_row.hpp"
#include "gainsay/base/flat_row.hpp"
#include "gainsay/execution/kernel/live_actor.hpp"
#include "gainsay/execution/world/pending_row.hpp"
#include "gainsay/execution/world/time_class.hpp"
#include "gainsay/trace/event.hpp"

namespace gainsay {

// When it comes: between `lo` and `hi` after a moment (world_time.hpp).
struct PendingWindow {
  double lo = 0;
  double hi = 0;
  TimeClass::Moment moment = 0;  // `nowhere`: it is due as soon as it is ready
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
  friend bool operator==(const HeatSpan&, const HeatSpan&) = default;
};

inline constexpr CellId live_cell = 0xffffffffU;  // the actor is in `live`

// Which rules a world may have. What is done in every step is compiled for each, without the questions that have one
// answer there.
enum class Rules : std::uint8_t {
  any,
  order,           // orders, gates and starts, and neither time, faults, budgets nor queues
  narrow,          // the same, in a world whose sets of events are single words
  narrow_in_time,  // the same with time
  time,            // time, and nothing waits for anything else
};
constexpr bool are_narrow(Rules rules) { return rules == Rules::narrow || rules == Rules::narrow_in_time; }

struct WorldState {
  std::vector<CellId> cells;  // by slot; 0: absent
  PendingRow pending;
  BitTable at;                         // by slot: the events for it
  std::vector<std::uint64_t> classes;  // by slot: rolling hash of the ids received
  std::uint32_t steps = 0;
  std::uint32_t starts_pending = 0;
  BitRow starting;            // by slot: whose start is pending
  std::uint32_t waiting = 0;  // pending events that may not be next
  BitRow waits;               // which; as far as orders, gates, cuts and budgets are concerned
  BitRow own;                 // those that are no messages: starts, timers, steps of tasks
  BitRow gated_events;        // those that their receiver may refuse; and some that have left
  BitRow refused;  // which of them their receiver does not accept now, so that later messages may overtake
  bool gated = false;    // some actor may refuse messages
  bool timed = false;    // `windows` is in use
  bool causal = false;   // `known_at` and `known_by` are in use
  bool queued = false;   // `sent` and `earlier` are in use
  bool ordered = false;  // `from` is in use

  // Orders: the messages that an actor sent, by `sender_row`.
  BitTable from;
  static std::size_t sender_row(Slot sender) {
    const Slot row = sender + 1;  // without a branch: whose message is next nobody can predict
    return row & (0U - static_cast<Slot>(row != Route::from_outside + 1));
  }
  // Causal delivery: of which pending messages an actor knows that they were sent, by slot; and of which it knew when
  // it sent a message, by place, that message among them.
  BitTable known_at;
  BitTable known_by;
  // Queue order (queue_order.hpp): which pending messages have been sent for certain, and by place, which of them were
  // sent before that event.
  BitRow sent;
  BitTable earlier;

  // Simulated time.
  TimeClass time;
  FlatRow<PendingWindow> windows;      // by place
  BitRow waited;                       // which were not ready when the last step ended: they hold up nobody
  std::uint32_t waited_count = 0;      // how many of them
  std::vector<ClockReading> readings;  // of clocks that drift

  // Faults: what is left of each budget (layout in network.hpp), and the cut in force.
  std::vector<std::uint32_t> budgets;
  std::vector<std::uint32_t> messages_in;     // by Route::group: how many are pending; group 0 is not counted
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
  template <Rules rules> bool has_time() const {
    if constexpr (rules == Rules::any) return timed;
    return rules == Rules::time || rules == Rules::narrow_in_time;
  }
  template <Rules rules> bool has_queues() const { return rules == Rules::any && queued; }
  template <Rules rules> bool has_cut() const { return rules == Rules::any && partition != 0; }

  // A new event, at the last place, in a world of nothing but cells and pending events. Field by field: who reads as a
  // whole what has just been written in parts waits for the parts to arrive.
  [[gnu::always_inline]] std::size_t append(const Route& route, EventId id, EnvelopeId envelope,
                                            std::uint32_t parent) {
    const std::size_t place = pending.behind();
    if (place >= room() || route.to >= at.rows()) [[unlikely]]
      make_room_for(route.to);
    Pending& added = pending.add();
    static_cast<Route&>(added) = route;
    added.id = id;
    added.envelope = envelope;
    added.parent = parent;
    at.row(route.to)[place / 64] |= bits::bit(place % 64);
    if (route.gated || route.group != 0) note_traits(place, route);
    return place;
  }
  // The same in any world; `window()` says when it comes, where there is time.
  template <Rules rules, class Window>
  [[gnu::always_inline]] std::size_t add(const Route& route, EventId id, EnvelopeId envelope,
                                         std::uint32_t parent, const Window& window) {
    const std::size_t place = append(route, id, envelope, parent);
    if (route.is_message()) [[likely]] {
      if (ordered) from.set(sender_row(route.sender), place);
      if (causal) add_knowledge(route, place);
    } else {
      own.set(place);
      if (route.kind == EventKind::start) add_start(route.to);
      if (causal) known_by.add_row();
    }
    if (has_time<rules>()) add_window(window());
    if (has_queues<rules>()) earlier.add_row();
    return place;
  }
  // The event leaves. The first of them: where there are nothing but cells and pending events.
  [[gnu::always_inline]] void erase_free(std::size_t place) {
    at.reset(pending[place].to, place);
    own.reset(place);
    pending.erase(place);
  }
  template <Rules rules = Rules::any> [[gnu::always_inline]] void erase(std::size_t place) {
    const Pending& gone = pending[place];
    if (gone.is_message()) [[likely]] {
      if (ordered) from.reset(sender_row(gone.sender), place);
    } else if (gone.kind == EventKind::start) {
      erase_start(gone.to);
    }
    if constexpr (rules == Rules::any) uncount(gone);
    if (waiting > 0 && waits[place]) {
      set_ready(place, true);
      refused.reset(place);
    }
    if (has_time<rules>()) erase_window(place);
    erase_free(place);
  }
  // The same where nothing waits or is a start, and there is time and no order.
  [[gnu::always_inline]] void add_in_time(const Route& route, EventId id, EnvelopeId envelope,
                                          const PendingWindow& window) {
    append(route, id, envelope, steps);
    add_window(window);
  }
  void erase_in_time(std::size_t place) {
    uncount(pending[place]);
    erase_window(place);
    erase_free(place);
  }
  // Whether every set of events is one word.
  bool is_narrow() const { return at.words() == 1; }
  // The same as `learn` and `erase`, of an event that is next, and as `add`, of a message that an actor sends: where
  // rules are narrow ones. REQUIRES: narrow, and there is a place for the message.
  template <Rules rules> [[gnu::always_inline]] void take_narrow(std::size_t place, const Pending& gone) {
    GAINSAY_CHECK(place < 64 && gone.to < at.rows(), "an event of a narrow world");
    if (has_time<rules>()) time.release(windows[place].moment, windows[place].hi);  // it did not wait
    const std::uint64_t others = ~bits::bit(place);
    if (gone.is_message()) [[likely]] {
      if (causal) known_at.only_word(gone.to) |= known_by.only_word(place);
      if (ordered) from.only_word(sender_row(gone.sender)) &= others;
    } else {
      own.keep_in_first(others);
      if (gone.kind == EventKind::start) erase_start(gone.to);
    }
    at.only_word(gone.to) &= others;
    pending.erase(place);
  }
  // In a narrow world: one word says where it is.
  [[gnu::always_inline]] std::uint64_t append_narrow(const Route& route, EventId id, EnvelopeId envelope) {
    const std::uint64_t bit = bits::bit(pending.behind());
    Pending& added = pending.add();
    static_cast<Route&>(added) = route;
    added.id = id;
    added.envelope = envelope;
    added.parent = steps;
    at.only_word(route.to) |= bit;
    if (route.gated) gated_events.set_in_first(bit);
    return bit;
  }
  template <Rules rules, class Window>
  [[gnu::always_inline]] void add_narrow(const Route& route, EventId id, EnvelopeId envelope,
                                         const Window& window) {
    const std::uint64_t bit = append_narrow(route, id, envelope);
    if (ordered) from.only_word(sender_row(route.sender)) |= bit;
    if (has_time<rules>()) add_window(window());
    if (!causal) return;
    GAINSAY_CHECK(route.sender < known_at.rows(), "a sender is an actor");
    std::uint64_t& knows = known_at.only_word(route.sender);
    if (route.order == Delivery::causal) [[likely]]
      knows |= bit;
    known_by.add_only_word(knows);
  }
  // The same of a timer or the step of a task.
  template <Rules rules, class Window>
  [[gnu::always_inline]] void add_own_narrow(const Route& route, EventId id, EnvelopeId envelope,
                                             const Window& window) {
    GAINSAY_CHECK(pending.behind() < 64 && route.kind != EventKind::start, "there is a place for the event");
    own.set_in_first(append_narrow(route, id, envelope));
    if (has_time<rules>()) add_window(window());
    if (causal) known_by.add_row();
  }
  // A start of this actor has become pending.
  void add_start(Slot slot) {
    GAINSAY_CHECK(!starting[slot], "an actor starts once");
    ++starts_pending;
    starting.set(slot);
  }
  void erase_start(Slot slot) {
    GAINSAY_CHECK(starts_pending > 0 && starting[slot], "a pending start is counted");
    --starts_pending;
    starting.reset(slot);
  }
  // Whether gaps are to be closed, or there is to be more room, before the next step.
  bool is_crowded() const { return pending.behind() + spare_places > room(); }
  // Closes the gaps: places change. REQUIRES: nobody remembers any.
  void squeeze();

  // Calls `visit` for the place of every event of this actor that is no message.
  template <Rules rules = Rules::any, class Visit>
  [[gnu::always_inline]] void each_own(Slot slot, const Visit& visit) const {
    if constexpr (are_narrow(rules)) {
      bits::each(at.only_word(slot) & own.word(0), visit);
    } else {
      for (std::size_t w = 0; w < at.words(); ++w)
        bits::each(at.word(slot, w) & own.word(w), [&](std::size_t index) { visit(w * 64 + index); });
    }
  }
  // Whether something is pending that this actor may refuse.
  template <Rules rules = Rules::any> bool has_gated_events(Slot slot) const {
    if constexpr (are_narrow(rules)) return (at.only_word(slot) & gated_events.word(0)) != 0;
    std::uint64_t here = 0;
    for (std::size_t w = 0; w < at.words(); ++w) here |= at.word(slot, w) & gated_events.word(w);
    return here != 0;
  }
  bool is_ready(std::size_t place) const { return waiting == 0 || !waits[place]; }
  [[gnu::always_inline]] void set_ready(std::size_t place, bool ready) {
    if (waits[place] != ready) return;
    GAINSAY_CHECK(pending.has(place) && (!ready || waiting > 0), "who waits is pending and counted");
    waiting += ready ? 0xffffffffU : 1U;  // minus one, or one
    waits.set(place, !ready);
  }
  // The event is new, and may have to wait. Whether it does nobody can predict: so there is no branch.
  [[gnu::always_inline]] void set_new(std::size_t place, bool must_wait) {
    GAINSAY_CHECK(place < room(), "there is room for the event");
    const bool more = must_wait & !waits[place];
    waiting += more ? 1U : 0U;
    waits.add(place, more);
  }
  [[gnu::always_inline]] void set_new_narrow(std::size_t place, bool must_wait) {
    waiting += must_wait ? 1U : 0U;
    waits.set_in_first(std::uint64_t{must_wait} << place);
  }
  // Those of a word of places wait no more.
  void set_ready_in(std::size_t word, std::uint64_t ready) {
    const std::size_t count = bits::count(ready);
    GAINSAY_CHECK(count <= waiting && (ready & ~waits.word(word)) == 0, "who waits is counted");
    waiting -= static_cast<std::uint32_t>(count);
    waits.set_word(word, waits.word(word) & ~ready);
  }
  void set_all_ready() {
    waiting = 0;
    waits.clear();
    refused.clear();
  }
  // Whether some event of this actor may not be next.
  template <Rules rules = Rules::any> bool any_waiting(Slot slot) const {
    if (waiting == 0) return false;
    if constexpr (are_narrow(rules)) return (at.only_word(slot) & waits.word(0)) != 0;
    std::uint64_t here = 0;
    const std::uint64_t* const events = at.row(slot);
    std::size_t w = 0;
    do here |= events[w] & waits.word(w);
    while (++w < at.words());
    return here != 0;
  }
  // Its window is this one, at this moment.
  void set_window(std::size_t place, TimeClass::Moment moment, double lo, double hi);
  void set_moment(std::size_t place, TimeClass::Moment moment) {
    set_window(place, moment, windows[place].lo, windows[place].hi);
  }
  void set_waited(std::size_t place, bool waited_now);
  void move_reading(ClockReading& reading, TimeClass::Moment moment);
  // The event's message is another one now, to the same receiver and on the same link.
  void replace(std::size_t place, EventId id, EnvelopeId envelope, const Route& route);
  // A copy of the event at the last place, with its window and what it knows, under an id of its own.
  void duplicate(std::size_t place, EventId id);
  // The actor learns of every sending that the message knows of.
  void learn(Slot slot, std::size_t place) {
    GAINSAY_CHECK(slot < known_at.rows() && place < known_by.rows(), "actor and message know of sendings");
    std::uint64_t* const known = known_at.row(slot);
    const std::uint64_t* const told = known_by.row(place);
    std::size_t w = 0;
    do known[w] |= told[w];
    while (++w < known_at.words());
  }
  // The second actor knows what the first one knows.
  void inherit(Slot from_slot, Slot to_slot);
  // Whether two pending messages are one sending: one of them is a copy of the other.
  bool is_same_sending(std::size_t a, std::size_t b) const {
    return pending[a].sender == pending[b].sender && known_by.has(a, b) && known_by.has(b, a);
  }
  // Makes room for `slots` actors.
  void grow(std::size_t slots);
  // Makes rows for so many actors and, besides what is pending, room for as many events. REQUIRES: nothing is pending.
  void lay_out(std::size_t slots, std::size_t events);
  // Checks that rows agree with each other and that what is counted is there; for tests and for worlds that were read
  // from a record.
  void check_rows() const;

 private:
  static constexpr std::size_t spare_places = 8;  // enough for most steps

  std::size_t room() const { return at.words() * 64; }
  // There is room for one more event, and a row for this receiver.
  [[gnu::noinline]] void make_room_for(Slot to);
  void set_words(std::size_t words);
  void note_traits(std::size_t place, const Route& route) {
    if (route.gated) gated_events.set(place);
    if (route.group != 0) ++messages_in[route.group];
  }
  void uncount(const Route& route) {
    if (route.group == 0) return;
    GAINSAY_CHECK(messages_in[route.group] > 0, "pending messages are counted");
    --messages_in[route.group];
  }
  [[gnu::always_inline]] void add_knowledge(const Route& route, std::size_t place) {
    std::uint64_t* const known = known_by.add_row();
    if (route.sender == Route::from_outside) return;
    GAINSAY_CHECK(route.sender < known_at.rows(), "a sender is an actor");
    std::uint64_t* const knows = known_at.row(route.sender);
    if (route.order == Delivery::causal) [[likely]]
      knows[place / 64] |= bits::bit(place % 64);
    std::size_t w = 0;
    do known[w] = knows[w];
    while (++w < known_by.words());
  }
  // In parts, as above.
  [[gnu::always_inline]] void add_window(const PendingWindow& window) {
    const TimeClass::Moment now = time.now();
    time.hold(now, window.hi);
    PendingWindow& added = windows.add();
    added.lo = window.lo;
    added.hi = window.hi;
    added.moment = now;
  }
  void erase_window(std::size_t place) {
    const PendingWindow& gone = windows[place];
    if (waited_count > 0 && waited[place]) [[unlikely]] {
      waited.reset(place);
      --waited_count;
      let_go(gone.moment, TimeClass::never);
    } else {
      time.release(gone.moment, gone.hi);
    }
  }
  // How long after its moment it comes at the latest, as far as others are concerned.
  double demand_of(std::size_t place) const {
    return waited_count > 0 && waited[place] ? TimeClass::never : windows[place].hi;
  }
  void let_go(TimeClass::Moment moment, double until) {
    if (moment != TimeClass::nowhere) time.release(moment, until);
  }
};

}  // namespace gainsay
