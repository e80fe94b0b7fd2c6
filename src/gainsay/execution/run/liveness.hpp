// Liveness: whether a condition that is hot (scenario/blueprint.hpp: LivenessCondition) will ever be cold again, as far
// as one execution can tell.
//
// Two of the three ways (the third, a condition that is hot where nothing can happen any more, is the Judge's):
//   - a lasso (execution/run/lasso.hpp): a proof. Looked for once a condition has been hot for some steps, in worlds
//     that have a fingerprint, under any strategy: the fairness is the loop's own.
//   - temperature: the condition was hot in each of a number of fair rounds (fair_rounds.hpp), one after the other,
//     and never cold. A suspicion: a higher threshold may cool it. Rounds count only while the schedule is fair.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "gainsay/execution/run/fair_rounds.hpp"
#include "gainsay/execution/run/lasso.hpp"
#include "gainsay/execution/world/world_hash.hpp"

namespace gainsay {

struct LivenessOptions {
  // If every round cools a condition with a probability of one in ten or more, 100 rounds pass without it once in
  // 1 / 0.9^100 = 37,649 times.
  static constexpr std::size_t default_temperature = 100;

  bool watch = true;
  std::size_t temperature = 0;    // fair rounds; 0: the default
  std::size_t lasso_after = 200;  // steps since a condition was cold before anything is looked for
  FairnessKind fairness = FairnessKind::weak;
  // A recorded violation: only this one is looked for, where it was.
  std::optional<Violation> expected;
};

class Liveness {
 public:
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
  // A search that may leave out what it has seen ends an execution that is in one world for so many times: whatever can
  // happen from there could happen the first time. Loops that go through a world once more on their way are seen.
  static constexpr std::uint32_t most_visits = 3;

  // What the execution knows.
  struct Run {
    const WorldState& world;
    const WorldReader& reader;
    std::size_t steps;
    bool fair;  // from here on
    // Classes of what is possible and obliged to happen; and keys, as the kind of fairness asks for them.
    std::function<std::span<const std::uint64_t>()> enabled;
    std::function<std::span<const std::uint64_t>()> keys;
    LassoWatch::StepDone done;
    std::function<std::vector<Decision>()> decisions;
  };

  Liveness(Kernel& kernel, Network& network, LivenessOptions options, std::size_t steps_max);

  // A run begins, or goes on after so many steps from a world that is_fresh. `search`: it is one that may leave out
  // executions that only come back to where they were.
  void begin(const WorldState& world, std::size_t steps, bool search);
  // Whether nothing that was noticed before this world matters after it, or all of it is still known, so that an
  // execution may go on from a copy of it as if it had been executed from its beginning.
  bool is_fresh(const WorldState& world, std::size_t steps) const;
  // The heat of a condition has changed.
  void feel(const WorldState& world);
  // The number of steps from which on `look` is to be called before every step.
  std::size_t due() const { return due_; }
  std::optional<Violation> look(const Run& run);
  // After a look: whether a search may end the execution here.
  bool goes_round() const { return goes_round_; }

  FairnessKind fairness() const { return fairness_; }
  std::uint64_t class_of(EnvelopeId id) { return hash_.class_of(id); }
  void forget();

 private:
  std::optional<Violation> look_for_expected(const Run& run);
  std::optional<Violation> look_at_temperature(const Run& run);
  std::optional<Violation> look_for_loop(const Run& run, std::uint32_t since);
  std::optional<Violation> loop_violation(const Run& run, std::uint32_t from);
  Violation suspicion(const Run& run, const LivenessCondition& condition) const;
  void count_rounds(const Run& run);
  std::uint32_t earliest(const WorldState& world) const;
  const LivenessCondition* condition_from(const WorldState& world, std::uint32_t from) const;
  std::size_t lasso_after() const { return search_ ? 0 : options_.lasso_after; }

  const Kernel& kernel_;
  LivenessOptions options_;
  FairnessKind fairness_;
  std::vector<LivenessCondition> conditions_;  // empty: nothing is looked for
  bool abstract_;
  bool may_leave_out_;  // what is no part of a world does not matter
  bool search_ = false;
  bool goes_round_ = false;
  WorldHash hash_;
  LassoWatch watch_;
  FairRounds rounds_;
  std::size_t counted_ = never;  // rounds, up to the world after so many steps
  std::size_t looked_ = never;   // for loops, after so many steps
  bool given_up_ = false;        // on loops, until a step goes by without looking
  unsigned unfounded_ = 0;       // loops since then that could not be repeated
  std::size_t due_ = never;
};

}  // namespace gainsay
