#include "gainsay/strategy/walks/hitting.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/family/verify.hpp"

namespace gainsay::hitting_test {
namespace {

using testing::HasSubstr;

struct Node {
  std::size_t parent;
  std::uint64_t receiver = 0;
};
using Forest = std::vector<Node>;
constexpr std::size_t none = ~std::size_t{0};

Forest of_parents(const std::vector<std::size_t>& parents) {
  Forest forest;
  for (const std::size_t parent : parents) forest.push_back({parent, 0});
  return forest;
}

// All beginning at once, one receiver per chain.
Forest of_chains(const std::vector<std::size_t>& lengths) {
  Forest forest;
  for (std::size_t chain = 0; chain < lengths.size(); ++chain) {
    for (std::size_t i = 0; i < lengths[chain]; ++i)
      forest.push_back({i == 0 ? none : forest.size() - 1, chain});
  }
  return forest;
}

family::Poset poset_of(const Forest& forest) {
  std::vector<family::Relation> relations;
  for (family::Element i = 0; i < forest.size(); ++i) {
    if (forest[i].parent != none) relations.push_back({static_cast<family::Element>(forest[i].parent), i});
  }
  return family::Poset(forest.size(), relations);
}

// Events that cause each other as in a forest; one asks a question with three answers where `asks` says so.
class World final : public EventSource {
 public:
  explicit World(Forest forest) : forest_(std::move(forest)) {}

  family::Schedule run(Strategy& strategy, std::uint64_t index, std::uint64_t seed = 1) {
    RunInfo info;
    info.index = index;
    info.seed = seed;
    info.steps_max = 1'000'000;
    (void)strategy.begin(info);
    family::Schedule schedule;
    step_of_.clear();
    pending_.clear();
    answers.clear();
    enable(none);
    while (!pending_.empty()) {
      const std::size_t chosen =
          strategy.choose(ChoicePoint::events(*this, schedule.size(), pending_.size(), pending_.size()));
      const std::size_t node = pending_.at(chosen);
      if (asks.contains(node)) answers[node] = strategy.choose(ChoicePoint::value(schedule.size(), 3));
      step_of_[node] = static_cast<std::uint32_t>(schedule.size());
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(chosen));
      schedule.push_back(static_cast<family::Element>(node));
      enable(node);
    }
    strategy.end({Ending::quiescent, schedule.size()});
    return schedule;
  }

  Event event_at(std::size_t index) const override {
    Event event;
    const std::size_t node = pending_.at(index);
    event.id = EventId{node + 1};
    event.receiver = ActorId{forest_[node].receiver};
    if (forest_[node].parent != none) event.parent = step_of_.at(forest_[node].parent);
    return event;
  }
  std::optional<std::uint64_t> world_fingerprint() const override { return std::nullopt; }
  std::size_t pending_count() const override { return pending_.size(); }
  EventId pending_id(std::size_t position) const override { return event_at(position).id; }
  Event pending_event(std::size_t position) const override { return event_at(position); }
  std::size_t position_of(std::size_t index) const override { return index; }

  std::set<std::size_t> asks;
  std::map<std::size_t, std::size_t> answers;  // of the last run

 private:
  void enable(std::size_t parent) {
    for (std::size_t i = 0; i < forest_.size(); ++i) {
      if (forest_[i].parent == parent) pending_.push_back(i);
    }
  }

