#include "gainsay/strategy/walks/surw.hpp"

#include <algorithm>
#include <functional>

#include "gainsay/strategy/walks/forest.test.hpp"

namespace gainsay::surw_test {
namespace {

using forest::Forest;
using forest::no_parent;
using forest::Schedule;

// All linear extensions, by following every choice.
std::vector<Schedule> extensions(const Forest& forest) {
  std::vector<Schedule> all;
  const std::function<void(std::vector<std::size_t>, Schedule)> go = [&](std::vector<std::size_t> pending,
                                                                         const Schedule& so_far) {
    if (pending.empty()) all.push_back(so_far);
    for (std::size_t i = 0; i < pending.size(); ++i) {
      std::vector<std::size_t> rest = pending;
      const std::size_t event = rest[i];
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      for (const std::size_t child : forest::children(forest, event)) rest.push_back(child);
      Schedule longer = so_far;
      longer.push_back(event);
      go(rest, longer);
    }
  };
  go(forest::children(forest, no_parent), {});
  return all;
}

// The scout has met every event, so from run 0 on every interleaving has the same probability.
TEST(Surw, EveryInterleavingOfAForestIsEquallyLikely) {
  for (const Forest& forest : {forest::of_chains({1, 2, 3}), forest::of_parents({no_parent, 0, 0, 2, 3}),
                               forest::of_parents({no_parent, no_parent, 0, 0, 1, 2})}) {
    const std::vector<Schedule> all = extensions(forest);
    std::map<Schedule, double> uniform;
    for (const Schedule& schedule : all) uniform[schedule] = 1 / static_cast<double>(all.size());
    SurwStrategy strategy({});
    const std::uint64_t runs = 150 * all.size();
    forest::expect_distribution(forest::World(forest).frequencies(strategy, runs), uniform, runs);
  }
}

TEST(Surw, KnowsNothingWithoutTheScout) {
  // Two chains of 1 and 9: unknown sizes count 1, so either is first with probability 1/2; known ones 1/10.
  const Forest forest = forest::of_chains({1, 9});
  const auto first = [&](bool scout) {
    SurwStrategy strategy({});
    forest::World world(forest);
    if (scout) world.scout(strategy);
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < 8'000; ++i) count += world.run(strategy, i)[0] == 0 ? 1 : 0;
    return static_cast<double>(count);
  };
  EXPECT_NEAR(first(false), 4'000, 6 * 45);
  EXPECT_NEAR(first(true), 800, 6 * 27);
}

TEST(Surw, LessonsMergeInOrder) {
  SurwLessons a;
  a.events = {{5, 10, 2}, {1, 3, 1}};
  a.kinds = {{7, 4, 4}};
  a.settle();
  SurwLessons b;
  b.events = {{5, 20, 1}, {9, 1, 1}};
  b.settle();
  a.merge(b);
  ASSERT_EQ(a.events.size(), 3U);
  EXPECT_DOUBLE_EQ(a.weight(5, 0), 10);
  EXPECT_DOUBLE_EQ(a.weight(1, 7), 3);
  EXPECT_DOUBLE_EQ(a.weight(2, 7), 1);  // unknown event, known kind
  EXPECT_DOUBLE_EQ(a.weight(2, 8), 1);
}

TEST(Surw, ForgetsSingleEventsWhereThereAreTooMany) {
  SurwLessons lessons;
  for (std::uint64_t i = 0; i <= SurwLessons::most_events; ++i) lessons.events.push_back({i + 1, 2, 1});
  lessons.kinds = {{3, 8, 2}};
  lessons.settle();
  EXPECT_TRUE(lessons.closed);
  EXPECT_TRUE(lessons.events.empty());
  EXPECT_DOUBLE_EQ(lessons.weight(1, 3), 4);
}

}  // namespace
}  // namespace gainsay::surw_test
