#include <gmock/gmock.h>

#include "systems/system_test.hpp"

namespace chain_replication {
namespace {

using system_test::expect_clean;
using system_test::find_bug;

constexpr std::uint64_t budget = 1'000;

TEST(ChainReplication, ARewoundCounterNumbersTwoUpdatesAlike) {
  const auto found = find_bug("chain_replication", {{"bug", "rewound_counter"}}, budget);
  EXPECT_EQ(found.violation.property, "histories are sorted");
}

TEST(ChainReplication, ABrokenChainAnswersNoUpdates) {
  const auto found = find_bug("chain_replication", {{"bug", "broken_chain"}}, budget);
  EXPECT_EQ(found.violation.property, "deadlock");
}

// Nobody is head and tail at once before all others have failed; without a middle none fails there.
TEST(ChainReplication, BugsNeedTheirFailures) {
  expect_clean("chain_replication", {{"bug", "rewound_counter"}, {"failures", "1"}}, budget);
  expect_clean("chain_replication", {{"bug", "broken_chain"}, {"servers", "2"}}, budget);
}

TEST(ChainReplication, FixedFormReplicates) {
  expect_clean("chain_replication", {}, system_test::long_tests() ? 10 * budget : budget);
  for (const char* order : {"fifo", "mailbox"}) expect_clean("chain_replication", {{"order", order}}, budget);
  expect_clean("chain_replication", {{"servers", "5"}, {"clients", "3"}, {"failures", "4"}}, budget);
  expect_clean("chain_replication", {{"servers", "1"}, {"failures", "0"}}, budget / 10);
}

}  // namespace
}  // namespace chain_replication
