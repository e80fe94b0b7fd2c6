#include "gainsay/strategy/walks/qlearning.hpp"

#include <cmath>
#include <set>

#include "gainsay/strategy/choice_tree.test.hpp"
#include "gainsay/strategy/walks/forest.test.hpp"
#include "gainsay/strategy/walks/random.hpp"

namespace gainsay::qlearning_test {
namespace {

using choice_tree::Path;
using choice_tree::Question;
using choice_tree::Runner;
using choice_tree::Tree;

Question two_kinds() {
  std::vector<Event> list(2);
  for (std::size_t i = 0; i < 2; ++i) {
    list[i].id = EventId{i + 1};
    list[i].receiver = ActorId{i};
  }
  return choice_tree::events(list);
}

// One choice of two. After run 0 the action it took has Q = alpha * -1; softmax then takes the other one with
// probability 1/(1 + e^-alpha). Alpha 1: 0.731; 4,000 strategies, six standard deviations are 0.042.
TEST(QLearning, PrefersWhatItHasNotDone) {
  const Tree tree = [](const Path& path) -> std::optional<Question> {
    if (!path.empty()) return std::nullopt;
    return two_kinds();
  };
  std::uint64_t other = 0;
  for (std::uint64_t seed = 0; seed < 4'000; ++seed) {
    QLearningStrategy strategy({.alpha = 1, .gamma = 0.5});
    Runner runner(strategy, tree);
    const Path first = runner.run(0, seed).value();
    other += runner.run(1, seed).value() != first ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(other) / 4'000, 1 / (1 + std::exp(-1)), 0.045);
}

// A ladder of ten rungs and fourteen steps: one action climbs, the other falls back to the ground. Random walks reach
// the top in one run of 340 (3/1024). The ground wears out, rungs that are new look better: the learner gets there
// in about 60 runs. Compared over 15 seeds.
TEST(QLearning, ClimbsALadderSooner) {
  const auto rung = [](const Path& path) {
    std::size_t at = 0;
    for (const std::size_t answer : path) at = answer == 0 ? at + 1 : 0;
    return at;
  };
  const Tree ladder = [&](const Path& path) -> std::optional<Question> {
    if (path.size() == 14 || rung(path) == 10) return std::nullopt;
    Question question = two_kinds();
    for (Event& event : question.events) event.type = rung(path) + 1;  // each rung is a state
    return question;
  };
  const auto runs_to_end = [&](Strategy& strategy, std::uint64_t seed) {
    Runner runner(strategy, ladder);
    for (std::uint64_t i = 0; i < 2'000; ++i) {
      if (rung(runner.run(i, seed).value()) == 10) return i + 1;
    }
    return std::uint64_t{2'000};
  };
  std::uint64_t learning = 0;
  std::uint64_t walking = 0;
  for (std::uint64_t seed = 0; seed < 15; ++seed) {
    QLearningStrategy learner({});
    RandomStrategy walker({});
    learning += runs_to_end(learner, seed);
    walking += runs_to_end(walker, seed);
  }
  EXPECT_LT(learning * 2, walking) << learning / 15 << " runs beside " << walking / 15;
}

TEST(QLearning, DataChoicesAreActionsToo) {
  const Tree tree = [](const Path& path) -> std::optional<Question> {
    if (path.empty()) return choice_tree::events(1);
    if (path.size() == 1) return choice_tree::value(3);
    return std::nullopt;
  };
  QLearningStrategy strategy({.alpha = 1});
  Runner runner(strategy, tree);
  std::set<Path> seen;
  for (std::uint64_t i = 0; i < 100; ++i) seen.insert(runner.run(i).value());
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_EQ(strategy.known_pairs(), 4U);
}

TEST(QLearning, LearnsInOrderSoItNeedsOneWorker) {
  QLearningStrategy strategy({});
  EXPECT_TRUE(strategy.needs().in_order);
  EXPECT_TRUE(strategy.fair());
  EXPECT_FALSE(strategy.guarantee().per_run);
}

}  // namespace
}  // namespace gainsay::qlearning_test
