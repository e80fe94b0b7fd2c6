#include <gmock/gmock.h>

#include "systems/system_test.hpp"

namespace multi_paxos {
namespace {

using system_test::expect_clean;
using system_test::find_bug;

constexpr std::uint64_t budget = 2'000;

TEST(MultiPaxos, SeededBugsAreFound) {
  for (const char* bug : {"minority", "stale_promises"}) {
    const auto found = find_bug("multi_paxos", {{"bug", bug}}, budget);
    EXPECT_EQ(found.violation.property, "agreement") << bug;
    EXPECT_THAT(found.violation.message, testing::HasSubstr("are both chosen in slot"));
  }
}

TEST(MultiPaxos, FixedFormAgrees) {
  expect_clean("multi_paxos", {}, system_test::long_tests() ? 50 * budget : 2 * budget);
  for (const char* order : {"unordered", "fifo", "mailbox"})
    expect_clean("multi_paxos", {{"order", order}}, budget);
  expect_clean("multi_paxos", {{"nodes", "5"}, {"updates", "4"}, {"timeouts", "8"}}, budget);
}

// Two of four who vote and three of four who promise have one in common, so this is no bug with four nodes.
TEST(MultiPaxos, HalfOfFourIsEnough) {
  expect_clean("multi_paxos", {{"bug", "minority"}, {"nodes", "4"}}, budget);
}

// With one try there is one ballot, and nothing to disagree with.
TEST(MultiPaxos, BugsNeedTwoBallots) {
  for (const char* bug : {"minority", "stale_promises"})
    expect_clean("multi_paxos", {{"bug", bug}, {"timeouts", "1"}}, budget);
}

}  // namespace
}  // namespace multi_paxos
