// QueueOrder: what is known of the order of sending, under Delivery::queue.
//
// The order of P# (Deligiannis et al., PLDI 2015): every actor has one queue, a message enters it when it is sent, and
// every sending is a scheduling point. So what one step sends is sent one by one, and others may send in between; the
// actor takes its next event when it has sent all. Nobody needs to decide when that was: **an order of events is
// possible iff some moments of sending allow it**, as with times (docs/time.md). What must be so is a partial order.
//
// A message may not have been sent yet although the step that sends it has happened. It has been sent for certain
// (WorldState::sent) when it was taken, lost or copied, when a message that was sent after it has been, and when its
// sender went on: took an event, crashed, or made an actor after it that began. `earlier` has, for every pending
// message, those that were sent before it in every case:
// - all that had been sent for certain when the step began that sends it, and what that step sent before it;
// - of two messages in one queue, the one that was taken first.
// It is closed under transitivity. A message may be next iff nothing in its receiver's queue is earlier, refused
// messages and those behind a cut apart. That is exact: whatever is taken next is consistent with the partial order,
// and a partial order has a linear extension. `tests/twin` sends one by one instead, and has the same executions.
//
// Messages on links of other orders are sent in turn with the rest. What the world begins with has been sent, in the
// order of the scenario.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gainsay/execution/world/network.hpp"
#include "gainsay/execution/world/world_state.hpp"

namespace gainsay {

class QueueOrder {
 public:
  explicit QueueOrder(Network& network) : network_(network) {}

  // The event at the last place is new, made in this step or, before the first, by the scenario.
  void added(WorldState& world) const;
  // The event at the last place is the start of an actor that was made after the step's first `sent` messages.
  void added_start(WorldState& world, std::uint32_t sent) const;
  // The event at the last place is a copy of this one, which stands in its queue from now on.
  void copied(WorldState& world, std::size_t place) const;
  // The pending event is taken. REQUIRES: it may be next; it is still there.
  void taken(WorldState& world, std::size_t place) const;
  // Something happens to the message: it has been sent.
  void touched(WorldState& world, std::size_t place) const { send(world, place); }
  // Something happens at the actor: it has sent what it was to send.
  void acts(WorldState& world, Slot slot) const;

  // What tells pending events apart, by position: `labels` say what they are, and the order of sending the rest.
  static void signatures(const WorldState& world, std::span<const std::uint64_t> labels,
                         std::vector<std::uint64_t>& out);
  // The hash of all that is known, whatever the order of the pending events is. Events that signatures do not tell
  // apart keep their places: at worst a state is visited twice.
  static std::uint64_t hash(const WorldState& world, std::span<const std::uint64_t> labels);

 private:
  void send(WorldState& world, std::size_t place) const;

  Network& network_;
};

}  // namespace gainsay
