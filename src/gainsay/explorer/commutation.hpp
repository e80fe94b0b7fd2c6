// check_commutations: a user's claim that events are independent, put to the test.
//
// Random walks visit states; in each, pairs of enabled events that the claim calls independent are executed in both
// orders. They are independent there only if neither keeps the other from happening, each does the same in both orders
// (what it sends, its timers, notes, notifications and the history it leaves), and both orders lead to the same world.
// One pair that fails refutes the claim; pairs that pass prove nothing about those that were not tried.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/trace/document.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

// An event that may be next: an ordinary one (a delivery, a timer, a start, a step of a task).
struct PossibleEvent {
  Event event;
  const ValueType* type = nullptr;  // of its message; null: it has none
  const void* message = nullptr;
};
// REQUIRES: symmetric.
using ClaimedIndependent = std::function<bool(const PossibleEvent&, const PossibleEvent&)>;

// What the scenario's keys claim: deliveries at one actor are independent unless their keys meet
// (trace/message_key.hpp). The blueprint must outlive the claim.
ClaimedIndependent independent_by_keys(const Blueprint& blueprint, bool unlisted_is_free);

struct CommutationOptions {
  std::uint64_t pairs = 10'000;  // to try
  std::uint64_t walks = 1'000;   // at most
  std::uint64_t pairs_per_state = 8;
  std::uint64_t seed = 1;
  std::size_t steps_max = 1'000;  // of a walk
  std::optional<std::chrono::nanoseconds> time;
  const std::atomic<bool>* stop = nullptr;
};

// A pair that is not independent in the state that `steps` lead to.
struct Refutation {
  std::vector<Decision> steps;  // to the state, then the first and the second event
  std::string first;            // "Put{key: 1} from client to store"
  std::string second;
  std::string receiver;  // of both, or of the first
  std::string why;
  TraceDocument document;  // of `steps`; the header is left to the caller
};

struct CommutationResult {
  std::uint64_t sampled = 0;  // pairs that were executed in both orders
  std::uint64_t states = 0;   // in which there was one
  std::uint64_t walks = 0;
  bool interrupted = false;
  std::optional<Refutation> refutation;  // the first
};

// Throws UserError for worlds that cannot be copied (opaque actors).
CommutationResult check_commutations(const Blueprint& blueprint, const ClaimedIndependent& independent,
                                     const CommutationOptions& options);

}  // namespace gainsay
