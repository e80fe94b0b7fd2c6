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
  bool unlisted = false;          // just the pending events that do not wait; `list` is empty then
  const BitRow* early = nullptr;  // just the pending events that are not in this row; `list` is empty then
  std::size_t count = 0;          // how many there are
  std::size_t ordinary = 0;       // the first so many are not faults
  bool quiescent = false;

  [[gnu::always_inline]] Alternative at(const WorldState& world, std::size_t index) const {
    if (!unlisted) return early == nullptr ? list[index] : at_in_time(world, index);
    const std::size_t place = world.waiting == 0 ? index : world.waits.nth_clear(index);
    return {world.pending[place].kind, static_cast<std::uint32_t>(place)};
  }
  Alternative at_in_time(const WorldState& world, std::size_t index) const;
  // Whether `list` is what there is.
  bool listed() const { return !unlisted && early == nullptr; }
  // Which pending events are not there. REQUIRES: not listed.
  const BitRow& closed(const WorldState& world) const { return unlisted ? world.waits : *early; }
  // Whose row `early` is may go on to other worlds.
  void keep() {
    if (early == nullptr || early == &kept) return;
    kept = *early;
    early = &kept;
  }
  BitRow kept;  // after `keep`

  bool may_stop() const { return !list.empty() && list.back().kind == EventKind::stop; }
};

// Whether `target` is a place in `pending`: ordinary events and faults of messages.
bool concerns_pending(const Alternative& alternative);
// Events as strategies and traces see them.
Event event_of(const Kernel& kernel, const Pending& pending);
Event event_of(const Kernel& kernel, const WorldState& world, const Alternative& alternative);

}  // namespace gainsay
