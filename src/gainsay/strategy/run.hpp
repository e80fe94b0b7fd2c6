// What a strategy and its runner tell each other about one run: where it begins, what it is, how it ended.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gainsay/strategy/world_traits.hpp"

namespace gainsay {

// The part of the previous execution that the next one begins with.
struct Keep {
  std::size_t steps = 0;  // complete steps
  // Decisions of the step after them: 0 none, 1 its event, 1 + j its event and j data choices.
  std::size_t decisions = 0;
};

struct RunInfo {
  std::uint64_t index = 0;  // number of the run in the campaign
  std::uint64_t seed = 0;   // of the campaign
  std::size_t steps_max = 0;
  bool scout =
      false;  // a run before the campaign: strategies learn from it how long executions are; it is not counted
  WorldTraits world{};
};

// How an execution ended.
enum class Ending : std::uint8_t {
  quiescent,  // nothing left to do
  violated,
  step_bound,   // cut
  interrupted,  // stopped from outside; says nothing
  blocked,      // what could follow has been seen: by a reduction, or by a search that came back to a world
};

struct RunEnd {
  Ending ending = Ending::quiescent;
  std::size_t steps = 0;
  bool fair_suffix = false;  // from some step on a fair strategy chose, not this one
};

}  // namespace gainsay
