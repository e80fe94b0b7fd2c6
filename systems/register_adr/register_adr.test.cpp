#include <gmock/gmock.h>

#include "systems/ds2_harness/census_test.hpp"

namespace register_adr {
namespace {

using system_test::expect_clean;
using testing::HasSubstr;

// The write at one agent, the read there, the read at the other: of 20 executions one is wrong, the one in which
// both reads come after the write, each before the next event of it, the new value first.
TEST(RegisterAdr, OfTwoReadsTheLaterSeesTheOlderValue) {
  const auto counted = ds2::count_all("register_adr", {{"bug", "local_read"}});
  EXPECT_EQ(counted.result.runs, 20U);
  EXPECT_EQ(counted.wrong, 1U);
  const auto found = system_test::find_bug("register_adr", {{"bug", "local_read"}}, 500);
  EXPECT_THAT(found.violation.message, HasSubstr("not linearizable"));
}

TEST(RegisterAdr, FixedFormIsRight) {
  EXPECT_EQ(ds2::count_all("register_adr", {}).wrong, 0U);
  const auto counted = ds2::count_all("register_adr", {{"harness", "2r+2w"}});
  EXPECT_EQ(counted.result.runs, 369'600U);
  EXPECT_EQ(counted.result.distinct_traces, 11'512U);
  EXPECT_EQ(counted.wrong, 0U);
  expect_clean("register_adr", {{"harness", "3r+3w"}}, 500);
}

// Where agents differ for ever, even asking three times more does not help.
TEST(RegisterAdr, RetriesAnswerMoreReads) {
  const gainsay::HuntOptions how{.strategy = "random", .runs = 5'000};
  const auto off = ds2::count("register_adr", {}, how);
  const auto on = ds2::count("register_adr", {{"retries", "on"}}, how);
  EXPECT_LT(on.incomplete * 5, off.incomplete);
  EXPECT_EQ(on.wrong, 0U);
  expect_clean("register_adr", {{"retries", "on"}, {"harness", "2r+2w"}}, 2'000);
}

}  // namespace
}  // namespace register_adr
