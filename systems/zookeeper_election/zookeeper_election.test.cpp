#include <gmock/gmock.h>

#include "gainsay/explorer/explore.hpp"
#include "systems/system_test.hpp"

namespace zookeeper_election {
namespace {

using system_test::expect_clean;
using system_test::find_bug;
using testing::AnyOf;
using testing::HasSubstr;

constexpr std::uint64_t budget = 500;

TEST(ZookeeperElection, WithoutDiscoveryTheVoteIsNotEnough) {
  for (const char* crash : {"true", "false"}) {  // not even without a crash
    const auto found = find_bug("zookeeper_election", {{"bug", "no_discovery"}, {"crash", crash}}, budget);
    EXPECT_EQ(found.violation.property, "the election is consistent");
    EXPECT_THAT(found.violation.message, AnyOf(HasSubstr("both lead"), HasSubstr("does not lead")));
  }
}

TEST(ZookeeperElection, VotesThatBeatEachOtherGoRoundInCircles) {
  const auto found = find_bug("zookeeper_election", {{"bug", "vote_order"}, {"epochs", "uneven"}}, budget);
  EXPECT_EQ(found.violation.property, "votes get better");
}

TEST(ZookeeperElection, FixedFormElectsOneLeader) {
  const std::uint64_t runs = system_test::long_tests() ? 100'000 : 10 * budget;
  for (const char* epochs : {"equal", "uneven"}) {
    expect_clean("zookeeper_election", {{"epochs", epochs}}, runs);
    expect_clean("zookeeper_election", {{"epochs", epochs}, {"crash", "false"}}, budget);
  }
}

TEST(ZookeeperElection, FixedFormElectsOneOfHoweverMany) {
  for (const char* nodes : {"1", "2", "4", "5"})
    expect_clean("zookeeper_election", {{"nodes", nodes}}, budget);
}

// States of timed worlds repeat: two nodes can be explored to the end, and an election always ends.
TEST(ZookeeperElection, CanBeExplored) {
  const gainsay::Scenario& scenario = gainsay::find_scenario("zookeeper_election");
  const gainsay::ExploreResult all = gainsay::explore(scenario, {{"nodes", "2"}, {"crash", "false"}}, {});
  EXPECT_TRUE(all.complete) << all.incomplete_because;
  EXPECT_TRUE(all.violations.empty());
  EXPECT_EQ(all.states, 332U);
  EXPECT_EQ(all.live, std::vector<std::string>{"a leader is found"});
  // With a crash rounds and epochs count on, so states do not end. A reboot that is taken for its earlier life shows
  // within these.
  gainsay::ExploreOptions some;
  some.states_max = 80'000;
  const gainsay::ExploreResult crash = gainsay::explore(scenario, {{"nodes", "2"}}, some);
  EXPECT_TRUE(crash.violations.empty()) << crash.violations[0].document.violation->property;
  const gainsay::ExploreResult wrong = gainsay::explore(
      scenario, {{"nodes", "2"}, {"crash", "false"}, {"bug", "vote_order"}, {"epochs", "uneven"}}, {});
  ASSERT_FALSE(wrong.violations.empty());
  EXPECT_EQ(wrong.violations[0].document.violation->property, "votes get better");
}

}  // namespace
}  // namespace zookeeper_election
