#include "systems/open_chord/open_chord.hpp"

#include <gmock/gmock.h>

#include "systems/ds2_harness/census_test.hpp"

namespace open_chord {
namespace {

using system_test::expect_clean;
using system_test::find_bug;
using testing::HasSubstr;

TEST(OpenChord, IntervalsWrap) {
  EXPECT_TRUE(between(1, 2, 3));
  EXPECT_FALSE(between(1, 1, 3));
  EXPECT_FALSE(between(1, 3, 3));
  EXPECT_TRUE(between(3, 4, 1));
  EXPECT_TRUE(between(3, 0, 1));
  EXPECT_FALSE(between(3, 2, 1));
  EXPECT_FALSE(between(2, 2, 2));
  EXPECT_TRUE(between(2, 1, 2));
}

TEST(OpenChord, ANodeThatHasNotJoinedFindsNothing) {
  const auto found = find_bug("open_chord", {{"bug", "serves_before_join"}}, 1'000);
  EXPECT_THAT(found.violation.message, HasSubstr("not linearizable"));
}

TEST(OpenChord, FixedFormIsRight) {
  const auto counted = ds2::count_all("open_chord", {});
  EXPECT_EQ(counted.result.runs, 17'640U);
  EXPECT_EQ(counted.result.distinct_traces, 720U);
  EXPECT_EQ(counted.incomplete, 0U);
  EXPECT_EQ(counted.wrong, 0U);
  expect_clean("open_chord", {{"harness", "2r+2w"}}, 2'000);
  expect_clean("open_chord", {{"harness", "4r+2w"}}, 500);
}

TEST(OpenChord, FixedFormOfFourOperationsIsRightInEveryClass) {
  if (!system_test::long_tests()) GTEST_SKIP() << "GAINSAY_LONG=1 asks for it";
  const auto counted = ds2::count("open_chord", {{"harness", "2r+2w"}}, {.strategy = "sdpor"});
  EXPECT_TRUE(counted.result.complete);
  EXPECT_EQ(counted.wrong, 0U);
}

TEST(OpenChord, AllExecutionsOfFourOperations) {
  if (!system_test::long_tests()) GTEST_SKIP() << "GAINSAY_LONG=1 asks for it";
  const auto counted = ds2::count_all("open_chord", {{"bug", "serves_before_join"}, {"harness", "2r+2w"}});
  EXPECT_EQ(counted.result.runs, 1'672'440U);
  EXPECT_EQ(counted.result.distinct_traces, 22'890U);
  EXPECT_EQ(counted.unique, 7'420U);
  EXPECT_EQ(counted.wrong, 572U);
  EXPECT_EQ(counted.precedence.size(), 432U);
  EXPECT_EQ(counted.wrong_precedence.size(), 91U);
}

}  // namespace
}  // namespace open_chord
