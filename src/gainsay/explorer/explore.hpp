// explore: explicit-state search. Breadth first over world values, every reachable state once.
//
// A state folds local and durable states, the pending events as delivery order sees them, budgets and
// partitions; equal pending messages (same sender, receiver, payload) are one transition, and each leaf of a
// handler's choices is one. Fingerprint mode stores 64 bits per state and says how likely it is that two
// states were taken for one; exact mode stores whole states; bitstate mode stores a few bits and omits some. With
// symmetry one state of each orbit is kept. The result, counterexamples included, does not
// depend on the number of workers. Worlds with opaque actors are refused.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "gainsay/scenario/registry.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

struct ExploreProgress {
  std::atomic<std::uint64_t> states{0};
  std::atomic<std::uint64_t> transitions{0};
  std::atomic<std::uint64_t> depth{0};
  std::atomic<std::uint64_t> frontier{0};
  std::atomic<std::uint64_t> memory_bytes{0};
};

struct ExploreOptions {
  unsigned workers = 1;
  std::optional<std::uint64_t> states_max;
  std::optional<std::uint64_t> depth_max;
  std::optional<std::chrono::nanoseconds> time_max;
  std::uint64_t memory_max = std::uint64_t{8}
                             << 30U;  // of states and tables; the frontier goes to disk first
  std::string spill_folder = ".";     // where it goes
  std::optional<std::uint64_t>
      bitstate_bytes;  // keep bits, not fingerprints, in so much (explorer/bitstate.hpp)
  bool exact = false;
  bool symmetry = false;           // one state of each orbit (explorer/symmetry.hpp)
  bool without_histories = false;  // explore a scenario that judges histories, and leave them unjudged
  FairnessKind fairness = FairnessKind::weak;  // of endless executions
  bool keep_going = false;  // false: stop after the level on which the first violation was found
  // A file that is kept up to date while the search goes on, so that another can go on from there; empty: none. It is
  // written every so often, but for at most a tenth of the time, and where the search is stopped.
  std::string checkpoint;
  std::chrono::nanoseconds checkpoint_every = std::chrono::minutes(1);
  std::string resume;  // go on from this checkpoint; empty: from the beginning
  ExploreProgress* progress = nullptr;
  const std::atomic<bool>* stop = nullptr;
};

// Throws UserError for options that do not fit and for worlds that cannot be explored.
ExploreResult explore(const Scenario& scenario, const OptionTexts& scenario_options,
                      const ExploreOptions& options);

}  // namespace gainsay
