#include "systems/system_test.hpp"

namespace paxos {
namespace {

using system_test::expect_clean;
using system_test::expect_states;
using system_test::find_bug;
using system_test::shortest_violation;

// About 1 random run in 1,000 is wrong. Missing it in 20,000 runs: (999/1,000)^20,000 = 2e-9.
TEST(Paxos, LowestIsFoundWithThreeProposers) {
  const auto found = find_bug("paxos", {{"bug", "lowest"}, {"proposers", "3"}}, 20'000);
  EXPECT_EQ(found.violation.property, "agreement");
  EXPECT_EQ(found.violation.message, "proposer 1 has chosen 101, proposer 2 has chosen 100");
}

TEST(Paxos, FixedFormAgrees) {
  expect_clean("paxos", {{"proposers", "3"}}, 200'000);
  expect_clean("paxos", {}, 20'000);
  expect_clean("paxos", {{"proposers", "4"}, {"acceptors", "5"}}, 20'000);
}

TEST(Paxos, FixedFormAgreesInAllStates) {
  // Start, Prepare, Promise, Accept, Accepted, one after the other.
  expect_states("paxos", {{"proposers", "1"}, {"acceptors", "1"}}, 6, 5);
  expect_states("paxos", {}, 98'160, 506'256);
  expect_states("paxos", {}, 98'160, 506'256, {.exact = true});
}

TEST(Paxos, FixedFormAgreesInAllStatesOfBiggerGroups) {
  if (!system_test::long_tests()) GTEST_SKIP() << "takes minutes; set GAINSAY_LONG=1";
  expect_states("paxos", {{"acceptors", "4"}}, 1'747'604, 11'296'284);
  expect_states("paxos", {{"proposers", "3"}}, 48'855'900, 364'871'193, {.workers = 2});
}

// Ballot 1 can hear of votes in ballot 0 only, so lowest and highest are the same.
TEST(Paxos, LowestDoesNotShowWithTwoProposers) {
  expect_states("paxos", {{"bug", "lowest"}}, 98'160, 506'256);
}

// Three starts. Ballot 0: two promises and one vote. Ballots 1 and 2: two promises and two votes, all
// counted. A promise takes two steps (Prepare, Promise), a vote one (Accept) and, where it is counted, two: 3
// + (4 + 1) + (4 + 4) + (4 + 4).
TEST(Paxos, TheShortestWayToDisagreement) {
  if (!system_test::long_tests()) GTEST_SKIP() << "takes a minute; set GAINSAY_LONG=1";
  EXPECT_EQ(shortest_violation("paxos", {{"bug", "lowest"}, {"proposers", "3"}}).steps.size(), 24U);
}

}  // namespace
}  // namespace paxos
