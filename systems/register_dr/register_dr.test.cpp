#include <gmock/gmock.h>

#include "systems/ds2_harness/census_test.hpp"

namespace register_dr {
namespace {

using system_test::expect_clean;
using system_test::find_bug;
using testing::HasSubstr;

TEST(RegisterDr, FixedFormIsRight) {
  EXPECT_EQ(ds2::count_all("register_dr", {}).wrong, 0U);
  expect_clean("register_dr", {{"harness", "2r+2w"}}, 2'000);
  expect_clean("register_dr", {{"harness", "3r+3w"}}, 500);
}

TEST(RegisterDr, AForwardedWriteIsNeverAnswered) {
  const auto found = find_bug("register_dr", {{"bug", "forwarded_write"}, {"harness", "2r+2w"}}, 1);
  EXPECT_EQ(found.violation.property, "every write is answered");
  EXPECT_THAT(found.violation.message, HasSubstr("still owes"));
  // So no history is complete, and what clients saw is never wrong.
  const auto counted =
      ds2::count("register_dr", {{"bug", "forwarded_write"}, {"harness", "2r+2w"}}, {.runs = 1'000});
  EXPECT_EQ(counted.incomplete, 1'000U);
  EXPECT_EQ(counted.wrong, 0U);
}

// Its write goes to the leader.
TEST(RegisterDr, TheSmallHarnessForwardsNoWrite) {
  EXPECT_EQ(system_test::search_all("register_dr", {{"bug", "forwarded_write"}}).buggy_runs, 0U);
}

// Three chains of three, four and four events, and one of three: 14! / (3! 4! 3! 4!).
TEST(RegisterDr, AllExecutionsOfFourOperations) {
  if (!system_test::long_tests()) GTEST_SKIP() << "GAINSAY_LONG=1 asks for it";
  const auto counted = ds2::count_all("register_dr", {{"harness", "2r+2w"}});
  EXPECT_EQ(counted.result.runs, 4'204'200U);
  EXPECT_EQ(counted.result.distinct_traces, 123'076U);
  EXPECT_EQ(counted.wrong, 0U);
}

}  // namespace
}  // namespace register_dr
