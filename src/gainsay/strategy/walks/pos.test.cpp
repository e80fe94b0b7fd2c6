#include "gainsay/strategy/walks/pos.hpp"

#include "gainsay/strategy/walks/forest.test.hpp"

namespace gainsay::pos_test {
namespace {

using forest::Forest;
using forest::no_parent;
using forest::Schedule;

// Without a race priorities are never drawn again, so of two chains of two events at different actors a run
// takes what a dumb comparison of four uniform numbers says: P(a1 first) = 1/2; then a2 against b1, where b1 is
// known to be lower than a1: P(a2 > b1 | b1 < a1) = 2/3.
TEST(Pos, KeepsPrioritiesWhereNothingRaces) {
  PosStrategy strategy({});
  const auto counts = forest::World(forest::of_chains({2, 2})).frequencies(strategy, 20'000);
  std::map<bool, std::uint64_t> second;  // after a1 (event 0): a2 (event 1)?
  std::uint64_t first = 0;
  for (const auto& [schedule, count] : counts) {
    if (schedule[0] != 0) continue;
    first += count;
    second[schedule[1] == 1] += count;
  }
  EXPECT_NEAR(static_cast<double>(first), 10'000, 6 * 71);
  forest::expect_distribution(second, std::map<bool, double>{{true, 2.0 / 3}, {false, 1.0 / 3}}, first);
}

// The same at one actor: b1 raced with a1 and draws anew, so a2 and b1 are equal.
TEST(Pos, DrawsAnewAfterARace) {
  PosStrategy strategy({});
  Forest forest = forest::of_chains({2, 2});
  for (forest::Node& node : forest) node.receiver = 5;
  const auto counts = forest::World(forest).frequencies(strategy, 20'000);
  std::map<bool, std::uint64_t> second;
  std::uint64_t first = 0;
  for (const auto& [schedule, count] : counts) {
    if (schedule[0] != 0) continue;
    first += count;
    second[schedule[1] == 1] += count;
  }
  forest::expect_distribution(second, std::map<bool, double>{{true, 0.5}, {false, 0.5}}, first);
}

TEST(Pos, IsNotFairAndPromisesNothing) {
  PosStrategy strategy({});
  EXPECT_FALSE(strategy.fair());  // the time that an event waits has no mean
  EXPECT_FALSE(strategy.guarantee().per_run);
  EXPECT_FALSE(strategy.needs().scout);
}

}  // namespace
}  // namespace gainsay::pos_test
