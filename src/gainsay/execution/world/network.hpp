// Network: which events may be next. Delivery orders, gates, partitions, time windows, budgets; it never
// changes a world.
//
// Enabled are, in this order: pending events that may happen now, in the order of their creation; faults; and
// `stop` where the world is quiescent (only faults, or only timers that do not keep it alive, are left).
#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/execution/kernel/kernel.hpp"
#include "gainsay/execution/world/alternative.hpp"
#include "gainsay/execution/world/budgets.hpp"
#include "gainsay/execution/world/world_state.hpp"

namespace gainsay {

class Network {
 public:
  explicit Network(Kernel& kernel);

  // Whether every pending event is enabled in every world of this scenario as long as no start is pending and
  // no gated actor is spawned: then nobody needs to ask `enabled`.
  bool plain() const { return plain_; }
  bool timed() const { return blueprint_.timed; }
  bool causal() const { return causal_; }
  bool unordered() const { return !ordered_; }
  Delivery order_of(const Envelope& envelope) const { return order_of(envelope.from, envelope.receiver); }
  bool has_faults() const { return blueprint_.faults.any(); }

  void enabled(const WorldState& world, Alternatives& out);

  // Whether an envelope crosses the cut in force.
  bool cut(const WorldState& world, const Envelope& envelope) const;
  PendingWindow window(const WorldState& world, const Envelope& envelope) const;

  const Budgets& budgets() const { return budgets_; }

 private:
  Delivery order_of(ActorId from, ActorId to) const;
  // What `enabled` has to know of a receiver, found out when the first event for it is met.
  struct Receiver {
    std::uint64_t round = 0;  // the call of `enabled` that this is of
    bool gated = false;       // it is alive and may refuse
    bool starting = false;    // its start is pending
    bool down = false;        // it is crashed, and messages wait for it
    bool mail = false;        // mailbox: a message stands before all others
    std::uint32_t links = 0;  // 1 + index of the first of its `links_`
  };
  // The messages from one sender to one receiver that others may have to wait for.
  struct Link {
    ActorId from;
    Slot sender = 0;         // causal delivery; no_slot: nobody's clock counts it
    std::uint32_t sent = 0;  // causal delivery: the sender's own count at the earliest of them
    std::uint32_t next = 0;  // 1 + index of another link of the receiver
  };

  Receiver& receiver(const WorldState& world, Slot slot) {
    Receiver& receiver = receivers_[slot];
    if (receiver.round != round_) meet(world, slot, receiver);
    return receiver;
  }
  void meet(const WorldState& world, Slot slot, Receiver& receiver) const;
  Link* link(const Receiver& receiver, ActorId from);
  bool admitted(const WorldState& world, EnvelopeId id, EventKind kind) const;
  bool accepts(const WorldState& world, Slot slot, EnvelopeId id) const;
  bool in_order(const WorldState& world, std::size_t index, const Envelope& envelope, const Receiver& to);
  void note(const WorldState& world, std::size_t index, const Envelope& envelope, Receiver& to);
  void note_starts(const WorldState& world);

  Kernel& kernel_;
  const Blueprint& blueprint_;
  Budgets budgets_;
  bool plain_ = true;
  bool causal_ = false;
  bool ordered_ = false;
  // Scratch of `enabled`.
  std::uint64_t round_ = 0;
  std::vector<Receiver> receivers_;  // by slot
  std::vector<Link> links_;
  boost::unordered_flat_map<std::pair<std::uint64_t, std::uint64_t>, Delivery> link_orders_;
  boost::unordered_flat_map<std::pair<std::uint64_t, std::uint64_t>, Window> link_latencies_;
};

}  // namespace gainsay
