// WorldTraits: what a strategy may know of the world before it runs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "gainsay/family/partitions/cuts.hpp"
#include "gainsay/trace/event.hpp"

namespace gainsay {

struct WorldTraits {
  bool mailbox = false;  // every message waits for all that were sent to its receiver before it
  bool gated = false;    // some actor refuses messages for a while
  bool timed = false;    // simulated time: events make each other wait
  std::array<std::uint32_t, event_kinds> budgets{};  // of faults, by their kind
  std::array<bool, event_kinds> obliged{};           // faults that must happen in the end, by their kind
  bool ordered = false;                              // some link keeps an order
  bool causal = false;                               // some link delivers in causal order
  bool mailboxes = false;                            // some link is one of a mailbox
  bool queues = false;                               // some link is one of a queue
  bool faulty = false;                               // faults are possible
  bool timer_budgets = false;
  bool timers_optional = false;    // an execution may end although timers are armed
  bool counts_steps = false;       // a partition ends after a number of steps: every step matters to it
  bool global_properties = false;  // invariants, goals or monitors that more than one actor decides
  bool own_properties = false;     // invariants or goals that one actor decides
  bool monitors = false;           // their state at the end depends on the order in which they were notified
  bool histories = false;          // properties of what clients saw, for which real time counts
  bool client_order = false;       // properties for which the order of each client counts, and no other
  bool history_order = false;      // and for some of them the order of all that clients saw
  std::shared_ptr<const family::Cuts> cuts{};  // the family that partitions are drawn from, in this order

  bool is_obliged(EventKind fault) const { return obliged[static_cast<std::size_t>(fault)]; }
  bool obliges() const {
    for (const bool each : obliged) {
      if (each) return true;
    }
    return false;
  }
};

}  // namespace gainsay
