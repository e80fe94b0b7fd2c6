// Reach: which goals each test meets, and what random tests meet between them. Theorem 3.1 of Niksic's thesis (2018),
// exactly instead of by the union bound, and in reverse: what the tests that were made have met.
//
// The chance that N independent tests meet all of m goals is, by inclusion and exclusion over the sets A of goals that
// are missed, the sum of (-1)^|A| (chance that a test meets nothing of A)^N: 2^m terms, so at most `goals_max` goals.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gainsay/family/partitions/goal.hpp"

namespace gainsay::family {

// An intersecting partition has a bridge; others have none.
struct CutTest {
  Partition partition;
  std::optional<std::uint32_t> bridge{};

  friend bool operator==(const CutTest&, const CutTest&) = default;
};
using CutTests = std::vector<CutTest>;
CutTests tests_of(const PartitionFamily& family);
// Every 3-partition with each of its blocks as the bridge.
CutTests bridged_tests(const PartitionFamily& family);

// What tests have met so far, counted one by one.
struct Counted {
  std::uint64_t goals = 0;
  std::uint64_t met = 0;
  std::uint64_t least = 0;       // times that the goal which was met least was met
  std::optional<Goal> missed{};  // the first that no test met

  bool all() const { return met == goals; }
};
Counted count_met(const std::vector<Goal>& goals, const CutTests& tests);

class Reach {
 public:
  static constexpr std::size_t goals_max = 20;

  // Tests that are equally likely; each is the set of goals that it meets, bit by bit. What else a test needs to do
  // what it should (the right operations) comes together with probability `also`, independently.
  // REQUIRES: goals <= goals_max, masks not empty.
  Reach(std::size_t goals, const std::vector<std::uint32_t>& masks, double also = 1);

  double chance_of(std::size_t goal) const;         // that one test meets it
  double all_met_after(std::uint64_t tests) const;  // that all goals have been met
  // Tests for that probability; none: some goal is never met.
  std::optional<std::uint64_t> tests_for(double confidence) const;

 private:
  std::size_t goals_;
  std::vector<double> misses_;  // by set of goals: the chance that a test meets none of them
};

// The sets of goals that tests meet. REQUIRES: at most Reach::goals_max goals.
std::vector<std::uint32_t> masks_of(const std::vector<Goal>& goals, const CutTests& tests);

}  // namespace gainsay::family
