#include <gmock/gmock.h>

#include "systems/system_test.hpp"

namespace raft {
namespace {

using system_test::expect_clean;
using system_test::find_bug;

// 3 random runs of 100 are wrong. Missing it in 1,000 runs: 0.97^1000 = 6e-14.
TEST(Raft, DuplicateVotesElectTwoLeaders) {
  const auto found = find_bug("raft", {{"bug", "duplicate_votes"}}, 1'000);
  EXPECT_EQ(found.violation.property, "one leader in a term");
  EXPECT_THAT(found.violation.message, testing::StartsWith("more than one leader in term "));
}

// A majority of three is two: the second vote of one follower is not needed, but one's own vote and one more
// are. With four servers three votes are needed, and one follower can give two of them.
TEST(Raft, DuplicateVotesNeedAMajorityThatOneFollowerCanFake) {
  expect_clean("raft", {{"bug", "duplicate_votes"}, {"servers", "3"}}, 1'000);
  find_bug("raft", {{"bug", "duplicate_votes"}, {"servers", "4"}}, 1'000);
}

TEST(Raft, FixedFormElectsOneLeaderInATerm) {
  expect_clean("raft", {}, 1'000);
  for (const char* order : {"unordered", "fifo", "mailbox"}) expect_clean("raft", {{"order", order}}, 300);
}

TEST(Raft, FixedFormWorksWithOneServerOrNine) {
  expect_clean("raft", {{"servers", "1"}}, 200);
  expect_clean("raft", {{"servers", "9"}}, 50);
}

// Timers that flip more coins need more ticks to fire at all.
TEST(Raft, SlowerTimersHideTheBugButDoNotPreventIt) {
  for (const char* timers : {"v1", "v2"}) {
    const gainsay::OptionTexts options = {{"timers", timers}, {"ticks", "20"}, {"requests", "1"}};
    gainsay::OptionTexts buggy = options;
    buggy.emplace_back("bug", "duplicate_votes");
    find_bug("raft", buggy, 2'000);
    expect_clean("raft", options, 100);
  }
}

TEST(Raft, RandomRunsGoThroughTheWholeTableOfTheServer) {
  const auto result = system_test::hunt("raft", {}, {.strategy = "random", .runs = 1'000});
  for (const gainsay::MachineCoverage& machine : result.coverage) {
    if (machine.machine != "Server") continue;
    EXPECT_THAT(machine.states.never, testing::IsEmpty());
    EXPECT_THAT(machine.events.never, testing::IsEmpty());
    EXPECT_THAT(machine.transitions.never, testing::IsEmpty());
  }
  EXPECT_EQ(result.coverage.size(), 5U);
}

}  // namespace
}  // namespace raft
