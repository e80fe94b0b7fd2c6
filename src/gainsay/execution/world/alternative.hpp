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
  bool unlisted = false;     // just the pending events that may be next; `list` is empty then
  bool timed = false;        // unlisted: nothing waits, but some cannot be next yet
  BitRow early;              // timed: which
  std::size_t count = 0;     // how many there are
  std::size_t ordinary = 0;  // the first so many are not faults
  bool quiescent = false;

  Alternative at(const WorldState& world, std::size_t index) const {
    if (!unlisted) return list[index];
    const std::size_t place = timed                ? early.nth_clear(index)
                              : world.waiting == 0 ? index
                                                   : world.waits.nth_clear(index);
    return {world.pending[place].kind, static_cast<std::uint32_t>(place)};
  }
  bool may_stop() const { return !list.empty() && list.back().kind == EventKind::stop; }
};

// Whether `target` is a place in `pending`: ordinary events and faults of messages.
bool concerns_pending(const Alternative& alternative);
// Events as strategies and traces see them.
Event event_of(const Kernel& kernel, const Pending& pending);
Event event_of(const Kernel& kernel, const WorldState& world, const Alternative& alternative);

}  // namespace gainsay
