#include "gainsay/execution/world/world_state.hpp"

#include <algorithm>

namespace gainsay {

void WorldState::set_words(std::size_t words) {
  at.set_words(words);
  from.set_words(words);
  known_at.set_words(words);
  known_by.set_words(words);
  earlier.set_words(words);
}

void WorldState::make_room_for(Slot to) {
  if (to >= at.rows()) at.set_rows(to + std::size_t{1});  // to somebody who may yet be made
  if (pending.behind() >= room()) set_words(at.words() * 2);
  GAINSAY_CHECK(pending.behind() < room(), "there is room for another event");
}

void WorldState::lay_out(std::size_t slots, std::size_t events) {
  GAINSAY_CHECK(pending.empty(), "what is pending has its place");
  own.clear();
  gated_events.clear();
  const std::size_t words = (events + spare_places + 63) / 64;
  at.reset_all(slots, words);
  from.reset_all(ordered ? slots + 1 : 0, words);
  known_at.reset_all(causal ? slots : 0, words);
  known_by.reset_all(0, words);
  earlier.reset_all(0, words);
}

void WorldState::squeeze() {
  const BitRow places = pending.places();
  at.squeeze(places);
  from.squeeze(places);
  known_at.squeeze(places);
  if (causal) known_by.squeeze_rows(places);
  if (queued) earlier.squeeze_rows(places);
  sent.squeeze(places);
  waits.squeeze(places);
  refused.squeeze(places);
  own.squeeze(places);
  gated_events.squeeze(places);
  waited.squeeze(places);
  if (timed) {
    std::size_t to = 0;
    places.each([&](std::size_t place) { windows[to++] = windows[place]; });
    windows.resize(to);
  }
  pending.squeeze();
  // A few steps more than until the world is crowded again, and more of them where much has to be moved.
  const std::size_t wanted = pending.count() + std::max(pending.count() / 2, spare_places + spare_places / 2);
  set_words((wanted + 63) / 64);
}

void WorldState::set_window(std::size_t place, TimeClass::Moment moment, double lo, double hi) {
  GAINSAY_CHECK(place < windows.size(), "every pending event has a window");
  PendingWindow& window = windows[place];
  const TimeClass::Moment before = window.moment;
  const double demanded = demand_of(place);
  window.moment = moment;
  window.lo = lo;
  window.hi = hi;
  if (moment != TimeClass::nowhere) time.hold(moment, demand_of(place));
  let_go(before, demanded);
}

void WorldState::set_waited(std::size_t place, bool waited_now) {
  if (waited[place] == waited_now) return;
  waited_count += waited_now ? 1U : 0xffffffffU;
  waited.set(place, waited_now);
  const PendingWindow& window = windows[place];
  if (window.moment == TimeClass::nowhere) return;
  if (waited_now) {
    time.ease(window.moment, window.hi);
  } else {
    time.demand(window.moment, window.hi);
  }
}

void WorldState::move_reading(ClockReading& reading, TimeClass::Moment moment) {
  const TimeClass::Moment before = reading.moment;
  if (before == moment) return;
  time.hold(moment);
  reading.moment = moment;
  let_go(before, TimeClass::never);
}

void WorldState::replace(std::size_t place, EventId id, EnvelopeId envelope, const Route& route) {
  GAINSAY_CHECK(pending.has(place), "the event is pending");
  Pending& entry = pending[place];
  GAINSAY_CHECK(route.to == entry.to && route.sender == entry.sender && route.kind == entry.kind &&
                    route.gated == entry.gated,
                "the link stays, and the type");
  uncount(entry);
  static_cast<Route&>(entry) = route;
  if (route.group != 0) ++messages_in[route.group];
  entry.id = id;
  entry.envelope = envelope;
  entry.parent = steps;
  refused.reset(place);  // nobody was asked
}

void WorldState::duplicate(std::size_t place, EventId id) {
  GAINSAY_CHECK(pending.has(place), "the event is pending");
  const Pending original = pending[place];
  doubled.push_back(original.id);
  const std::size_t copy = append(original, id, original.envelope, steps);
  if (ordered && original.is_message()) from.set(sender_row(original.sender), copy);
  set_ready(copy, is_ready(place));
  refused.set(copy, refused[place]);
  if (timed) {
    const PendingWindow window = windows[place];
    windows.push_back(window);
    if (window.moment != TimeClass::nowhere) time.hold(window.moment, window.hi);
    set_waited(copy, waited[place]);
  }
  if (queued) earlier.add_row();
  if (!causal) return;
  known_by.add_row();
  std::copy_n(known_by.row(place), known_by.words(), known_by.row(copy));
  if (!original.is_sending()) return;
  // It is the same sending: who knows of one knows of both.
  for (BitTable* const table : {&known_at, &known_by}) {
    for (std::size_t r = 0; r < table->rows(); ++r) {
      if (table->has(r, place)) table->set(r, copy);
    }
  }
}

void WorldState::inherit(Slot from_slot, Slot to_slot) {
  GAINSAY_CHECK(from_slot < known_at.rows() && to_slot < known_at.rows(), "both actors know of sendings");
  std::copy_n(known_at.row(from_slot), known_at.words(), known_at.row(to_slot));
}

void WorldState::grow(std::size_t slots) {
  if (at.rows() < slots) at.set_rows(slots);
  if (cells.size() >= slots) return;
  cells.resize(slots, 0);
  classes.resize(slots, 0);
  if (!fault_ordinals.empty()) fault_ordinals.resize(slots, 0);
  if (!live.empty()) live.resize(slots);
  if (ordered) from.set_rows(slots + 1);
  if (causal) known_at.set_rows(slots);
}

void WorldState::check_rows() const {
  GAINSAY_CHECK(classes.size() == cells.size(), "every actor has a class");
  GAINSAY_CHECK(live.empty() || live.size() == cells.size(), "live actors stand beside the others");
  GAINSAY_CHECK(windows.size() == (timed ? pending.behind() : 0), "every pending event has a window");
  GAINSAY_CHECK(pending.behind() <= room() && at.rows() >= cells.size(),
                "every event and actor has its place");
  GAINSAY_CHECK(!ordered || from.rows() == cells.size() + 1, "every sender has a row");
  GAINSAY_CHECK(!causal || (known_at.rows() == cells.size() && known_by.rows() == pending.behind()),
                "of everybody it is known what it knows of");
  GAINSAY_CHECK(!queued || earlier.rows() == pending.behind(),
                "of every pending event it is known what was sent before");
  std::uint32_t starts = 0;
  std::vector<std::uint32_t> in_group(messages_in.size(), 0);
  std::size_t count = 0;
  for (const std::size_t place : pending.each_place()) {
    const Pending& each = pending[place];
    ++count;
    GAINSAY_CHECK(each.to < cells.size() && at.has(each.to, place), "a pending event has a receiver");
    GAINSAY_CHECK(!ordered || !each.is_message() || from.has(sender_row(each.sender), place),
                  "a message has a sender");
    GAINSAY_CHECK(!causal || !each.is_sending() || known_by.has(place, place),
                  "a message knows of its own sending");
    GAINSAY_CHECK(own[place] != each.is_message(), "what is no message is an actor's own");
    GAINSAY_CHECK(gated_events[place] == each.gated, "what may be refused is known");
    starts += each.kind == EventKind::start ? 1 : 0;
    GAINSAY_CHECK(each.kind != EventKind::start || starting[each.to], "a pending start is its actor's");
    if (each.group != 0) ++in_group.at(each.group);
  }
  const auto held_by = [](const BitTable& table) {
    std::size_t held = 0;
    for (std::size_t r = 0; r < table.rows(); ++r) table.each(r, [&](std::size_t) { ++held; });
    return held;
  };
  GAINSAY_CHECK(count == pending.count() && held_by(at) == count, "every pending event is at its receiver");
  GAINSAY_CHECK(held_by(from) <= count, "what an actor sent is pending");
  GAINSAY_CHECK(waits.count() == waiting && waits.count_without(pending.places()) == 0,
                "what waits is pending and counted");
  GAINSAY_CHECK(refused.count_without(waits) == 0, "what is refused waits");
  GAINSAY_CHECK(own.count_without(pending.places()) == 0, "an actor's own events are pending");
  GAINSAY_CHECK(waited.count() == waited_count && waited.count_without(pending.places()) == 0,
                "what has waited is pending and counted");
  GAINSAY_CHECK(starts == starts_pending && starts == starting.count(), "pending starts are counted");
  GAINSAY_CHECK(in_group == messages_in, "pending messages are counted");
}

}  // namespace gainsay
