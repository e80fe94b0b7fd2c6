#include "gainsay/strategy/around/swarm.hpp"

#include <set>

#include "gainsay/strategy/choice_tree.test.hpp"
#include "gainsay/strategy/walks/forest.test.hpp"
#include "gainsay/strategy/walks/pctcp.hpp"
#include "gainsay/strategy/walks/random.hpp"

namespace gainsay::swarm_test {
namespace {

std::unique_ptr<Strategy> only_faults() {
  return std::make_unique<RandomStrategy>(RandomOptions{.over = RandomOptions::Over::events, .faults = 1});
}

RunInfo run_with(std::uint64_t index, std::uint32_t drops, std::uint32_t crashes) {
  RunInfo run{index, 1, 100, false, {}};
  run.world.budgets[static_cast<std::size_t>(EventKind::drop)] = drops;
  run.world.budgets[static_cast<std::size_t>(EventKind::crash)] = crashes;
  return run;
}

TEST(Swarm, DrawsBudgetsUpToWhatTheWorldAllows) {
  SwarmStrategy strategy(only_faults());
  std::map<std::uint32_t, std::uint64_t> drops;
  for (std::uint64_t i = 0; i < 8'000; ++i) {
    strategy.begin(run_with(i, 3, 0));
    ++drops[strategy.budgets()[static_cast<std::size_t>(EventKind::drop)]];
    EXPECT_EQ(strategy.budgets()[static_cast<std::size_t>(EventKind::crash)], 0U);
  }
  forest::expect_distribution(drops, std::map<std::uint32_t, double>{{0, .25}, {1, .25}, {2, .25}, {3, .25}},
                              8'000);
}

TEST(Swarm, SpendsNoMoreThanItDrew) {
  std::vector<Event> list(2);
  list[0].id = EventId{1};
  list[1].id = EventId{2};
  list[1].kind = EventKind::drop;
  const choice_tree::Source source(list);
  SwarmStrategy strategy(only_faults());
  std::set<std::size_t> spent;
  for (std::uint64_t i = 0; i < 100; ++i) {
    strategy.begin(run_with(i, 3, 0));
    const std::uint32_t budget = strategy.budgets()[static_cast<std::size_t>(EventKind::drop)];
    std::size_t drops = 0;
    for (std::size_t step = 0; step < 10; ++step)
      drops += strategy.choose(ChoicePoint::events(source, step, 2, 1)) == 1 ? 1 : 0;
    EXPECT_EQ(drops, budget);
    spent.insert(drops);
  }
  EXPECT_EQ(spent.size(), 4U);
}

// In a run in which the type of one event weighs 1/8 and that of the other 1, a random walk sees the heavy one
// alone seven times of eight and both else: it takes the light one once in 16.
TEST(Swarm, WeighsTypesOfEvents) {
  std::vector<Event> list(2);
  list[0].id = EventId{1};
  list[0].type = 100;
  list[1].id = EventId{2};
  list[1].type = 200;
  const choice_tree::Source source(list);
  SwarmStrategy strategy(std::make_unique<RandomStrategy>(RandomOptions{}));
  std::uint64_t tried = 0;
  std::uint64_t light = 0;
  for (std::uint64_t i = 0; i < 60'000; ++i) {
    strategy.begin(run_with(i, 0, 0));
    if (strategy.weight(list[0]) != 0.125 || strategy.weight(list[1]) != 1) continue;
    ++tried;
    light += strategy.choose(ChoicePoint::events(source, 0, 2, 2)) == 0 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(tried), 60'000.0 / 9, 6 * 77);
  EXPECT_NEAR(static_cast<double>(light), static_cast<double>(tried) / 16, 6 * 20);
}

// A strategy that follows the pending list is not confused by what it does not see.
TEST(Swarm, WorksAroundStrategiesThatFollowThePendingList) {
  SwarmStrategy strategy(std::make_unique<PctcpStrategy>(PctcpOptions{.depth = 2}));
  forest::World world(forest::of_chains({4, 3, 2, 5}));
  world.scout(strategy);
  for (std::uint64_t i = 0; i < 200; ++i) EXPECT_EQ(world.run(strategy, i).size(), 14U);
  EXPECT_FALSE(strategy.guarantee().per_run);
  EXPECT_NE(strategy.guarantee().statement.find("swarm"), std::string::npos);
}

}  // namespace
}  // namespace gainsay::swarm_test
