#include "gainsay/strategy/searches/dfs.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/choice_tree.test.hpp"

namespace gainsay::dfs_test {
namespace {

using choice_tree::events;
using choice_tree::Path;
using choice_tree::Question;
using choice_tree::Runner;
using choice_tree::Tree;
using choice_tree::value;

std::vector<Path> all_runs(const Tree& tree, std::size_t most = 10'000) {
  DfsStrategy dfs;
  Runner runner(dfs, tree);
  std::vector<Path> runs;
  while (const auto path = runner.run(runs.size())) {
    runs.push_back(*path);
    if (runs.size() > most) {
      ADD_FAILURE() << "does not end";
      break;
    }
  }
  EXPECT_EQ(runner.run(), std::nullopt) << "what has ended stays ended";
  return runs;
}

// Every leaf by recursion, in lexicographic order.
void leaves(const Tree& tree, Path& path, std::vector<Path>& out) {
  const auto question = tree(path);
  if (!question) {
    out.push_back(path);
    return;
  }
  for (std::size_t answer = 0; answer < question->size(); ++answer) {
    path.push_back(answer);
    leaves(tree, path, out);
    path.pop_back();
  }
}

TEST(Dfs, AnswersNothingOnce) {
  EXPECT_EQ(all_runs([](const Path&) { return std::nullopt; }), std::vector<Path>{Path{}});
}

TEST(Dfs, TakesTheLastDecisionFirst) {
  const Tree tree = [](const Path& path) -> std::optional<Question> {
    if (path.size() == 2) return std::nullopt;
    return events(path.empty() ? 2 : 3);
  };
  EXPECT_EQ(all_runs(tree), (std::vector<Path>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
}

// Step 0: event; step 1: event and two values; step 2: event. What is kept of each run:
//   changing step 2's event keeps 2 steps; changing the second value of step 1 keeps 1 step, its event and 1 value;
//   the first value: 1 step and its event; step 1's event: 1 step; step 0's event: nothing.
TEST(Dfs, KeepsExactlyWhatStaysTheSame) {
  const Tree tree = [](const Path& path) -> std::optional<Question> {
    switch (path.size()) {
      case 0:
      case 1:
      case 4:
        return events(2);
      case 2:
      case 3:
        return value(2);
      default:
        return std::nullopt;
    }
  };
  DfsStrategy dfs;
  std::vector<std::pair<std::size_t, std::size_t>> keeps;
  class Spy final : public Strategy {
   public:
    Spy(DfsStrategy& to_spy_on, std::vector<std::pair<std::size_t, std::size_t>>& seen)
        : dfs_(to_spy_on), keeps_(seen) {}
    std::optional<Keep> begin(const RunInfo& run) override {
      const auto keep = dfs_.begin(run);
      if (keep) keeps_.emplace_back(keep->steps, keep->decisions);
      return keep;
    }
    std::size_t choose(const ChoicePoint& point) override { return dfs_.choose(point); }

   private:
    DfsStrategy& dfs_;
    std::vector<std::pair<std::size_t, std::size_t>>& keeps_;
  } spy(dfs, keeps);
  Runner runner(spy, tree);
  std::size_t asked = 0;
  while (runner.run()) asked += runner.asked;
  ASSERT_EQ(keeps.size(), 32U);
  EXPECT_EQ(keeps[0], (std::pair<std::size_t, std::size_t>{0, 0}));
  for (std::size_t i = 1; i < 32; ++i) {
    // Run i differs from the one before it in the decision at the lowest set bit of i, counted from the end.
    const std::pair<std::size_t, std::size_t> expected[] = {{2, 0}, {1, 2}, {1, 1}, {1, 0}, {0, 0}};
    EXPECT_EQ(keeps[i], expected[static_cast<std::size_t>(__builtin_ctzll(i))]) << "run " << i;
  }
  // Inner nodes and leaves of the tree but its root: 2 + 4 + 8 + 16 + 32. No decision is asked for twice.
  EXPECT_EQ(asked, 62U);
}

// Random trees: what is asked, and among how many, depends on all answers before.
TEST(Dfs, FindsEveryLeafOnceInOrder) {
  std::size_t all = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Tree tree = [seed](const Path& path) -> std::optional<Question> {
      const std::uint64_t at = std::accumulate(path.begin(), path.end(), seed + 1,
                                               [](std::uint64_t h, std::size_t a) { return mix(h, a + 1); });
      Rng rng(at, path.size());
      if (path.size() >= 7 || (!path.empty() && rng.chance(1, 5))) return std::nullopt;
      const std::size_t among = 1 + rng.below(3);
      // A value follows an event, so the first question is for an event.
      return !path.empty() && rng.chance(1, 2) ? value(among) : events(among);
    };
    std::vector<Path> expected;
    Path path;
    leaves(tree, path, expected);
    EXPECT_EQ(all_runs(tree), expected) << "seed " << seed;
    all += expected.size();
  }
  EXPECT_GT(all, 3'000U);
}

// A question that was not there when the prefix was executed first: somebody cheats.
TEST(Dfs, NoticesThatTheTreeHasChanged) {
  for (const int change : {0, 1}) {
    std::size_t runs = 0;
    const Tree tree = [&](const Path& path) -> std::optional<Question> {
      if (path.size() == 2) return std::nullopt;
      if (path.size() == 1 && runs == 1) return change == 0 ? events(3) : value(2);
      return events(2);
    };
    DfsStrategy dfs;
    Runner runner(dfs, tree);
    runner.run();
    ++runs;
    EXPECT_THROW(runner.run(), Divergence);
  }
}

TEST(Dfs, PromisesEveryExecution) {
  EXPECT_EQ(DfsStrategy().guarantee().statement, "every execution within the bounds, exactly once");
  EXPECT_TRUE(DfsStrategy().needs().backtracking);
  EXPECT_EQ(dfs_strategy().kind, StrategyKind::search);
}

}  // namespace
}  // namespace gainsay::dfs_test
