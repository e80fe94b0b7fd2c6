#include <gmock/gmock.h>

#include "systems/ds2_harness/census_test.hpp"

namespace multi_paxos_map {
namespace {

using system_test::expect_clean;
using system_test::find_bug;
using testing::HasSubstr;

TEST(MultiPaxosMap, AReadThatAsksNobodyIsStale) {
  const auto found = find_bug("multi_paxos_map", {{"bug", "local_read"}}, 1'000);
  EXPECT_THAT(found.violation.message, HasSubstr("not linearizable"));
}

TEST(MultiPaxosMap, FixedFormIsRight) {
  expect_clean("multi_paxos_map", {}, 20'000);
  expect_clean("multi_paxos_map", {{"harness", "2r+2w"}}, 2'000);
  expect_clean("multi_paxos_map", {{"harness", "3r+3w"}}, 500);
}

// The leader outbids its own instances, and yet every operation is answered.
TEST(MultiPaxosMap, RetriesComeToAnEnd) {
  const auto counted =
      ds2::count("multi_paxos_map", {{"harness", "2r+2w"}}, {.strategy = "random", .runs = 5'000});
  EXPECT_EQ(counted.incomplete, 0U);
  EXPECT_GT(counted.result.steps_max_seen, 26U);  // without retries there are 20 + 6 events
}

// The write: 10 events, of which 36 orders are possible; each read: a chain of 3. 16! / (10! 3! 3!) * 36.
TEST(MultiPaxosMap, AllExecutions) {
  if (!system_test::long_tests()) GTEST_SKIP() << "GAINSAY_LONG=1 asks for it";
  const auto counted = ds2::count_all("multi_paxos_map", {});
  EXPECT_EQ(counted.result.runs, 5'765'760U);
  EXPECT_EQ(counted.result.distinct_traces, 71'280U);
  EXPECT_EQ(counted.wrong, 0U);
}

}  // namespace
}  // namespace multi_paxos_map
