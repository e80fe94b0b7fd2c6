#include "systems/chronos/chronos.hpp"

#include "systems/nemesis_test.hpp"

namespace chronos {
namespace {

using nemesis_test::expect_share;
using nemesis_test::shrunk_steps;
using nemesis_test::unsettled;

// The scheduler's leader n1 must be split from Zookeeper on n5: 2^3 of 15 partitions, 2 * 3 of the 10 balanced ones,
// one of the three by bits.
TEST(Chronos, JobsAreLostWheneverTheLeadersAreSplit) {
  expect_share("chronos", {{"bug", "new_framework"}}, {}, 8.0 / 15, 5'000);
  expect_share("chronos", {{"bug", "new_framework"}, {"family", "balanced"}}, {}, 6.0 / 10, 5'000);
  expect_share("chronos", {{"bug", "new_framework"}, {"family", "covering"}}, {}, 1.0 / 3, 5'000);
}

// In turn, three runs make all three partitions.
TEST(Chronos, ThreePartitionsInTurnAreEnough) {
  const auto result = nemesis_test::hunt("chronos", {{"bug", "new_framework"}, {"family", "covering"}},
                                         {{"draw", "turn"}}, 300, true);
  EXPECT_EQ(result.buggy_runs, 100U);
  ASSERT_TRUE(result.first_bug_run);
  EXPECT_LT(*result.first_bug_run, 3U);
}

// Nobody notices the cut before it is healed.
TEST(Chronos, UnsettledCutsShowNothing) {
  expect_share("chronos", {{"bug", "new_framework"}}, unsettled, 0, 5'000);
}

TEST(Chronos, TheSmallestExecutionIsTheFigure) {
  // A cut, two ticks of Zookeeper, another scheduler, which registers anew and launches a job.
  EXPECT_LE(shrunk_steps("chronos", {{"bug", "new_framework"}}, {}), 29U);
}

TEST(Chronos, FixedFormIsRight) {
  nemesis_test::expect_clean("chronos", {}, {}, 5'000);
  nemesis_test::expect_clean("chronos", {{"rounds", "3"}, {"jobs", "4"}, {"ticks", "400"}},
                             {{"operations", "1"}}, 500);
  const auto random = system_test::hunt("chronos", {{"jobs", "2"}}, {.strategy = "random", .runs = 3'000});
  EXPECT_EQ(random.buggy_runs, 0U);
}

}  // namespace
}  // namespace chronos
