// Happens-before of one execution: vector clocks from recorded parents, computed when somebody asks.
//
// e happens before f if e caused f (it created the message or timer that f consumed), if both happened at one
// actor in this order, or by transitivity. Partition and heal stand in the sequence of every actor.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gainsay/trace/trace.hpp"

namespace gainsay {

class HappensBefore {
 public:
  explicit HappensBefore(std::span<const Step> steps);

  // Whether step i happens before step j. Irreflexive.
  bool before(std::size_t i, std::size_t j) const;
  bool concurrent(std::size_t i, std::size_t j) const { return i != j && !before(i, j) && !before(j, i); }
  std::size_t size() const { return actor_of_.size(); }

  // The clock of step i: how many events of each actor (column) are in its past or are itself.
  std::span<const std::uint32_t> clock(std::size_t i) const;

 private:
  std::size_t width_ = 0;
  std::vector<std::uint32_t>
      actor_of_;  // column of each step; `width_ - 1` is the column of faults without an actor
  std::vector<std::uint32_t> position_;  // the step's number within its column, from 1
  std::vector<std::uint32_t> clocks_;    // width_ entries per step
};

}  // namespace gainsay
