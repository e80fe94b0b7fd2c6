// Alternative: one thing that may happen next in a world, and the Event it is.
#pragma once

#include <algorithm>
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

class Network;

// What may happen next: `ordinary` events that are pending, then faults, then `stop` where the world may end.
//
// Who goes through all of them gets a list. Who chooses one mostly chooses a pending event: then there are only
// numbers and the row of those that cannot be next, and faults are listed when somebody asks for one.
struct Alternatives {
  mutable std::vector<Alternative> list;  // all; or the faults, where they were asked for
  mutable bool faults_listed = false;     // where `list` is for faults alone
  bool unlisted = false;                  // the ordinary ones are the pending events that do not wait
  const BitRow* early = nullptr;          // or those that are not in this row
  const Network* network = nullptr;       // where faults or `stop` may be among what is not listed
  std::size_t count = 0;                  // how many there are
  std::size_t ordinary = 0;               // the first so many are not faults
  bool quiescent = false;
  bool may_stop = false;  // the last one is to stop
  struct FaultRow {
    EventKind kind;
    std::size_t end;  // the first index behind its faults
  };
  std::vector<FaultRow> fault_rows;  // with `network`: the kinds of faults, in their order

  [[gnu::always_inline]] Alternative at(const WorldState& world, std::size_t index) const {
    if (network != nullptr) return at_with_faults(world, index);
    if (!unlisted) return early == nullptr ? list[index] : at_in_time(world, index);
    const std::size_t place = world.waiting == 0 ? world.pending.place(index)
                                                 : world.pending.places().nth_without(world.waits, index);
    return {world.pending[place].kind, static_cast<std::uint32_t>(place)};
  }
  [[gnu::always_inline]] Alternative at_in_time(const WorldState& world, std::size_t index) const {
    const std::size_t place = world.pending.places().nth_without(*early, index);
    return {world.pending[place].kind, static_cast<std::uint32_t>(place)};
  }
  Alternative at_with_faults(const WorldState& world, std::size_t index) const;
  // Its kind, without a list.
  EventKind kind_at(const WorldState& world, std::size_t index) const {
    if (network == nullptr || index < ordinary) return at(world, index).kind;
    const FaultRow* const row = row_of(index);
    return row == nullptr ? EventKind::stop : row->kind;
  }
  // The end of the faults of the same kind that follow this one; `end` at most. REQUIRES: not an ordinary one.
  std::size_t kind_end(std::size_t index, std::size_t end) const {
    if (network != nullptr) {
      const FaultRow* const row = row_of(index);
      return row == nullptr ? index + 1 : std::min(end, row->end);
    }
    const EventKind kind = list[index].kind;
    for (++index; index < end && list[index].kind == kind;) ++index;
    return index;
  }
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

 private:
  // Null for `stop`.
  const FaultRow* row_of(std::size_t index) const {
    for (const FaultRow& row : fault_rows) {
      if (index < row.end) return &row;
    }
    GAINSAY_CHECK(may_stop && index == count - 1, "one of those that there are");
    return nullptr;
  }
};

// Whether `target` is a place in `pending`: ordinary events and faults of messages.
bool concerns_pending(const Alternative& alternative);
// Events as strategies and traces see them.
Event event_of(const Kernel& kernel, const Pending& pending);
Event event_of(const Kernel& kernel, const WorldState& world, const Alternative& alternative);

}  // namespace gainsay
