#include "gainsay/strategy/searches/delay.hpp"

#include <functional>
#include <set>

#include "gainsay/strategy/choice_tree.test.hpp"
#include "gainsay/strategy/searches/dfs.hpp"
#include "gainsay/strategy/walks/forest.test.hpp"

namespace gainsay::delay_test {
namespace {

using choice_tree::events;
using choice_tree::Path;
using choice_tree::Question;
using choice_tree::Runner;
using choice_tree::Tree;
using choice_tree::value;

std::vector<Path> all_runs(Strategy& strategy, const Tree& tree) {
  Runner runner(strategy, tree);
  std::vector<Path> runs;
  while (const auto run = runner.run()) runs.push_back(*run);
  return runs;
}

// Every path with its cost, by following every answer. REQUIRES: no question that may stop; order oldest.
void each_path(const Tree& tree, Path& path, std::size_t cost,
               const std::function<void(const Path&, std::size_t)>& visit) {
  const auto question = tree(path);
  if (!question) return visit(path, cost);
  for (std::size_t answer = 0; answer < question->size(); ++answer) {
    path.push_back(answer);
    each_path(tree, path, cost + (question->is_value ? 0 : answer), visit);
    path.pop_back();
  }
}

// A tree with events, data choices and different depths.
Tree mixed(std::uint64_t salt) {
  return [salt](const Path& path) -> std::optional<Question> {
    std::uint64_t hash = salt;
    for (const std::size_t answer : path) hash = mix(hash, answer + 1);
    if (path.size() >= 4 + hash % 3) return std::nullopt;
    if (!path.empty() && hash % 4 == 0) return value(2 + hash % 2);
    return events(1 + hash % 4);
  };
}

TEST(Delay, TriesExactlyWhatTheBudgetPaysFor) {
  for (std::uint64_t salt = 1; salt <= 20; ++salt) {
    for (const std::uint32_t delays : {0U, 1U, 2U, 3U, 100U}) {
      SCOPED_TRACE(testing::Message() << "salt " << salt << ", delays " << delays);
      const Tree tree = mixed(salt);
      std::set<Path> expected;
      Path path;
      each_path(tree, path, 0, [&](const Path& found, std::size_t cost) {
        if (cost <= delays) expected.insert(found);
      });
      DelaySearch strategy({.delays = delays});
      const std::vector<Path> runs = all_runs(strategy, tree);
      EXPECT_EQ(std::set<Path>(runs.begin(), runs.end()), expected);
      EXPECT_EQ(runs.size(), expected.size());  // each once
    }
  }
}

TEST(Delay, WithoutAnEndToTheBudgetItIsDfs) {
  for (const auto order :
       {DelayOptions::Order::oldest, DelayOptions::Order::round_robin, DelayOptions::Order::agents}) {
    for (std::uint64_t salt = 1; salt <= 10; ++salt) {
      DelaySearch strategy({.delays = 1'000'000, .order = order});
      DfsStrategy dfs;
      const std::vector<Path> a = all_runs(strategy, mixed(salt));
      const std::vector<Path> b = all_runs(dfs, mixed(salt));
      EXPECT_EQ(a.size(), b.size());
      EXPECT_EQ(std::set<Path>(a.begin(), a.end()), std::set<Path>(b.begin(), b.end()));
    }
  }
}

// Receivers 0, 1, 2; round robin from nobody: 0 first, then 1, 2; within a receiver the oldest.
TEST(Delay, GoesRoundTheReceivers) {
  std::vector<Event> list(4);
  const std::uint64_t receivers[] = {2, 0, 1, 0};
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].id = EventId{i + 1};
    list[i].receiver = ActorId{receivers[i]};
  }
  const choice_tree::Source source(list);
  const ChoicePoint point = ChoicePoint::events(source, 0, 4, 4);
  DelayOrder order(DelayOptions::Order::round_robin);
  const auto ranks = [&](ActorId last) {
    std::vector<std::size_t> indices;
    for (std::size_t rank = 0; rank < 4; ++rank) indices.push_back(order.at(point, rank, last));
    return indices;
  };
  EXPECT_EQ(ranks(ActorId{2}), (std::vector<std::size_t>{1, 3, 2, 0}));
  EXPECT_EQ(ranks(ActorId{0}), (std::vector<std::size_t>{2, 0, 1, 3}));
  EXPECT_EQ(ranks(ActorId{1}), (std::vector<std::size_t>{0, 1, 3, 2}));
}

