// WorldHash: the fingerprint of a world, and the class of an event.
//
// A fingerprint folds local and durable states, monitors, pending events (as delivery order sees them), budgets and
// partitions; not ids, parents, steps or history. It is the same for interned actors and for those executed in
// place. Two events are of one class if they are the same message (or start, or timer) on the same link: what is
// obliged to happen is obliged by class. With the scenario's views (World::view) both see only what the views leave.
//
// It is a sum with one summand for each actor and each pending event, so that a step changes it by differences. A
// queue (of a link in fifo order, of a mailbox) shows in the place of each message in it. Causal order shows in how
// many pending sendings of every sender somebody knows of, which is all that can ever make a message wait. Queue order
// is one summand, the hash of what is known of sendings (queue_order.hpp). Simulated time is one summand, the hash of
// the class (world_time.hpp).
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/execution/kernel/kernel.hpp"
#include "gainsay/execution/world/network.hpp"
#include "gainsay/execution/world/world_state.hpp"

namespace gainsay {

class WorldHash {
 public:
  enum class Through { nothing, views };

  WorldHash(Kernel& kernel, Network& network, Through through = Through::nothing);

  // Whether the world has a fingerprint: no opaque actors but such as have their own, and nobody reads a clock (unless
  // that is counted, Kernel::origin).
  bool possible(const WorldState& world) const;
  // Never 0. REQUIRES: possible(world).
  std::uint64_t of(const WorldState& world);
  std::uint64_t class_of(EnvelopeId id) {
    if (id >= classes_.size() || classes_[id] == 0) [[unlikely]]
      find_class(id);
    return classes_[id];
  }
  // Of budgets and the cut in force.
  static std::uint64_t rest_of(std::span<const std::uint32_t> budgets, std::uint32_t partition,
                               std::uint32_t partition_steps_left);
  // A message of this class that stands behind so many others in its queue.
  static std::uint64_t queued(std::uint64_t event, std::uint32_t rank) {
    return scramble(mix(event, rank + 1ULL));
  }
  // Something with this hash that knows of sendings.
  [[gnu::always_inline]] static std::uint64_t knowing(std::uint64_t who, std::uint64_t known) {
    return known == 0 ? who : scramble(mix(who, known));
  }
  // What knowing of one sending of this actor adds.
  std::uint64_t weight(Slot sender);
  // What an actor adds by the sendings that it knows of; `base` is who it is.
  std::uint64_t actor_base(Slot slot) const { return kernel_.directory().id_of(slot).raw + 0x200000003ULL; }
  static std::uint64_t actor_knowing(std::uint64_t base, std::uint64_t known) {
    return known == 0 ? 0 : knowing(base, known);
  }
  // Values have lost their ids: forget what was remembered by them.
  void forget() {
    classes_.clear();
    seen_.clear();
    weights_.clear();
    summed_.clear();
  }

 private:
  void find_class(EnvelopeId id);
  std::uint64_t seen(const ValueType& type, const void* data) const;
  std::uint64_t seen(ValueId id);
  std::uint64_t cell_sum(const WorldState& world, Slot slot);
  std::uint64_t cell_sums(const WorldState& world);
  std::uint64_t ordered_sum(const WorldState& world);
  std::uint64_t time_sum(const WorldState& world);
  void find_place_weights(const WorldState& world);
  [[gnu::always_inline]] std::uint64_t known_of(const WorldState& world, const BitTable& known,
                                                std::size_t row) const;
  bool is_first_of_sending(const WorldState& world, std::size_t place) const;

  Kernel& kernel_;
  Network& network_;
  bool views_;
  bool copies_;                                             // messages may be duplicated under causal order
  boost::unordered_flat_map<ValueId, std::uint64_t> seen_;  // through views
  std::vector<std::uint64_t> classes_;                      // by envelope; 0: not known
  std::vector<std::uint64_t> weights_;                      // by slot
  // By slot: the summand of the cell that was there last. Between two looks few actors change.
  struct Summed {
    CellId cell = live_cell;
    std::uint64_t sum = 0;
  };
  std::vector<Summed> summed_;
  // Scratch.
  std::vector<std::uint64_t> terms_;
  std::vector<std::uint64_t> place_weights_;  // by place
};

}  // namespace gainsay
