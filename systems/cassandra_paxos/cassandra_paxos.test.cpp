#include <gmock/gmock.h>

#include "systems/system_test.hpp"

namespace cassandra_paxos {
namespace {

using system_test::expect_clean;
using system_test::hunt;

constexpr std::uint64_t budget = 20'000;

TEST(CassandraPaxos, SeededBugsAreFound) {
  for (const char* bug : {"shared_ballot", "partial_retry"}) {
    const auto result = hunt("cassandra_paxos", {{"bug", bug}}, {.strategy = "portfolio", .runs = budget});
    ASSERT_EQ(result.violations.size(), 1U) << bug;
    EXPECT_EQ(result.violations[0].violation.property, "a transaction takes effect once");
    EXPECT_THAT(result.violations[0].violation.message, testing::HasSubstr("takes effect twice"));
  }
}

// One transaction has nobody to be between, and two have too few ballots for it: whoever replays the first one
// knows that it was committed before the second.
TEST(CassandraPaxos, TheSharedBallotNeedsThreeTransactions) {
  for (const char* clients : {"1", "2"})
    expect_clean("cassandra_paxos", {{"bug", "shared_ballot"}, {"clients", clients}, {"attempts", "2"}},
                 5'000);
}

TEST(CassandraPaxos, FixedFormAppliesEveryTransactionOnce) {
  expect_clean("cassandra_paxos", {}, system_test::long_tests() ? 10 * budget : budget / 4);
  for (const char* order : {"unordered", "causal", "mailbox"})
    expect_clean("cassandra_paxos", {{"order", order}}, 2'000);
  expect_clean("cassandra_paxos", {{"replicas", "5"}, {"clients", "4"}}, 1'000);
}

}  // namespace
}  // namespace cassandra_paxos