  Forest forest_;
  std::vector<std::size_t> pending_;
  std::map<std::size_t, std::uint32_t> step_of_;
};

// One first run and the whole family after it, as schedules of the forest's own numbers.
family::Family runs_of(HittingStrategy& strategy, const Forest& forest, std::uint64_t seed = 1) {
  World world(forest);
  (void)world.run(strategy, 0, seed);
  const std::size_t size = strategy.schedules().size();
  family::Family family;
  for (std::uint64_t run = 1; run <= size; ++run) {
    family.push_back(world.run(strategy, run, seed));
  }
  return family;
}

TEST(Hitting, ExecutesEveryAdmissibleTuple) {
  const Forest forests[] = {
      of_chains({3, 3}),
      of_chains({1, 1, 1, 1}),
      of_parents({none, 0, 0, 1, 1, 2, 2}),
      of_parents({none, 0, 0, 0, 3, none, 5}),
  };
  for (const Forest& forest : forests) {
    for (std::uint32_t depth = 1; depth <= 4; ++depth) {
      HittingStrategy strategy({.depth = depth});
      const family::Family family = runs_of(strategy, forest);
      EXPECT_FALSE(family::missed_tuple(poset_of(forest), family, depth)) << depth;
      EXPECT_EQ(strategy.followed(), family.size());
      EXPECT_EQ(strategy.left(), 0U);
      EXPECT_EQ(std::set<family::Schedule>(family.begin(), family.end()).size(), family.size());
      EXPECT_TRUE(strategy.guarantee().voids.empty());
    }
  }
}

TEST(Hitting, SaysWhatItHasDone) {
  HittingStrategy strategy({.depth = 3});
  EXPECT_EQ(strategy.guarantee().statement, "none known");
  World world(of_parents({none, 0, 0, 1, 1, 2, 2}));
  (void)world.run(strategy, 0);
  (void)world.run(strategy, 1);
  const Guarantee guarantee = strategy.guarantee();
  EXPECT_THAT(guarantee.statement, HasSubstr("every order of 3 of the 7 events of run 0"));
  ASSERT_EQ(guarantee.voids.size(), 1U);
  EXPECT_THAT(guarantee.voids[0], HasSubstr("only 1 schedule of them executed so far"));
  EXPECT_FALSE(guarantee.per_run);
}

TEST(Hitting, BeginsAnotherFamilyWhenOneIsUsedUp) {
  HittingStrategy strategy({.depth = 2});
  const Forest forest = of_chains({2, 2});
  World world(forest);
  for (std::uint64_t run = 0; run < 9; ++run) (void)world.run(strategy, run);  // 1 + 2, three times
  EXPECT_EQ(strategy.followed(), 6U);
  // In the middle of the fourth the third is what was done.
  (void)world.run(strategy, 9);
  (void)world.run(strategy, 10);
  EXPECT_THAT(strategy.guarantee().statement, HasSubstr("every order of 2 of the 4 events of run 6 "));
  EXPECT_TRUE(strategy.guarantee().voids.empty());
}

// The system changes under the schedules: what was learned from one forest is tried on another one.
TEST(Hitting, FollowsAsFarAsItCanAndCountsTheRest) {
  HittingStrategy strategy({.depth = 2});
  World first(of_chains({3, 3}));
  (void)first.run(strategy, 0);
  World other(of_chains({3, 2, 2}));
  const family::Schedule schedule = other.run(strategy, 1);
  EXPECT_EQ(schedule.size(), 7U);  // everything is executed all the same
  EXPECT_EQ(strategy.followed(), 0U);
  EXPECT_EQ(strategy.left(), 1U);
  const Guarantee guarantee = strategy.guarantee();
  EXPECT_THAT(guarantee.voids.back(),
              HasSubstr("1 of 1 schedule could not be followed to the end (the first in run 1)"));
}

TEST(Hitting, PruningLeavesOnlyRaces) {
  // Two chains to two receivers, and one lonely event that races with the end of the first chain.
  Forest forest = of_chains({4, 4, 1});
  forest.back().receiver = 0;
  HittingStrategy pruned({.depth = 3, .prune = true});
  const family::Family family = runs_of(pruned, forest);
  EXPECT_LE(family.size(), 2 * 5U);  // the first chain and the lonely event
  for (const family::Tuple& tuple : family::admissible_tuples(poset_of(forest), 3)) {
    const bool race =
        std::all_of(tuple.begin(), tuple.end(), [](family::Element x) { return x < 4 || x == 8; });
    const bool hit =
        std::any_of(family.begin(), family.end(), [&](const auto& run) { return family::hits(run, tuple); });
    EXPECT_TRUE(hit || !race);
  }
  EXPECT_THAT(pruned.guarantee().statement, HasSubstr("pruned to 5 racing events"));
}

TEST(Hitting, GivesTheFirstRunsAnswersAgain) {
  HittingStrategy strategy({.depth = 2});
  World world(of_chains({3, 3, 3}));
  world.asks = {0, 1, 4, 7, 8};
  (void)world.run(strategy, 0);
  const std::map<std::size_t, std::size_t> first = world.answers;
  for (std::uint64_t run = 1; run <= 2; ++run) {
    (void)world.run(strategy, run);
    EXPECT_EQ(world.answers, first);
  }
}

TEST(Hitting, IsTheSameForTheSameSeed) {
  HittingStrategy a({.depth = 3});
  HittingStrategy b({.depth = 3});
  const Forest forest = of_chains({2, 3, 2});
  EXPECT_EQ(runs_of(a, forest, 5), runs_of(b, forest, 5));
}

TEST(Hitting, TakesSmallerTuplesWhereTheFamilyWouldBeTooLarge) {
  // 300 events at once: 8! (log 300^8 + log 10^9) permutations are 2.7 million, with 300 elements each.
  HittingStrategy strategy({.depth = 8});
  World world(of_chains(std::vector<std::size_t>(300, 1)));
  (void)world.run(strategy, 0);
  const Guarantee guarantee = strategy.guarantee();
  ASSERT_FALSE(guarantee.voids.empty());
  EXPECT_THAT(guarantee.voids[0], HasSubstr("instead of 8: the family would have "));
  EXPECT_GT(strategy.schedules().size(), 0U);
}

}  // namespace
}  // namespace gainsay::hitting_test
