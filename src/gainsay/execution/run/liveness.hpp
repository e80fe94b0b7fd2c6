// Liveness: whether a monitor that is hot will ever be cold again, as far as one execution can tell.
//
// Two of the three ways (the third, a monitor that is hot where nothing can happen any more, is the Judge's):
//   - a lasso (execution/run/lasso.hpp): a proof. Looked for once a monitor has been hot for some steps, in worlds that
//     have a fingerprint, under any strategy: the fairness is the loop's own.
//   - temperature: the monitor has been hot for a threshold of steps of a fair schedule. A suspicion: a higher
//     threshold may cool it. Steps before the schedule is fair do not count.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "gainsay/execution/run/lasso.hpp"
#include "gainsay/execution/world/world_hash.hpp"

namespace gainsay {

struct LivenessOptions {
  bool watch = true;
  std::size_t temperature = 0;    // 0: half of the step bound
  std::size_t lasso_after = 200;  // hot steps before loops are looked for
  // A recorded violation: only this one is looked for, where it was.
  std::optional<Violation> expected;
};

class Liveness {
 public:
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  // What the execution knows.
  struct Run {
    const WorldState& world;
    const WorldReader& reader;
    std::size_t steps;
    bool fair;                                                // from here on
    std::function<std::span<const std::uint64_t>()> enabled;  // classes of the ordinary events
    LassoWatch::StepDone done;
    std::function<std::vector<Decision>()> decisions;
  };

  Liveness(Kernel& kernel, Network& network, LivenessOptions options, std::size_t steps_max);

  // A run begins, or goes on from a world that is_fresh.
  void begin(const WorldState& world, bool fair);
  // Whether nothing that was noticed before this world matters after it, so that an execution may go on from a copy
  // of it as if it had been executed from its beginning.
  bool is_fresh(const WorldState& world, std::size_t steps) const;
  // Monitors were notified.
  void feel(const WorldState& world);
  // The number of steps from which on `look` is to be called before every step.
  std::size_t due() const { return due_; }
  std::optional<Violation> look(const Run& run);

  std::uint64_t class_of(EnvelopeId id) { return hash_.class_of(id); }
  void forget();

 private:
  std::optional<Violation> look_for_expected(const Run& run, std::uint32_t since);
  std::optional<Violation> look_at_temperature(const Run& run, std::uint32_t since);
  std::optional<Violation> look_for_loop(const Run& run, std::uint32_t since);
  std::optional<Violation> loop_violation(const Run& run, std::uint32_t from);
  std::uint32_t hottest(const WorldState& world) const;
  ActorId hot_monitor(const WorldState& world, std::uint32_t since) const;

  const Kernel& kernel_;
  LivenessOptions options_;
  bool any_;
  bool abstract_;
  WorldHash hash_;
  LassoWatch watch_;
  std::size_t looked_ = never;  // for loops, after so many steps
  bool given_up_ = false;       // on loops, until a step goes by without looking
  unsigned unfounded_ = 0;      // loops since then that could not be repeated
  std::size_t due_ = never;
  std::uint32_t fair_since_ = no_step;
};

}  // namespace gainsay
