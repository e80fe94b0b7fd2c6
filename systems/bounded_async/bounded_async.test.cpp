#include "systems/system_test.hpp"

namespace bounded_async {
namespace {

using system_test::expect_clean;
using system_test::expect_states;
using system_test::find_bug;
using system_test::search_all;
using system_test::shortest_violation;

// 98 random runs of 100 are wrong. Missing it in 20 runs: 0.02^20 = 1e-34.
TEST(BoundedAsync, EarlyReleaseIsFoundAtOnce) { find_bug("bounded_async", {{"bug", "early_release"}}, 20); }

TEST(BoundedAsync, EarlyReleaseIsFoundInBiggerRings) {
  find_bug("bounded_async", {{"bug", "early_release"}, {"processes", "8"}, {"rounds", "10"}}, 20);
}

TEST(BoundedAsync, FixedFormStaysTogetherUnderCausalAndMailboxDelivery) {
  for (const char* order : {"causal", "mailbox"}) {
    expect_clean("bounded_async", {{"order", order}}, 2'000);
    expect_clean("bounded_async", {{"order", order}, {"processes", "8"}, {"rounds", "10"}}, 100);
  }
}

// Two processes, one round. Each start precedes its request: 4!/(2! 2!) = 6 orders. The release of 0 is sent
// before that of 1, so the two counts that 1 sends to 0 (in order) wait for the release of 0; those that 0
// sends to 1 need not wait for the release of 1. If 1 is released first: then 0, then two pairs, 4!/(2! 2!) =
// 6 orders. If 0 is released first: the release of 1 comes before, between or after the counts to 1, and the
// counts to 0 follow it: 6 + 3 + 1 orders.
TEST(BoundedAsync, FixedFormIsRightInAllExecutionsOfTwo) {
  const auto one_round = search_all("bounded_async", {{"processes", "2"}, {"rounds", "1"}});
  EXPECT_EQ(one_round.runs, 6U * (6U + 10U));
  EXPECT_EQ(one_round.buggy_runs, 0U);
  const auto two_rounds = search_all("bounded_async", {{"processes", "2"}, {"rounds", "2"}});
  EXPECT_EQ(two_rounds.buggy_runs, 0U);
}

TEST(BoundedAsync, FixedFormIsRightInAllStates) {
  expect_states("bounded_async", {{"processes", "2"}, {"rounds", "2"}}, 70, 142);
  expect_states("bounded_async", {}, 2'214, 8'638);
  expect_states("bounded_async", {{"order", "mailbox"}}, 2'066, 5'691);
}

// Two requests release round 1 (2 starts, 2 requests); the quick process counts and asks again, the third
// process asks as well (1 release, 1 start, 2 requests), which releases round 2; the quick one counts again
// (1), a neighbour counts for the first time and says so (2).
TEST(BoundedAsync, TheShortestWayToEarlyRelease) {
  EXPECT_EQ(shortest_violation("bounded_async", {{"bug", "early_release"}}).steps.size(), 11U);
}

// Not a bug of the program: the neighbour's count and the scheduler's release come from different senders,
// and only these orders let the release of the next round overtake. 7 random runs of 10; missing it in 30
// runs: 0.3^30 = 2e-16.
TEST(BoundedAsync, FixedFormNeedsMoreThanFifo) {
  for (const char* order : {"unordered", "fifo"}) {
    const auto found = find_bug("bounded_async", {{"order", order}}, 30);
    EXPECT_EQ(found.violation.property, "check");
  }
}

}  // namespace
}  // namespace bounded_async
