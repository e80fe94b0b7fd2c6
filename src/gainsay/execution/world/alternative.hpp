// Alternative: one thing that may happen next in a world, and the Event it is.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/execution/kernel/kernel.hpp"
#include "gainsay/execution/world/world_state.hpp"

namespace gainsay {

// An event of `kind` on a pending entry, an actor (faults.hpp says how) or the index of a partition.
struct Alternative {
  EventKind kind = EventKind::deliver;
  std::uint32_t target = 0;

  friend bool operator==(const Alternative&, const Alternative&) = default;
};

struct Alternatives {
  std::vector<Alternative> list;
  std::size_t ordinary = 0;  // list[0, ordinary) are not faults
  bool quiescent = false;
};

// Whether `target` is a place in `pending`: ordinary events and faults of messages.
bool concerns_pending(const Alternative& alternative);
// Events as strategies and traces see them.
Event event_of(const Kernel& kernel, const Pending& pending);
Event event_of(const Kernel& kernel, const WorldState& world, const Alternative& alternative);

}  // namespace gainsay
