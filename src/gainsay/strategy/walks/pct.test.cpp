#include "gainsay/strategy/walks/pct.hpp"

#include <algorithm>

#include "gainsay/strategy/walks/forest.test.hpp"

namespace gainsay::pct_test {
namespace {

using forest::Forest;
using forest::no_parent;
using forest::Schedule;

Guarantee promise(PctStrategy& strategy) {
  strategy.learner()->learn(*strategy.learner()->take_lessons());
  return strategy.guarantee();
}

// The paper's classic: all 20 steps of one thread before the only step of another: 1/2, where a random walk
// needs 2^-20. Six standard deviations of 10,000 runs are 300.
TEST(Pct, RunsAThreadOfTwentyStepsBeforeASingleStep) {
  PctStrategy strategy({.depth = 1});
  forest::World world(forest::of_chains({20, 1}), true);
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) last += world.run(strategy, i).back() == 20 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(last), 5'000, 300);
}

// Two threads of three steps; the bug: the first step of b comes after the second of a and before the third.
// It needs a higher than b (1/2) and the change point at a's third step (1/6): 1/12, the bound of depth 2 for
// two threads and six steps.
TEST(Pct, HitsABugOfDepthTwoAsOftenAsPromised) {
  PctStrategy strategy({.depth = 2});
  forest::World world(forest::of_chains({3, 3}), true);
  world.scout(strategy);
  const std::uint64_t runs = 20'000;
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < runs; ++i) {
    const Schedule s = world.run(strategy, i);
    const auto at = [&](std::size_t event) { return std::find(s.begin(), s.end(), event); };
    hits += at(1) < at(3) && at(3) < at(2) ? 1 : 0;
  }
  const Guarantee guarantee = promise(strategy);
  ASSERT_TRUE(guarantee.per_run);
  EXPECT_DOUBLE_EQ(*guarantee.per_run, 1.0 / 12);
  EXPECT_EQ(guarantee.runs, runs);
  EXPECT_GE(static_cast<double>(hits), forest::least_count(runs, 1.0 / 12));
}

TEST(Pct, PromisesNothingWhereMessagesOvertake) {
  PctStrategy strategy({.depth = 2});
  forest::World world(forest::of_chains({3, 3}), false);
  world.scout(strategy);
  for (std::uint64_t i = 0; i < 10; ++i) world.run(strategy, i);
  const Guarantee guarantee = promise(strategy);
  EXPECT_FALSE(guarantee.per_run);
  EXPECT_NE(guarantee.statement.find("mailbox"), std::string::npos);
}

// Three messages to one actor that nothing orders: PCT has no say, so the choice is uniform.
TEST(Pct, ChoosesUniformlyWithinAnActor) {
  PctStrategy strategy({.depth = 3});
  const Forest antichain = forest::of_parents({no_parent, no_parent, no_parent});
  const auto counts = forest::World(antichain).frequencies(strategy, 12'000);
  std::map<Schedule, double> uniform;
  Schedule order = {0, 1, 2};
  do uniform[order] = 1.0 / 6;
  while (std::next_permutation(order.begin(), order.end()));
  forest::expect_distribution(counts, uniform, 12'000);
}

TEST(Pct, RefusesADepthOfNothing) { EXPECT_THROW(find_strategy("pct").make({{"depth", "0"}}), UserError); }

}  // namespace
}  // namespace gainsay::pct_test
