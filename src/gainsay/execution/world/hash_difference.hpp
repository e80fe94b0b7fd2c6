// HashDifference: what a step adds to the fingerprint of a world, found without taking the step.
//
// A fingerprint is a sum over actors and pending events (world_hash.hpp), so the effects of a handler say which
// summands go and which come. Explicit-state search looks a successor up by its fingerprint before it is built, and
// most successors are known already. `prepare` takes the summands of a world apart once; `of` answers for each of its
// alternatives. What is rare (spawned actors, cuts that count steps, copies under causal order, corrupted messages)
// is left to the step itself: the answer is nothing. A test compares the answers with the definition.
#pragma once

#include <optional>
#include <vector>

#include "gainsay/execution/world/stepper.hpp"
#include "gainsay/execution/world/world_hash.hpp"

namespace gainsay {

class HashDifference {
 public:
  HashDifference(Front& front, Network& network, WorldHash& hash);

  // The world whose alternatives are asked for. It must outlive the calls of `of`.
  void prepare(const WorldState& world);
  // `leaf` is null where no handler is called.
  std::optional<std::uint64_t> of(const Alternative& alternative, const Leaf* leaf);

 private:
  // One pending event as the sum has it.
  struct Summand {
    Network::Route route;
    std::uint64_t event = 0;  // its class
    std::uint32_t rank = 0;   // in its queue, where it has one
    bool queued = false;
    std::uint64_t base = 0;   // event and rank
    std::uint64_t known = 0;  // sendings that it knows of
    std::uint64_t term = 0;   // what it adds
  };
  // A pending message that causal order makes others wait for.
  struct Sending {
    Slot sender = 0;
    std::uint32_t sent = 0;
    std::uint64_t weight = 0;
  };

  std::optional<std::uint64_t> of_event(std::size_t index, const Leaf& leaf);
  std::optional<std::uint64_t> of_actor_fault(const Alternative& alternative, const Leaf* leaf);
  // The parts of a step.
  std::uint64_t removal(std::size_t index);
  std::uint64_t forgetting(std::size_t index, Slot except);
  std::uint64_t sends(std::size_t consumed, Slot slot, std::span<const EnvelopeId> outs);
  bool extras(std::size_t consumed, Slot slot, const Extras& extras, std::uint64_t& sum);
  bool timer(std::size_t consumed, Slot slot, const TimerOp& op, std::uint64_t& sum);
  std::uint64_t spending(std::size_t budget);
  const ValueType& message_type(std::size_t index) const;
  bool in_one_queue(const Network::Route& a, const Network::Route& b) const {
    return a.to == b.to && a.order == b.order && (a.order == Delivery::mailbox || a.sender == b.sender);
  }
  static bool has_queue(const Network::Route& route) {
    return route.order == Delivery::fifo || route.order == Delivery::mailbox ||
           (route.order == Delivery::causal && route.sender == Network::from_outside);
  }
  static bool is_sending(const Network::Route& route) {
    return route.order == Delivery::causal && route.sender != Network::from_outside;
  }
  std::uint64_t actor_term(Slot slot, std::uint64_t known) const;

  Front& front_;
  Kernel& kernel_;
  Network& network_;
  WorldHash& hash_;
  bool possible_;
  const WorldState* world_ = nullptr;
  std::vector<Summand> summands_;           // by place in `pending`
  std::vector<Sending> sendings_;           // distinct
  std::vector<std::uint64_t> actors_know_;  // by slot
  std::uint64_t rest_ = 0;
  std::vector<std::uint32_t> budgets_;  // scratch
};

}  // namespace gainsay