// Skipping a receiver costs one delay, whatever waits for it; which of its events is taken costs nothing.
TEST(Delay, SkipsAgents) {
  std::vector<Event> list(4);
  const std::uint64_t receivers[] = {2, 0, 1, 0};
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].id = EventId{i + 1};
    list[i].receiver = ActorId{receivers[i]};
  }
  const Tree tree = [&](const Path& path) -> std::optional<Question> {
    if (!path.empty()) return std::nullopt;
    return events(list);
  };
  const auto runs = [&](std::uint32_t delays) {
    DelaySearch strategy({.delays = delays, .order = DelayOptions::Order::agents});
    return all_runs(strategy, tree);
  };
  EXPECT_EQ(runs(0), (std::vector<Path>{{1}, {3}}));
  EXPECT_EQ(runs(1), (std::vector<Path>{{1}, {3}, {2}}));
  EXPECT_EQ(runs(2), (std::vector<Path>{{1}, {3}, {2}, {0}}));
  EXPECT_FALSE(DelaySearch({.order = DelayOptions::Order::agents}).fair());
  const choice_tree::Source source(list);
  const ChoicePoint point = ChoicePoint::events(source, 0, 4, 4);
  DelayOrder order(DelayOptions::Order::agents);
  EXPECT_EQ(order.rank_of(point, 1, nobody), 2U);
  EXPECT_EQ(order.rank_of(point, 3, nobody), 0U);  // round again
}

// At quiescence stopping is free and a fault costs.
TEST(Delay, StopsWhereItMayAndPaysForFaults) {
  std::vector<Event> list(3);
  list[0].kind = EventKind::crash;
  list[1].kind = EventKind::heal;
  list[2].kind = EventKind::stop;
  const Tree tree = [&](const Path& path) -> std::optional<Question> {
    if (!path.empty()) return std::nullopt;
    return events(list, 0);
  };
  DelaySearch none({.delays = 0});
  EXPECT_EQ(all_runs(none, tree), (std::vector<Path>{{2}}));
  DelaySearch two({.delays = 2});
  EXPECT_EQ(all_runs(two, tree), (std::vector<Path>{{2}, {0}, {1}}));
}

TEST(Delay, SaysWithinWhichBoundItIsComplete) {
  EXPECT_EQ(DelaySearch({.delays = 1}).guarantee().within, "at most 1 delay");
  EXPECT_EQ(DelaySearch({.delays = 3}).guarantee().statement,
            "every execution that costs at most 3 delays of the oldest-first schedule, exactly once");
  EXPECT_EQ(delay_strategy().kind_with({}), StrategyKind::search);
  EXPECT_EQ(delay_strategy().kind_with({{"randomised", "true"}}), StrategyKind::random);
  EXPECT_EQ(delay_strategy().depth_option, "delays");
}

TEST(Delay, NoticesThatAnExecutionCannotBeFollowed) {
  int runs = 0;
  const Tree tree = [&](const Path& path) -> std::optional<Question> {
    if (path.size() == 2) return std::nullopt;
    if (path.size() == 1 && runs == 1) return events(3);
    return events(2);
  };
  DelaySearch strategy({.delays = 5});
  Runner runner(strategy, tree);
  runner.run();
  ++runs;
  EXPECT_THROW(runner.run(), Divergence);
}

// Budget 1 and two events at each of two steps. First draw: 0 or 1 with equal chances; with 0, the same again:
// 00: 1/4, 01: 1/4, 10: 1/2.
TEST(DelayWalk, DrawsFromWhatIsLeftOfTheBudget) {
  const Tree tree = [](const Path& path) -> std::optional<Question> {
    if (path.size() == 2) return std::nullopt;
    return events(2);
  };
  DelayWalk strategy({.delays = 1, .randomised = true});
  Runner runner(strategy, tree);
  std::map<Path, std::uint64_t> counts;
  for (std::uint64_t i = 0; i < 20'000; ++i) ++counts[runner.run(i).value()];
  forest::expect_distribution(counts, std::map<Path, double>{{{0, 0}, .25}, {{0, 1}, .25}, {{1, 0}, .5}},
                              20'000);
}

}  // namespace
}  // namespace gainsay::delay_test
