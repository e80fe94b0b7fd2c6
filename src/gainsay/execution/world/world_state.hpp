// WorldState: a world as a value. Copying it is a snapshot.
//
// In the common case it is two short rows of numbers: one cell id per actor and one entry per pending event,
// in the order in which they were created. Time, causal order, faults and live actors add rows that stay
// empty where they are not used.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "gainsay/execution/kernel/live_actor.hpp"
#include "gainsay/trace/event.hpp"

namespace gainsay {

struct Pending {
  EventId id;
  EnvelopeId envelope = 0;
  std::uint32_t parent = no_step;
};

struct PendingWindow {
  std::int64_t lo_ns = 0;
  std::int64_t hi_ns = 0;
};

// The moment that is `by` after `from`, or the last there is.
constexpr std::int64_t later(std::int64_t from_ns, Duration by) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(from_ns, by.count(), &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

inline constexpr CellId live_cell = 0xffffffffU;  // the actor is in `live`

struct WorldState {
  std::vector<CellId> cells;  // by slot; 0: absent
  std::vector<Pending> pending;
  std::vector<std::uint64_t> classes;  // by slot: rolling hash of the ids received
  std::uint32_t steps = 0;
  std::uint32_t starts_pending = 0;
  bool plain = true;  // no gated actor was spawned

  // Simulated time.
  std::int64_t now_ns = 0;
  std::vector<PendingWindow> windows;  // parallel to `pending`

  // Causal delivery: vector clocks that count sends, of every actor and of every pending message;
  // `clock_width` entries each.
  std::uint32_t clock_width = 0;
  std::vector<std::uint32_t> actor_clocks;
  std::vector<std::uint32_t> pending_clocks;  // parallel to `pending`

  // Faults: what is left of each budget (layout in network.hpp), and the cut in force.
  std::vector<std::uint32_t> budgets;
  std::vector<std::uint32_t> fault_ordinals;  // by slot: crashes and restarts so far
  std::uint32_t partition = 0;                // the cut in force (faults/cut.hpp); 0: none
  std::uint32_t partition_steps_left = 0;     // 0: until healed
  std::uint32_t partition_ordinal = 0;
  std::vector<std::uint64_t> happened;  // faults that are numbered by how often they were there (faults.hpp)
  std::vector<std::int64_t> clock_jumps_ns;  // by slot: how far its clock has jumped; empty: no clock has
  std::vector<EventId> doubled;  // the originals of duplicates, once per duplicate: this tells them apart

  // Liveness monitors, by their place in Kernel::monitors(): after how many steps it became hot; no_step: cold.
  std::vector<std::uint32_t> hot_since;

  std::vector<LiveActor> live;  // by slot, where any actor is live
};

}  // namespace gainsay
