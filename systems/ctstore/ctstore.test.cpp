#include "systems/system_test.hpp"

namespace ctstore {
namespace {

using system_test::expect_clean;
using system_test::expect_share;
using system_test::find_bug;
using system_test::search_all;

// The insertion has 5 events (begin, p, its reply, c, its reply), the deletion 7; nothing orders the two, so
// there are C(12, 5) = 792 executions. Wrong are those with p of the insertion before p of the deletion, and
// c of the deletion before c of the insertion. A program that goes over all interleavings
// of two such lists counts 160.
TEST(CtStore, AllExecutionsOfTheUntaggedInsertionAreKnown) {
  const auto result = search_all("ctstore", {{"bug", "untagged"}});
  EXPECT_EQ(result.runs, 792U);
  EXPECT_EQ(result.buggy_runs, 160U);
}

// 7 events each: C(14, 7) = 3432 executions. Wrong are those with t of the deletion before t of the insertion
// and p of the insertion before p of the deletion, wherever the insertion's c stands: 518.
TEST(CtStore, AllExecutionsOfTheStolenTagAreKnown) {
  const auto result = search_all("ctstore", {{"bug", "stolen_tag"}});
  EXPECT_EQ(result.runs, 3432U);
  EXPECT_EQ(result.buggy_runs, 518U);
}

// A fair coin decides between the two operations while both go on. Weighing each of those executions by 1/2
// for every step at which both could go on gives 15/128 and 1/8.
TEST(CtStore, RandomRunsAreWrongAsOftenAsCoinsSay) {
  expect_share("ctstore", "untagged", 15.0 / 128);
  expect_share("ctstore", "stolen_tag", 1.0 / 8);
}

// Missing either in 250 runs: (7/8)^250 = 3e-15 and (113/128)^250 = 3e-14.
TEST(CtStore, SeededBugsAreFoundAtOnce) {
  for (const char* bug : {"untagged", "stolen_tag"}) {
    const auto found = find_bug("ctstore", {{"bug", bug}}, 250);
    EXPECT_EQ(found.violation.property, "what is in the cache is in the store");
  }
}

TEST(CtStore, FixedFormIsRightInAllExecutions) {
  const auto fixed = search_all("ctstore", {});
  EXPECT_EQ(fixed.runs, 3432U);
  EXPECT_EQ(fixed.buggy_runs, 0U);
  expect_clean("ctstore", {}, 2'000);
}

}  // namespace
}  // namespace ctstore
