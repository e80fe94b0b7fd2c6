#include "systems/elasticsearch_intersecting/elasticsearch_intersecting.hpp"

#include "systems/nemesis_test.hpp"

namespace elasticsearch_intersecting {
namespace {

using nemesis_test::expect_share;
using nemesis_test::shrunk_steps;
using nemesis_test::unsettled;

// The master n1 is on one side X, both X and the other side Y have a quorum together with the bridge Z, and one of the
// two writes goes to X, the other one to Y or Z. By |X|, |Y|, |Z|, in how many of the cuts, and how likely the writes:
//   1, 1, 3: C(4,0) C(4,1) =  4, 2 * 1/5 * 4/5 =  8/25
//   1, 2, 2: C(4,0) C(4,2) =  6,                  8/25
//   2, 1, 2: C(4,1) C(3,1) = 12, 2 * 2/5 * 3/5 = 12/25
//   2, 2, 1: C(4,1) C(3,2) = 12,                 12/25
// of 75 cuts: (10 * 8 + 24 * 12) / 25 / 75. Balanced blocks are 2, 2 and 1, in any of three roles: all but the first
// row, of 45 cuts: (6 * 8 + 24 * 12) / 25 / 45.
TEST(ElasticsearchIntersecting, BrainsSplitAsOftenAsBridgesDo) {
  expect_share("elasticsearch_intersecting", {{"bug", "answers_both"}}, {}, (6 * 8 + 24 * 12) / (25.0 * 45),
               5'000);
  expect_share("elasticsearch_intersecting", {{"bug", "answers_both"}, {"family", "uniform"}}, {},
               (10 * 8 + 24 * 12) / (25.0 * 75), 5'000);
}

TEST(ElasticsearchIntersecting, WithoutABridgeOrBeforeAnElectionTheyDoNot) {
  expect_share("elasticsearch_intersecting", {{"bug", "answers_both"}, {"bridge", "false"}}, {}, 0, 3'000);
  expect_share("elasticsearch_intersecting", {{"bug", "answers_both"}}, unsettled, 0, 3'000);
}

TEST(ElasticsearchIntersecting, TheSmallestExecutionHasTheBridge) {
  EXPECT_LE(shrunk_steps("elasticsearch_intersecting", {{"bug", "answers_both"}}, {}), 30U);
}

// To a search the cuts are alternatives: with none there is less to see, and with all of them it ends.
TEST(ElasticsearchIntersecting, ExploreTriesEveryCut) {
  const auto states = [](const std::string& rounds) {
    const auto result =
        gainsay::explore(gainsay::find_scenario("elasticsearch_intersecting"),
                         {{"nodes", "3"}, {"clients", "1"}, {"ticks", "1"}, {"rounds", rounds}}, {});
    EXPECT_TRUE(result.complete);
    EXPECT_TRUE(result.violations.empty());
    return result.states;
  };
  EXPECT_EQ(states("1"), 9'700U);
  EXPECT_LT(states("0"), 9'700U);
}

TEST(ElasticsearchIntersecting, FixedFormIsRight) {
  nemesis_test::expect_clean("elasticsearch_intersecting", {}, {}, 5'000);
  nemesis_test::expect_clean("elasticsearch_intersecting",
                             {{"rounds", "3"}, {"clients", "6"}, {"ticks", "200"}, {"family", "uniform"}},
                             {{"concurrent", "true"}}, 500);
  const auto random = system_test::hunt("elasticsearch_intersecting", {{"clients", "4"}},
                                        {.strategy = "random", .runs = 2'000});
  EXPECT_EQ(random.buggy_runs, 0U);
}

}  // namespace
}  // namespace elasticsearch_intersecting
