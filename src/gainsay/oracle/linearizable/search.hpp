// The two searches for a linearization. Both can be paused and go on; both are complete.
//
// DepthFirst: Wing and Gong 1993 with Lowe's memory of configurations (Lowe 2017, "Testing for linearizability"):
// place one operation after the other, the one that returns first before others; never enter a configuration
// twice. Finds an order fast where there is one.
//
// JustInTime: Lowe's just-in-time linearization as a breadth-first search: all configurations in which the first
// k returns are accounted for, then k + 1. Uses few crashed operations before many, so that dominance prunes
// best, and forgets configurations once their return has passed. Better where there is no order, or where many
// operations crashed.
//
// What both leave behind when there is no order (or when time is short) are attempts: orders that account for as
// many returns as possible.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "gainsay/base/budget.hpp"
#include "gainsay/oracle/linearizable/position.hpp"

namespace gainsay::linearizable {

enum class SearchOutcome : std::uint8_t {
  found,
  none,    // there is no order
  paused,  // the steps of this call are used up
  no_time,
  no_memory,
  broken,  // the state space is
};

// An order that got as far as the base.
struct Reached {
  std::uint32_t base = 0;
  std::uint32_t state = 0;
  std::vector<std::uint32_t> order;         // as Moves describes it
  std::vector<std::uint64_t> placed_words;  // the bits and counts there
};

inline constexpr std::size_t attempts_max = 8;

class Search {
 public:
  virtual ~Search() = default;
  // Goes on for about so many steps.
  virtual SearchOutcome run(std::uint64_t steps) = 0;
  // After `found`: the whole order.
  virtual std::vector<std::uint32_t> order() const = 0;
  // Otherwise: the furthest ones so far, with different states.
  virtual std::vector<Reached> furthest() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

std::unique_ptr<Search> depth_first(const Problem& problem, StateSpace& space, const Budget& budget);
std::unique_ptr<Search> just_in_time(const Problem& problem, StateSpace& space, const Budget& budget);

// An order in terms of the history: which operations, in which order.
std::vector<std::size_t> operations_of(const Problem& problem, const std::vector<std::uint32_t>& order);

}  // namespace gainsay::linearizable
