#include "papers/experiments/web_trees.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/family/hitting.hpp"
#include "gainsay/family/verify.hpp"
#include "papers/zoo/experiment.hpp"

namespace gainsay::web_trees_test {

using namespace tools::zoo;
using family::Element;
using testing::HasSubstr;

std::vector<Element> everything(const family::Tree& tree) {
  std::vector<Element> all(tree.size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

TEST(WebTrees, HaveTheSizeAndHeightThatAreAskedFor) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    const std::size_t events = 1 + rng.below(200);
    const std::size_t height = 1 + rng.below(events);
    const family::Tree tree = web_tree(events, height, rng);
    EXPECT_EQ(tree.size(), events);
    EXPECT_EQ(tree.height(), height);
  }
}

// The family itself, made and sorted, has as many schedules, with and without pruning.
TEST(WebTrees, CountsWhatTheConstructionMakes) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    const std::size_t events = 2 + rng.below(14);
    const family::Tree tree = web_tree(events, 2 + rng.below(events - 1), rng);
    const family::Poset poset = tree.poset();
    const auto realiser = std::pair(tree.traversal(false), tree.traversal(true));
    EXPECT_EQ(schedules_of_three(tree, everything(tree)),
              family::dimension_two_family(poset, realiser, 3).size());
    const std::vector<Element> racing = drawn_elements(tree, rng.below(events + 1), rng);
    EXPECT_EQ(schedules_of_three(tree, racing),
              racing.empty() ? 0 : family::dimension_two_family(poset, realiser, 3, racing).size());
  }
}

// What pruning promises: every triple that begins with a racing event is hit.
TEST(WebTrees, PrunedFamiliesHitTriplesThatBeginWithARace) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    const family::Tree tree = web_tree(9, 5, rng);
    const family::Poset poset = tree.poset();
    const std::vector<Element> racing = drawn_elements(tree, 4, rng);
    const auto family = family::dimension_two_family(
        poset, std::pair(tree.traversal(false), tree.traversal(true)), 3, racing);
    for (const family::Tuple& tuple : family::admissible_tuples(poset, 3)) {
      if (std::find(racing.begin(), racing.end(), tuple.front()) == racing.end()) continue;
      EXPECT_TRUE(std::any_of(family.begin(), family.end(), [&](const family::Schedule& schedule) {
        return family::hits(schedule, tuple);
      }));
    }
  }
}

TEST(WebTrees, TheTableHasTheThesisSizes) {
  const Experiment* experiment = find_experiment("web-pages");
  ASSERT_NE(experiment, nullptr);
  const Rows rows = experiment->measure({.quick = true});
  ASSERT_EQ(rows.size(), 3U);
  for (const Rows& row : rows) {
    EXPECT_LE(row["schedules"], 2 * row["events"].get<std::uint64_t>());
    EXPECT_LE(row["pruned"], row["thesis_pruned"]);
    EXPECT_LE(row["at_least"], row["schedules"]);
  }
  EXPECT_THAT(experiment->render(rows).text, HasSubstr("| www.comcast.com | 188 "));
}

}  // namespace gainsay::web_trees_test
