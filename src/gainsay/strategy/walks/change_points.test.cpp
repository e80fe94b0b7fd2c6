#include "gainsay/strategy/walks/change_points.hpp"

#include <set>

#include "gainsay/strategy/walks/forest.test.hpp"

namespace gainsay::change_points_test {
namespace {

// Ordered pairs of different numbers of [1, 5]: 20, each as likely as every other.
TEST(ChangePoints, AreDrawnWithoutBias) {
  Rng rng(3);
  std::map<std::vector<std::uint64_t>, std::uint64_t> counts;
  std::map<std::vector<std::uint64_t>, double> expected;
  for (std::uint64_t a = 1; a <= 5; ++a) {
    for (std::uint64_t b = 1; b <= 5; ++b) {
      if (a != b) expected[{a, b}] = 1.0 / 20;
    }
  }
  for (int i = 0; i < 40'000; ++i) ++counts[draw_change_points(2, 5, rng)];
  forest::expect_distribution(counts, expected, 40'000);
}

TEST(ChangePoints, AreAllThereAreWhereMoreAreWanted) {
  Rng rng(1);
  const auto points = draw_change_points(9, 3, rng);
  EXPECT_EQ(std::set<std::uint64_t>(points.begin(), points.end()), (std::set<std::uint64_t>{1, 2, 3}));
  EXPECT_TRUE(draw_change_points(3, 0, rng).empty());
}

TEST(ChangePoints, AreMetOnceEach) {
  Rng rng(5);
  ChangePoints points;
  for (int round = 0; round < 100; ++round) {
    points.draw(3, 10, rng);
    std::set<std::uint64_t> given;
    for (std::uint64_t at = 1; at <= 20; ++at) {
      if (const std::uint64_t priority = points.priority_at(at)) {
        EXPECT_LE(at, 10U);
        EXPECT_TRUE(given.insert(priority).second);
      }
    }
    EXPECT_EQ(given, (std::set<std::uint64_t>{1, 2, 3}));
  }
}

PriorityLessons lessons_of(const std::vector<PriorityRun>& runs, const WorldTraits& world = {}) {
  PriorityLessons lessons;
  for (const PriorityRun& run : runs) add_run(lessons, run, world);
  return lessons;
}

TEST(PriorityBound, MergesLikeOneCampaign) {
  const std::vector<PriorityRun> first = {{10, 8, 3}, {10, 12, 4}, {10, 9, 2, true}};
  const std::vector<PriorityRun> second = {{12, 12, 5}, {12, 11, 5, false, true}};
  PriorityLessons merged = lessons_of(first);
  merged.merge(lessons_of(second));
  std::vector<PriorityRun> all = first;
  all.insert(all.end(), second.begin(), second.end());
  const Guarantee a = priority_bound(merged, 2, 0, "chain");
  const Guarantee b = priority_bound(lessons_of(all), 2, 0, "chain");
  EXPECT_EQ(a.per_run, b.per_run);
  EXPECT_EQ(a.runs, b.runs);
  EXPECT_EQ(a.voids, b.voids);
  // The largest execution has 12 events; one of five runs drew from 12 and was not spoiled.
  EXPECT_EQ(a.runs, 1U);
  EXPECT_DOUBLE_EQ(*a.per_run, 1.0 / 60);
}

TEST(PriorityBound, SaysWhyThereIsNone) {
  EXPECT_EQ(priority_bound({}, 2, 0, "chain").statement, "none: there were no runs");
  WorldTraits timed;
  timed.timed = true;
  const Guarantee guarantee = priority_bound(lessons_of({{10, 8, 3}}, timed), 2, 0, "chain");
  EXPECT_FALSE(guarantee.per_run);
  ASSERT_FALSE(guarantee.voids.empty());
  EXPECT_NE(guarantee.voids[0].find("simulated time"), std::string::npos);
}

TEST(PriorityBound, ADepthThatExecutionsDoNotHaveIsSaid) {
  const Guarantee guarantee = priority_bound(lessons_of({{3, 3, 2}}), 5, 0, "chain");
  EXPECT_FALSE(guarantee.per_run);
  ASSERT_EQ(guarantee.voids.size(), 1U);
  EXPECT_NE(guarantee.voids[0].find("depth 5 needs 4 change points"), std::string::npos);
  EXPECT_TRUE(priority_bound(lessons_of({{3, 3, 2}}), 4, 0, "chain").per_run);
}

TEST(PriorityBound, NamesWhatItTakesForGranted) {
  WorldTraits gated;
  gated.gated = true;
  const Guarantee guarantee = priority_bound(lessons_of({{8, 8, 3}}, gated), 3, 0, "chain");
  EXPECT_EQ(guarantee.statement,
            "a run hits a bug of depth 3 with probability at least 1/(3 chains * 8^2) = 0.00521");
  EXPECT_EQ(
      guarantee.assumptions,
      (std::vector<std::string>{"no execution has more than 8 events or 3 chains",
                                "a message that its receiver does not accept yet counts as not yet sent"}));
}

}  // namespace
}  // namespace gainsay::change_points_test
