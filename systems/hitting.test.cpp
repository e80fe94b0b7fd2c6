// hitting on bundled systems: what a family promises, it finds.
#include <gmock/gmock.h>

#include "systems/system_test.hpp"

namespace hitting_test {
namespace {

using gainsay::HuntResult;
using gainsay::OptionTexts;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

HuntResult hunt(const std::string& scenario, const OptionTexts& options, std::uint64_t depth,
                std::uint64_t runs, unsigned jobs = 1, bool keep_going = true) {
  return system_test::hunt(
      scenario, options,
      {.strategy = "hitting", .depth = depth, .runs = runs, .jobs = jobs, .keep_going = keep_going});
}

// Both bugs of ctstore are orders of four events of 12 and of 14; nothing but causes orders these events, so
// every schedule is followed, and one of them must show the bug, whatever the first run was. A family for d =
// 4 has at most 2 * 14 * 13 = 364 schedules.
TEST(HittingOnSystems, FindsOrdersOfFourEventsWithCertainty) {
  for (const char* bug : {"untagged", "stolen_tag"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const HuntResult result = system_test::hunt(
          "ctstore", {{"bug", bug}},
          {.strategy = "hitting", .depth = 4, .runs = 365, .seed = seed, .keep_going = true});
      EXPECT_GT(result.buggy_runs, 0U) << bug << " " << seed;
      EXPECT_THAT(result.guarantee.statement, HasSubstr("every order of 4 of the 1"));
      EXPECT_THAT(result.guarantee.voids, Not(Contains(HasSubstr("could not be followed"))));
    }
  }
}

// flush -> log is a pair, flush -> log -> flushed a triple: five events, at most 2 and 2 * 5 schedules.
TEST(HittingOnSystems, FindsTheFlushRaces) {
  EXPECT_GT(hunt("flush_race", {{"bug", "overtake"}}, 2, 3).buggy_runs, 0U);
  EXPECT_GT(hunt("flush_race", {{"bug", "sandwich"}}, 3, 11).buggy_runs, 0U);
}

// The flush waits for the log: a gate is not part of the known order, so some schedule cannot be followed,
// and this is said.
TEST(HittingOnSystems, SaysWhatCouldNotBeFollowed) {
  const HuntResult result = hunt("flush_race", {}, 2, 3);
  EXPECT_EQ(result.buggy_runs, 0U);
  EXPECT_THAT(result.guarantee.voids, Contains(HasSubstr("could not be followed to the end")));
  EXPECT_FALSE(result.guarantee.per_run);
}

TEST(HittingOnSystems, DoesNotDependOnTheNumberOfJobs) {
  for (const bool keep_going : {false, true}) {
    const HuntResult one = hunt("ctstore", {{"bug", "untagged"}}, 3, 200, 1, keep_going);
    const HuntResult two = hunt("ctstore", {{"bug", "untagged"}}, 3, 200, 2, keep_going);
    EXPECT_EQ(one.runs, two.runs);
    EXPECT_EQ(one.buggy_runs, two.buggy_runs);
    EXPECT_EQ(one.first_bug_run, two.first_bug_run);
    EXPECT_EQ(one.steps, two.steps);
    EXPECT_EQ(one.guarantee.statement, two.guarantee.statement);
  }
}

// Crashes, timers, starts and answers to questions are followed as far as they go; fixed forms stay right.
TEST(HittingOnSystems, WorksOnEverySystem) {
  for (const gainsay::Scenario* scenario : gainsay::scenarios()) {
    if (scenario->name() == "libraft") continue;  // the library as it was shipped: it has no fixed form
    for (const std::uint64_t depth : {1, 2, 3}) {
      const HuntResult result =
          gainsay::hunt(*scenario, {}, {.strategy = "hitting", .depth = depth, .runs = 40});
      EXPECT_EQ(result.runs, 40U) << scenario->name();
      EXPECT_EQ(result.buggy_runs, 0U) << scenario->name();
    }
  }
}

}  // namespace
}  // namespace hitting_test
