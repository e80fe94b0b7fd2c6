#include <gmock/gmock.h>

#include "systems/ds2_harness/census_test.hpp"

namespace register_edr {
namespace {

using system_test::expect_clean;
using system_test::find_bug;
using testing::HasSubstr;

TEST(RegisterEdr, AStaleReadIsFound) {
  const auto found = find_bug("register_edr", {{"bug", "local_read"}}, 200);
  EXPECT_EQ(found.violation.property, "linearizable");
  EXPECT_THAT(found.violation.message, HasSubstr("not linearizable"));
}

TEST(RegisterEdr, FixedFormIsRight) {
  const auto counted = ds2::count_all("register_edr", {});
  EXPECT_EQ(counted.result.runs, 235'736U);
  EXPECT_EQ(counted.result.distinct_traces, 492U);
  EXPECT_EQ(counted.incomplete, 0U);
  EXPECT_EQ(counted.wrong, 0U);
  expect_clean("register_edr", {{"harness", "2r+2w"}}, 2'000);
}

// With three agents every quorum of these harnesses has the leader in it or hears from one that has heard from it;
// with five, a read must leave what it saw with a majority.
TEST(RegisterEdr, FixedFormOfFiveAgentsIsRight) {
  const auto result =
      system_test::hunt("register_edr", {{"agents", "5"}}, {.strategy = "portfolio", .runs = 20'000});
  EXPECT_EQ(result.buggy_runs, 0U);
  expect_clean("register_edr", {{"agents", "5"}, {"harness", "3r+2w"}}, 2'000);
}

TEST(RegisterEdr, FixedFormOfFourOperationsIsRightInEveryClass) {
  if (!system_test::long_tests()) GTEST_SKIP() << "GAINSAY_LONG=1 asks for it";
  const auto counted = ds2::count("register_edr", {{"harness", "2r+2w"}}, {.strategy = "sdpor"});
  EXPECT_TRUE(counted.result.complete);
  EXPECT_EQ(counted.wrong, 0U);
}

TEST(RegisterEdr, AllExecutionsOfFourOperations) {
  if (!system_test::long_tests()) GTEST_SKIP() << "GAINSAY_LONG=1 asks for it";
  const auto counted = ds2::count_all("register_edr", {{"bug", "local_read"}, {"harness", "2r+2w"}});
  EXPECT_EQ(counted.result.runs, 1'197'504U);
  EXPECT_EQ(counted.result.distinct_traces, 2'232U);
  EXPECT_EQ(counted.unique, 944U);
  EXPECT_EQ(counted.wrong, 420U);
  EXPECT_EQ(counted.precedence.size(), 562U);
  EXPECT_EQ(counted.wrong_precedence.size(), 272U);
}

}  // namespace
}  // namespace register_edr
