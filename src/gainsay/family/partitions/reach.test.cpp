// The exact chance that random tests meet every goal, sequences of partitions, and families of cuts.
#include "gainsay/family/partitions/reach.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/family/coverage.hpp"
#include "gainsay/family/partitions/cuts.hpp"

namespace gainsay::family {
namespace {

// All sequences of tests, one by one.
double by_hand(std::size_t goals, const std::vector<std::uint32_t>& masks, std::size_t tests) {
  std::size_t good = 0;
  std::size_t all = 1;
  for (std::size_t i = 0; i < tests; ++i) all *= masks.size();
  for (std::size_t sequence = 0; sequence < all; ++sequence) {
    std::uint32_t met = 0;
    std::size_t rest = sequence;
    for (std::size_t i = 0; i < tests; ++i) {
      met |= masks[rest % masks.size()];
      rest /= masks.size();
    }
    good += met == (std::uint32_t{1} << goals) - 1 ? 1 : 0;
  }
  return static_cast<double>(good) / static_cast<double>(all);
}

TEST(Reach, IsTheShareOfAllSequencesOfTests) {
  Rng rng(5);
  for (int round = 0; round < 60; ++round) {
    const std::size_t goals = 1 + rng.below(4);
    std::vector<std::uint32_t> masks(1 + rng.below(6));
    for (std::uint32_t& mask : masks) mask = static_cast<std::uint32_t>(rng.below(std::uint64_t{1} << goals));
    const Reach reach(goals, masks);
    for (std::size_t tests = 1; tests <= 5; ++tests)
      EXPECT_NEAR(reach.all_met_after(tests), by_hand(goals, masks, tests), 1e-12);
  }
}

// One goal: 1 - (1 - p)^N. Example 3.1, p = 6/225: 60 where the thesis has 61.
TEST(Reach, OfOneGoalIsGeometric) {
  const Reach reach(1, {1}, 6.0 / 225);
  EXPECT_NEAR(reach.chance_of(0), 2.0 / 75, 1e-15);
  EXPECT_EQ(reach.tests_for(0.8), 60U);
  EXPECT_EQ(tests_needed(0, 2.0 / 75, 0.2), 61U);
  EXPECT_FALSE(Reach(2, {1}).tests_for(0.5));
}

// Never more than the union bound says, and never less sure.
TEST(Reach, IsNoWorseThanTheUnionBound) {
  for (std::size_t n = 3; n <= 6; ++n) {
    const Notion notion = Notion::split(n, 2);
    const std::vector<Goal> goals = notion.goals();
    const Reach reach(goals.size(), masks_of(goals, tests_of(all_partitions(n, 2))));
    const double log_goals = std::log(static_cast<double>(goals.size()));
    for (std::uint64_t tests = 1; tests <= 30; ++tests)
      EXPECT_GE(reach.all_met_after(tests) + 1e-12, confidence_after(log_goals, reach.chance_of(0), tests));
    EXPECT_LE(*reach.tests_for(0.8), tests_needed_sharp(log_goals, reach.chance_of(0), 0.2));
  }
}

TEST(Reach, CountsWhatWasMet) {
  const std::vector<Goal> goals = Notion::split(4, 2).goals();
  const Counted one = count_met(goals, tests_of({Partition::of_blocks(4, {{0, 1}, {2, 3}})}));
  EXPECT_EQ(one.goals, 6U);
  EXPECT_EQ(one.met, 4U);
  ASSERT_TRUE(one.missed);
  EXPECT_EQ(text_of(*one.missed), "1 | 2");
  EXPECT_EQ(count_met(goals, {}).met, 0U);
}

// Example 4.2: 12 pairs, 1/3 * 1/4, 30 and 50 rounds.
TEST(Story, OfKafka) {
  const Story story = parse_story("zk a | * ; a | *", 4);
  EXPECT_EQ(story.parts, (std::vector<std::string>{"zk", "a"}));
  EXPECT_EQ(story.text(), "zk a | *, then a | *");
  EXPECT_EQ(story.choices().size(), 12U);
  const std::vector<CutTests> tests = {tests_of(story.sampler_of(0).all()),
                                       tests_of(story.sampler_of(1).all())};
  EXPECT_EQ(tests[0].size(), 3U);
  EXPECT_EQ(tests[1].size(), 4U);
  const Reach reach(12, masks_of(story, tests));
  for (std::size_t goal = 0; goal < 12; ++goal) EXPECT_NEAR(reach.chance_of(goal), 1.0 / 12, 1e-15);
  EXPECT_EQ(tests_that_exist(std::log(12), 1.0 / 12), 30U);
  EXPECT_EQ(tests_needed(std::log(12), 1.0 / 12, 0.2), 50U);
  EXPECT_EQ(covering_family(story).size(), 12U);  // each round meets one pair
  const Cuts cuts = Cuts::of(story);
  EXPECT_EQ(cuts.phases.size(), 2U);
  EXPECT_EQ(cuts.goals.size(), 12U);
  for (std::uint32_t goal = 0; goal < 12; ++goal) EXPECT_DOUBLE_EQ(chance_of(cuts, goal), 1.0 / 12);
}

TEST(Story, SaysWhatIsWrong) {
  for (const char* text :
       {"", "a", "a | a", "a | * b", "a | * | *", "* | *", "a | ; b | *", "a b c d e | *", "a b c d | *"})
    EXPECT_THROW(parse_story(text, 4), UserError) << text;
}

TEST(Cuts, KnowTheirGoals) {
  const Cuts balanced = Cuts::of(Sampler::balanced(5, 2)).towards(Notion::isolate_minority(5));
  EXPECT_EQ(balanced.phases[0].size(), 10U);
  EXPECT_EQ(balanced.goals.size(), 5U);
  for (std::uint32_t goal = 0; goal < 5; ++goal) EXPECT_DOUBLE_EQ(chance_of(balanced, goal), 0.4);
  const Cuts covering = Cuts::covering(Notion::split(5, 2), {"a", "b", "c", "d", "e"});
  EXPECT_EQ(covering.phases[0].size(), 3U);
  EXPECT_EQ(covering.phases[0][0].name, "a c e | b d");
  const Cuts bridges = Cuts::bridges(Sampler::uniform(5, 3)).towards(Notion::bridge(5, 1, 1, 1));
  EXPECT_EQ(bridges.phases[0].size(), 75U);
  EXPECT_EQ(Cuts::one_way(Sampler::balanced(3, 2)).phases[0].size(), 6U);
  // Rings of five: (5 - 1)! / 2 orders, since a ring may be read in both directions.
  EXPECT_EQ(Cuts::majorities_rings(5).phases[0].size(), 12U);
  const Cuts twice = Cuts::of(Sampler::sized({2, 2})).then(Cuts::of(Sampler::sized({3, 1})));
  EXPECT_EQ(twice.phases.size(), 2U);
  EXPECT_THROW(Cuts::of(Sampler::uniform(14, 2)), UserError);
  EXPECT_THROW(Cuts::of(Sampler::uniform(4, 2)).towards(Notion::split(5, 2)), UserError);
  EXPECT_THROW(Cuts::of(Sampler::uniform(4, 2), {"a", "b"}), UserError);
}

}  // namespace
}  // namespace gainsay::family
