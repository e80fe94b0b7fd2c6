// WorldHash: the fingerprint of a world of value actors, and the class of an event.
//
// A fingerprint folds local and durable states, monitors, pending events (as delivery order sees them), budgets and
// partitions; not ids, parents, steps or history. It is the same for interned actors and for those executed in
// place. Two events are of one class if they are the same message (or start, or timer) on the same link: what is
// obliged to happen is obliged by class. With the scenario's views (World::view) both see only what the views leave.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/execution/kernel/kernel.hpp"
#include "gainsay/execution/world/network.hpp"
#include "gainsay/execution/world/world_state.hpp"

namespace gainsay {

class WorldHash {
 public:
  enum class Through { nothing, views };

  WorldHash(const Kernel& kernel, const Network& network, Through through = Through::nothing);

  // Whether the world has a fingerprint: no opaque actors, no simulated time.
  bool possible(const WorldState& world) const;
  // Never 0. REQUIRES: possible(world).
  std::uint64_t of(const WorldState& world) const;
  std::uint64_t class_of(EnvelopeId id) const;
  // Values have lost their ids: forget what was remembered by them.
  void forget() { seen_.clear(); }

 private:
  // A pending event as its place in the order sees it.
  struct Queued {
    std::uint64_t event = 0;  // class
    std::uint64_t label = 0;
    ActorId from = nobody;
    Slot to = 0;
    Slot sender = Directory::no_slot;  // of a message that causal delivery orders
    std::uint32_t sent = 0;            // its count of sends then
    bool message = false;
    Delivery order = Delivery::unordered;
  };

  std::uint64_t seen(const ValueType& type, const void* data) const;
  std::uint64_t seen(ValueId id) const;
  std::uint64_t cell_sum(const WorldState& world, Slot slot) const;
  std::uint64_t ordered_sum(const WorldState& world) const;

  const Kernel& kernel_;
  const Network& network_;
  bool views_;
  mutable boost::unordered_flat_map<ValueId, std::uint64_t> seen_;  // through views
  mutable std::vector<Queued> queue_;                               // scratch
};

}  // namespace gainsay
