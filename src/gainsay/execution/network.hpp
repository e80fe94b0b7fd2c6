// Network: which events may be next. Delivery orders, gates, partitions, time windows, budgets; it never
// changes a world.
//
// Enabled are, in this order: pending events that may happen now, in the order of their creation; faults; and
// `stop` where the world is quiescent (only faults, or only timers that do not keep it alive, are left).
#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/execution/kernel.hpp"
#include "gainsay/execution/world_state.hpp"

namespace gainsay {

// One alternative: an event of `kind` on a pending entry, an actor's slot or a partition's index.
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
  // Whether delivery order makes pending[index] wait for pending[earlier]. REQUIRES: earlier < index.
  bool waits(const WorldState& world, std::size_t index, std::size_t earlier) const;
  bool has_faults() const { return blueprint_.faults.any(); }

  void enabled(const WorldState& world, Alternatives& out);

  // The stable id of a fault, and what it does in words.
  EventId fault_id(const WorldState& world, const Alternative& fault) const;
  // Whether an envelope crosses the cut in force.
  bool cut(const WorldState& world, const Envelope& envelope) const;
  PendingWindow window(const WorldState& world, const Envelope& envelope) const;

  // Layout of WorldState::budgets.
  static constexpr std::size_t drops = 0;
  static constexpr std::size_t duplicates = 1;
  static constexpr std::size_t crashes = 2;
  static constexpr std::size_t restarts = 3;
  static constexpr std::size_t partitions = 4;
  static constexpr std::size_t fixed_budgets = 5;  // then one per corruption, then one per timer budget
  std::vector<std::uint32_t> initial_budgets() const;
  // Index of the budget that a timer of this type draws on; 0 (never a timer's) where it has none.
  std::size_t timer_budget(const ValueType& type) const;
  // Index of the budget for corrupting a message of this type, and its plan; 0 where there is none.
  std::size_t corruption_budget(const ValueType& type) const;
  const Corruption& corruption(std::size_t budget) const {
    return blueprint_.faults.corruptions[budget - fixed_budgets];
  }

 private:
  Delivery order_of(ActorId from, ActorId to) const;
  bool precedes(const WorldState& world, std::size_t earlier, std::size_t later) const;
  // Pending events of one receiver are chained, newest first: only they can make one another wait.
  struct Link {
    std::uint32_t before = 0;  // 1 + index of the pending event before it that others may have to wait for
    Slot sender = 0;
    std::uint32_t sent = 0;  // causal delivery: the sender's own count when it sent
  };

  bool admitted(const WorldState& world, const Envelope& envelope, bool accepted) const;
  bool accepted(const WorldState& world, EnvelopeId id, const Envelope& envelope) const;
  bool in_order(const WorldState& world, std::size_t index, const Envelope& envelope);
  void note_starts(const WorldState& world);
  void add_faults(const WorldState& world, Alternatives& out) const;
  bool concerns(const std::vector<const ValueType*>& types, const Envelope& envelope) const;

  Kernel& kernel_;
  const Blueprint& blueprint_;
  bool plain_ = true;
  bool causal_ = false;
  bool ordered_ = false;
  // Scratch of `enabled`.
  std::vector<Link> links_;            // by pending index
  std::vector<std::uint32_t> chains_;  // by receiver: 1 + index of the last link
  std::vector<bool> starting_;         // by receiver: its start is pending; empty: nobody's is
  boost::unordered_flat_map<std::pair<std::uint64_t, std::uint64_t>, Delivery> link_orders_;
  boost::unordered_flat_map<std::pair<std::uint64_t, std::uint64_t>, Window> link_latencies_;
};

}  // namespace gainsay
