// FairRounds: how often everything that could happen had its turn.
//
// A round ends when every class of events (WorldHash::class_of) that was possible at its beginning has been executed,
// or has been impossible for a moment. So rounds, unlike steps, do not depend on how many events compete: if what cools
// a monitor is a chain of n events, each of which stays possible until it is executed, then every round executes the
// next one, and the monitor is cold after n rounds under any schedule. That is why a threshold of n rounds never
// suspects such a system. Where chance decides, and every round cools the monitor with a probability of p or more
// whatever happened before, n rounds pass with a probability of at most (1 - p)^n.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gainsay/execution/world/world_state.hpp"

namespace gainsay {

class FairRounds {
 public:
  // Counting begins in the world after so many steps.
  void begin(std::uint32_t steps, std::size_t conditions, std::span<const std::uint64_t> enabled);
  // The next world: `executed` led to it (0: nothing that anybody is obliged to do). Conditions are rows of the world's
  // heat.
  void note(std::uint64_t executed, std::span<const std::uint64_t> enabled, std::span<const HeatSpan> heat,
            std::uint32_t steps);

  // Complete rounds, one after the other until now, in each of which the condition was hot and never cold.
  std::uint64_t hot_rounds(std::size_t condition) const { return hot_rounds_[condition]; }
  // The world in which the first of them began.
  std::uint32_t hot_from(std::size_t condition) const { return hot_from_[condition]; }

 private:
  void begin_round(std::uint32_t steps, std::span<const std::uint64_t> enabled);

  std::uint32_t began_ = 0;          // this round, after so many steps
  std::vector<std::uint64_t> owed_;  // classes that have not had their turn in it; sorted, each once
  std::vector<std::uint64_t> hot_rounds_;
  std::vector<std::uint32_t> hot_from_;
};

}  // namespace gainsay
