#include "gainsay/execution/world/world_state.hpp"

#include <algorithm>

namespace gainsay {

void WorldState::add_clock(Slot sender) {
  const std::size_t width = clock_width;
  GAINSAY_CHECK(pending_clocks.size() + width == pending.size() * width, "every pending event has a clock");
  if (sender == Directory::no_slot) {
    pending_clocks.resize(pending_clocks.size() + width, 0);
    return;
  }
  GAINSAY_CHECK(sender < width, "the sender has a clock");
  std::uint32_t* clock = &actor_clocks[sender * width];
  ++clock[sender];
  GAINSAY_CHECK(clock[sender] < 0x80000000U, "sendings are counted in 31 bits");
  pending_clocks.insert(pending_clocks.end(), clock, clock + width);
}

void WorldState::erase_clock(std::size_t index) {
  const auto width = static_cast<std::ptrdiff_t>(clock_width);
  const auto first = pending_clocks.begin() + static_cast<std::ptrdiff_t>(index) * width;
  pending_clocks.erase(first, first + width);
  GAINSAY_CHECK(pending_clocks.size() == pending.size() * clock_width, "every pending event has a clock");
}

void WorldState::erase_sending(std::size_t index) {
  sent.erase(index);
  earlier.erase(earlier.begin() + static_cast<std::ptrdiff_t>(index));
  for (BitRow& row : earlier) row.erase(index);
  GAINSAY_CHECK(earlier.size() == pending.size(), "of every pending event it is known what was sent before");
}

void WorldState::set_window(std::size_t index, TimeClass::Moment moment, double lo, double hi) {
  GAINSAY_CHECK(index < windows.size(), "every pending event has a window");
  PendingWindow& window = windows[index];
  const PendingWindow before = window;
  if (moment != TimeClass::nowhere) time.hold(moment, hi);
  window.moment = moment;
  window.lo = lo;
  window.hi = hi;
  let_go(before.moment, before.hi);
}

void WorldState::move_reading(ClockReading& reading, TimeClass::Moment moment) {
  const TimeClass::Moment before = reading.moment;
  if (before == moment) return;
  time.hold(moment);
  reading.moment = moment;
  let_go(before, TimeClass::never);
}

void WorldState::duplicate(std::size_t index, EventId id) {
  GAINSAY_CHECK(index < pending.size(), "the event is pending");
  Pending copy = pending[index];
  doubled.push_back(copy.id);
  copy.id = id;
  copy.parent = steps;
  append(copy);
  if (ordered) links.push_back(links[index]);
  set_ready(pending.size() - 1, is_ready(index));
  if (timed) {
    const PendingWindow window = windows[index];
    windows.push_back(window);
    waited += window.waited ? 1 : 0;
    if (window.moment != TimeClass::nowhere) time.hold(window.moment, window.hi);
  }
  if (queued) earlier.emplace_back();
  if (!causal) return;
  pending_clocks.resize(pending_clocks.size() + clock_width);
  std::copy_n(clock_of(index), clock_width, pending_clocks.end() - clock_width);
}

void WorldState::learn(Slot slot, std::size_t index) {
  GAINSAY_CHECK(slot < clock_width && index < pending.size(), "actor and message have clocks");
  std::uint32_t* __restrict known = &actor_clocks[slot * std::size_t{clock_width}];
  const std::uint32_t* __restrict clock = clock_of(index);
  const std::size_t width = clock_width;
  // As signed numbers, which any x86-64 compares four at a time.
  for (std::size_t k = 0; k < width; ++k) {
    const auto old = static_cast<std::int32_t>(known[k]);
    const auto told = static_cast<std::int32_t>(clock[k]);
    known[k] = static_cast<std::uint32_t>(old > told ? old : told);
  }
}

void WorldState::inherit(Slot from, Slot to) {
  const std::size_t width = clock_width;
  GAINSAY_CHECK(from < width && to < width, "both actors have clocks");
  std::copy_n(actor_clocks.begin() + static_cast<std::ptrdiff_t>(from * width), width,
              actor_clocks.begin() + static_cast<std::ptrdiff_t>(to * width));
}

void WorldState::grow(std::size_t slots) {
  if (cells.size() < slots) {
    cells.resize(slots, 0);
    classes.resize(slots, 0);
    if (!fault_ordinals.empty()) fault_ordinals.resize(slots, 0);
    if (!live.empty()) live.resize(slots);
  }
  if (!causal || clock_width >= slots) return;
  const auto widen = [&](std::vector<std::uint32_t>& rows, std::size_t count) {
    std::vector<std::uint32_t> wider(count * slots, 0);
    const std::size_t old_rows = clock_width == 0 ? 0 : rows.size() / clock_width;
    for (std::size_t r = 0; r < old_rows; ++r) {
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(r * clock_width), clock_width,
                  wider.begin() + static_cast<std::ptrdiff_t>(r * slots));
    }
    rows = std::move(wider);
  };
  widen(actor_clocks, slots);
  widen(pending_clocks, pending.size());
  clock_width = static_cast<std::uint32_t>(slots);
}

void WorldState::check_rows() const {
  GAINSAY_CHECK(classes.size() == cells.size(), "every actor has a class");
  GAINSAY_CHECK(live.empty() || live.size() == cells.size(), "live actors stand beside the others");
  GAINSAY_CHECK(windows.size() == (timed ? pending.size() : 0), "every pending event has a window");
  GAINSAY_CHECK(links.size() == (ordered ? pending.size() : 0), "every pending event has a link");
  for (std::size_t i = 0; i < links.size(); ++i)
    GAINSAY_CHECK(PairRow::first_of(links[i]) == static_cast<std::uint8_t>(pending[i].to) &&
                      (PairRow::second_of(links[i]) == no_sender) == (pending[i].kind != EventKind::deliver),
                  "links are those of events");
  GAINSAY_CHECK(pending_clocks.size() == (causal ? pending.size() * clock_width : 0),
                "every pending event has a clock");
  GAINSAY_CHECK(!causal || (clock_width >= cells.size() &&
                            actor_clocks.size() == std::size_t{clock_width} * clock_width),
                "every actor has a clock");
  GAINSAY_CHECK(earlier.size() == (queued ? pending.size() : 0),
                "of every pending event it is known what was sent before");
  std::uint32_t starts = 0;
  std::vector<std::uint32_t> in_group(messages_in.size(), 0);
  std::vector<std::uint32_t> waiting_here(cells.size(), 0);
  for (const Pending& each : pending) {
    GAINSAY_CHECK(each.to < cells.size(), "a pending event has a receiver");
    starts += each.kind == EventKind::start ? 1 : 0;
    if (each.group != 0) ++in_group.at(each.group);
  }
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if (!is_ready(i)) ++waiting_here[pending[i].to];
  }
  for (Slot slot = 0; slot < cells.size(); ++slot)
    GAINSAY_CHECK(count_waiting(slot) == waiting_here[slot], "who waits for which actor is counted");
  GAINSAY_CHECK(waits.count() == waiting && waits.count_before(pending.size()) == waiting,
                "what waits is pending and counted");
  GAINSAY_CHECK(starts == starts_pending, "pending starts are counted");
  GAINSAY_CHECK(in_group == messages_in, "pending messages are counted");
}

}  // namespace gainsay
