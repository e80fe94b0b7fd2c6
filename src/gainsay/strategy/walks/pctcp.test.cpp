#include "gainsay/strategy/walks/pctcp.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "gainsay/strategy/choice_tree.test.hpp"
#include "gainsay/strategy/walks/forest.test.hpp"

namespace gainsay::pctcp_test {
namespace {

using forest::Forest;
using forest::no_parent;
using forest::Schedule;

// --- a dumb twin ---

// Algorithm 1 of the thesis to the letter, with lists of chains and every random draw followed: all schedules
// with their probabilities.
class Twin {
 public:
  Twin(Forest forest, std::uint64_t depth) : forest_(std::move(forest)), depth_(depth) {}

  std::map<Schedule, double> schedules() {
    std::vector<std::uint64_t> points;
    draw(points, 1);
    return found_;
  }

 private:
  struct State {
    std::vector<std::vector<std::size_t>> chains;  // the first depth - 1 are for chains that fell
    std::map<std::size_t, std::size_t> labels;     // of events
    std::size_t added = 0;
    Schedule schedule;
    std::vector<std::size_t> pending;
  };

  void draw(std::vector<std::uint64_t>& points, double probability) {
    if (points.size() == depth_ - 1) {
      State state;
      state.chains.resize(depth_ - 1);
      add(state, forest::children(forest_, no_parent), 0, points, probability);
      return;
    }
    const double left = static_cast<double>(forest_.size() - points.size());
    for (std::uint64_t point = 1; point <= forest_.size(); ++point) {
      if (std::find(points.begin(), points.end(), point) != points.end()) continue;
      points.push_back(point);
      draw(points, probability / left);
      points.pop_back();
    }
  }

  // addNewEvent for events[at], events[at + 1], ...; then the next step.
  void add(State state, const std::vector<std::size_t>& events, std::size_t at,
           const std::vector<std::uint64_t>& points, double probability) {
    if (at == events.size()) {
      step(std::move(state), points, probability);
      return;
    }
    const std::size_t event = events[at];
    ++state.added;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i] == state.added) state.labels[event] = i;
    }
    state.pending.push_back(event);
    for (auto& chain : state.chains) {
      if (!chain.empty() && chain.back() == forest_[event].parent) {
        chain.push_back(event);
        add(std::move(state), events, at + 1, points, probability);
        return;
      }
    }
    const std::size_t places = state.chains.size() - (depth_ - 1) + 1;
    for (std::size_t place = 0; place < places; ++place) {
      State next = state;
      next.chains.insert(next.chains.begin() + static_cast<std::ptrdiff_t>(depth_ - 1 + place), {event});
      add(std::move(next), events, at + 1, points, probability / static_cast<double>(places));
    }
  }

  void step(State state, const std::vector<std::uint64_t>& points, double probability) {
    if (state.pending.empty()) {
      found_[state.schedule] += probability;
      return;
    }
    const auto enabled = [&](std::size_t event) {
      return std::find(state.pending.begin(), state.pending.end(), event) != state.pending.end();
    };
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t j = 0; j < state.chains.size() && !moved; ++j) {
        if (state.chains[j].empty() || !enabled(state.chains[j].back())) continue;
        const auto label = state.labels.find(state.chains[j].back());
        if (label == state.labels.end() || label->second == j) continue;
        std::swap(state.chains[j], state.chains[label->second]);
        moved = true;
      }
    }
    std::size_t best = 0;
    for (std::size_t j = 0; j < state.chains.size(); ++j) {
      if (!state.chains[j].empty() && enabled(state.chains[j].back())) best = j;
    }
    const std::size_t event = state.chains[best].back();
    std::erase(state.pending, event);
    state.schedule.push_back(event);
    add(std::move(state), forest::children(forest_, event), 0, points, probability);
  }

  Forest forest_;
  std::uint64_t depth_;
  std::map<Schedule, double> found_;
};

// Definition 6.2.
bool strongly_hits(const Forest& forest, const Schedule& schedule, const std::vector<std::size_t>& tuple) {
  for (std::size_t i = 0; i < tuple.size(); ++i) {
    const auto from = std::find(schedule.begin(), schedule.end(), tuple[i]);
    for (auto y = from; y != schedule.end(); ++y) {
      bool excused = false;
      for (std::size_t j = i; j < tuple.size(); ++j)
        excused = excused || forest::at_or_above(forest, *y, tuple[j]);
      if (!excused) return false;
    }
  }
  return true;
}

void each_tuple(std::size_t n, std::size_t d, std::vector<std::size_t>& tuple,
                const std::function<void(const std::vector<std::size_t>&)>& visit) {
  if (tuple.size() == d) return visit(tuple);
  for (std::size_t x = 0; x < n; ++x) {
    if (std::find(tuple.begin(), tuple.end(), x) != tuple.end()) continue;
    tuple.push_back(x);
    each_tuple(n, d, tuple, visit);
    tuple.pop_back();
  }
}

// The thesis' example 6.1: request causes log and terminate; terminate, flush, flushed.
const Forest flush_race = forest::of_parents({no_parent, 0, 0, 2, 3});
const Forest two_trees = forest::of_parents({no_parent, no_parent, 0, 0, 1});
const Forest antichain = forest::of_parents({no_parent, no_parent, no_parent, no_parent});
const Forest bushy = forest::of_parents({no_parent, 0, 0, 0, 1, 1});

// Every d-tuple of a forest (whose labels are stable, because ids are) is strongly hit with probability at
// least 1/(width * n^(d-1)): the twin's probabilities are exact, so no statistics are needed.
TEST(Pctcp, TheBoundHoldsForEveryTupleOfSmallForests) {
  for (const Forest& forest : {flush_race, two_trees, antichain, bushy, forest::of_chains({1, 2, 3})}) {
    for (std::uint64_t depth = 1; depth <= 3; ++depth) {
      const auto schedules = Twin(forest, depth).schedules();
      const double n = static_cast<double>(forest.size());
      const double bound =
          1 / (static_cast<double>(forest::width(forest)) * std::pow(n, static_cast<double>(depth - 1)));
      std::vector<std::size_t> tuple;
      each_tuple(forest.size(), depth, tuple, [&](const std::vector<std::size_t>& xs) {
        double hit = 0;
        for (const auto& [schedule, probability] : schedules)
          hit += strongly_hits(forest, schedule, xs) ? probability : 0;
        EXPECT_GE(hit, bound - 1e-12) << testing::PrintToString(xs);
      });
    }
  }
}

TEST(Pctcp, SamplesExactlyAsAlgorithmOneDoes) {
  for (const Forest& forest : {flush_race, two_trees, antichain, bushy}) {
    for (std::uint32_t depth = 1; depth <= 3; ++depth) {
      SCOPED_TRACE(testing::Message() << forest.size() << " events, depth " << depth);
      PctcpStrategy strategy({.depth = depth});
      const std::uint64_t runs = 12'000;
      const auto counts = forest::World(forest).frequencies(strategy, runs);
      forest::expect_distribution(counts, Twin(forest, depth).schedules(), runs);
    }
  }
}

// What the run-time check of one pass over the pending list calls a chain is what the partition by Agarwal and
// Garg makes of a forest, so `causes` needs no partition at run time.
TEST(Pctcp, ChainsOfCausesAreThoseOfAlgorithmTwo) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    Forest forest;
    const std::size_t n = 1 + rng.below(30);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t parent = rng.below(i + 1);
      forest.push_back({parent == i ? no_parent : parent, 0});
    }
    PctcpStrategy strategy({.depth = 3});
    forest::World world(forest);
    const Schedule schedule = world.run(strategy, static_cast<std::uint64_t>(round));
    EXPECT_EQ(strategy.chains(), forest::width(forest));
    EXPECT_EQ(strategy.events_added(), n);

    family::ChainPartition partition;
    std::map<std::size_t, family::ChainPartition::Past> pasts;
    for (const std::size_t root : forest::children(forest, no_parent)) partition.add(pasts[root]);
    for (const std::size_t event : schedule) {
      for (const std::size_t child : forest::children(forest, event)) {
        pasts[child] = pasts[event];
        partition.add(pasts[child]);
      }
    }
    EXPECT_EQ(partition.chains(), strategy.chains());
  }
}

// With many pending events the highest is kept on a heap; a chain that is higher than another never waits for it.
// Random forests of 200 events, wide and narrow by turns: at depth 1 the order of execution must be that of fixed
// priorities, so whenever two chains had a pending event at the same time, the same one of them went first.
TEST(Pctcp, ManyPendingEventsAreTakenInTheOrderOfTheirPriorities) {
  Rng rng(19);
  for (std::uint64_t round = 0; round < 40; ++round) {
    Forest forest;
    for (std::size_t i = 0; i < 200; ++i) {
      const bool root = i < 20 || rng.chance(1, 3);
      forest.push_back({root ? no_parent : rng.below(i), 0});
    }
    // The chain of an event: its parent's if it is the first child, else its own number.
    std::vector<std::size_t> chain(forest.size());
    for (std::size_t i = 0; i < forest.size(); ++i) {
      const std::size_t parent = forest[i].parent;
      const bool first = parent != no_parent && forest::children(forest, parent).front() == i;
      chain[i] = first ? chain[parent] : i;
    }
    PctcpStrategy strategy({.depth = 1});
    const Schedule schedule = forest::World(forest).run(strategy, round);
    ASSERT_EQ(schedule.size(), forest.size());
    std::set<std::size_t> pending;
    for (const std::size_t root : forest::children(forest, no_parent)) pending.insert(root);
    std::set<std::pair<std::size_t, std::size_t>> higher;
    for (const std::size_t event : schedule) {
      pending.erase(event);
      for (const std::size_t other : pending) {
        higher.emplace(chain[event], chain[other]);
        EXPECT_FALSE(higher.contains({chain[other], chain[event]}));
      }
      for (const std::size_t child : forest::children(forest, event)) pending.insert(child);
    }
  }
}

// Burckhardt et al.'s classic: all 20 steps of one chain come before the only step of another. Random needs
// 2^-20; with priorities it is a matter of who is higher, 1/2. 10,000 runs: six standard deviations are 300.
TEST(Pctcp, RunsAChainOfTwentyBeforeASingleStep) {
  const Forest forest = forest::of_chains({20, 1});
  for (const auto order : {PctcpOptions::Order::causes, PctcpOptions::Order::happened_before}) {
    PctcpStrategy strategy({.depth = 1, .order = order});
    forest::World world(forest);
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) last += world.run(strategy, i).back() == 20 ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(last), 5'000, 300);
  }
}

// A chain that begins late can still get the top priority: of three events that one event causes, each is
// first with probability 1/3, although two of them begin chains and one continues.
TEST(Pctcp, NewChainsCanGetTheTopPriority) {
  PctcpStrategy strategy({.depth = 1});
  std::map<std::size_t, std::uint64_t> second;
  const Forest fan = forest::of_parents({no_parent, 0, 0, 0});
  forest::World world(fan);
  for (std::uint64_t i = 0; i < 12'000; ++i) ++second[world.run(strategy, i)[1]];
  forest::expect_distribution(second, std::map<std::size_t, double>{{1, 1.0 / 3}, {2, 1.0 / 3}, {3, 1.0 / 3}},
                              12'000);
}

// Happened-before joins what meets in an actor: two messages to one actor, each answered, are three events in a
// row for whoever hears both answers. Fewer chains than causes alone would need.
TEST(Pctcp, HappenedBeforeNeedsFewerChains) {
  // Five senders tell actor 9, which tells actor 8 of each: by causes five chains.
  Forest forest;
  for (std::size_t i = 0; i < 5; ++i) forest.push_back({no_parent, 9});
  for (std::size_t i = 0; i < 5; ++i) forest.push_back({i, 8});
  for (std::size_t i = 0; i < 5; ++i) forest.push_back({5 + i, 9});
  for (std::size_t i = 0; i < 5; ++i) forest.push_back({9, 7});
  std::uint64_t by_cause = 0;
  std::uint64_t by_past = 0;
  for (std::uint64_t i = 0; i < 50; ++i) {
    PctcpStrategy causes({.depth = 1});
    PctcpStrategy past({.depth = 1, .order = PctcpOptions::Order::happened_before});
    forest::World(forest).run(causes, i);
    forest::World(forest).run(past, i);
    by_cause += causes.chains();
    by_past += past.chains();
  }
  EXPECT_EQ(by_cause, 50 * forest::width(forest));
  EXPECT_LT(by_past, by_cause);
}

// --- change points and what is learned ---

TEST(Pctcp, TheFirstRunHasChangePointsToo) {
  // Two events that one event causes, the first and the second: the order 0 1 2 or 0 2 1. At depth 2 the
  // change point is event 1, 2 or 3 with equal chances, in run 0 of every seed: exactly as the twin says.
  const Forest forest = forest::of_parents({no_parent, 0, 0});
  std::map<Schedule, std::uint64_t> counts;
  for (std::uint64_t seed = 0; seed < 8'000; ++seed) {
    PctcpStrategy strategy({.depth = 2});
    forest::World world(forest);
    world.scout(strategy, seed);
    ++counts[world.run(strategy, 0, seed)];
  }
  forest::expect_distribution(counts, Twin(forest, 2).schedules(), 8'000);
}

Guarantee learn_and_promise(PctcpStrategy& strategy) {
  strategy.learner()->learn(*strategy.learner()->take_lessons());
  return strategy.guarantee();
}

TEST(Pctcp, PromisesWhatWasLearned) {
  PctcpStrategy strategy({.depth = 2});
  forest::World world(flush_race);
  world.scout(strategy);
  for (std::uint64_t i = 0; i < 100; ++i) world.run(strategy, i);
  const Guarantee guarantee = learn_and_promise(strategy);
  ASSERT_TRUE(guarantee.per_run);
  EXPECT_DOUBLE_EQ(*guarantee.per_run, 0.1);
  EXPECT_EQ(guarantee.runs, 100U);
  EXPECT_EQ(guarantee.inputs,
            (std::vector<std::pair<std::string, std::uint64_t>>{{"depth", 2}, {"events", 5}, {"chains", 2}}));
  EXPECT_EQ(guarantee.chains_mean, 2);
  EXPECT_FALSE(guarantee.assumptions.empty());
  EXPECT_TRUE(guarantee.voids.empty());
}

TEST(Pctcp, ARunThatOutgrowsAGivenNMakesTheBoundVoid) {
  PctcpStrategy strategy({.depth = 2, .n = 4});
  EXPECT_FALSE(strategy.needs().scout);
  forest::World world(flush_race);
  for (std::uint64_t i = 0; i < 10; ++i) world.run(strategy, i);
  const Guarantee guarantee = learn_and_promise(strategy);
  EXPECT_FALSE(guarantee.per_run);
  ASSERT_EQ(guarantee.voids.size(), 1U);
  EXPECT_EQ(
      guarantee.voids[0],
      "10 of 10 runs had more than n=4 events (the longest had 5); give a larger n, or none to learn it");
}

// Runs that drew from a smaller n than was needed later do not count.
TEST(Pctcp, RunsBeforeTheLargestWasKnownDoNotCount) {
  PctcpStrategy strategy({.depth = 2});
  forest::World small(forest::of_chains({2, 1}));
  small.scout(strategy);
  for (std::uint64_t i = 0; i < 10; ++i) small.run(strategy, i);
  forest::World large(flush_race);
  large.run(strategy, 10);
  const auto first = strategy.learner()->take_lessons();
  strategy.learner()->learn(*first);
  for (std::uint64_t i = 11; i < 18; ++i) large.run(strategy, i);
  first->merge(*strategy.learner()->take_lessons());
  strategy.learner()->learn(*first);
  const Guarantee guarantee = strategy.guarantee();
  EXPECT_EQ(guarantee.runs, 7U);
  ASSERT_EQ(guarantee.voids.size(), 1U);
  EXPECT_EQ(guarantee.voids[0],
            "11 of 18 runs do not count: they were drawn before executions of 5 events were known");
}

TEST(Pctcp, AFairSuffixDoesNotCount) {
  PctcpStrategy strategy({.depth = 1});
  forest::World world(flush_race);
  for (std::uint64_t i = 0; i < 4; ++i) world.run(strategy, i);
  strategy.begin({4, 1, 100});
  strategy.end({Ending::quiescent, 9, true});
  const Guarantee guarantee = learn_and_promise(strategy);
  EXPECT_EQ(guarantee.runs, 4U);
  ASSERT_EQ(guarantee.voids.size(), 1U);
  EXPECT_EQ(guarantee.voids[0], "1 of 5 runs do not count: they ended with a fair suffix");
}

// --- the livelock rule ---

// One chain without end beside a single event: without the rule the single event waits for ever in half of
// the runs; with it, at most `livelock` steps.
TEST(Pctcp, SetsAChainAsideThatRunsAlone) {
  std::vector<std::size_t> parents = {no_parent, no_parent};
  for (std::size_t i = 0; i < 400; ++i) parents.push_back(i == 0 ? 0 : parents.size() - 1);
  const Forest forest = forest::of_parents(parents);
  for (const std::uint32_t livelock : {0U, 10U}) {
    PctcpStrategy strategy({.depth = 1, .livelock = livelock});
    std::size_t latest = 0;
    for (std::uint64_t i = 0; i < 50; ++i) {
      const Schedule schedule = forest::World(forest).run(strategy, i);
      const auto single = std::find(schedule.begin(), schedule.end(), 1);
      latest = std::max(latest, static_cast<std::size_t>(single - schedule.begin()));
    }
    EXPECT_EQ(latest, livelock == 0 ? 401U : 10U);
    const Guarantee guarantee = learn_and_promise(strategy);
    EXPECT_EQ(guarantee.voids.size(), livelock == 0 ? 0U : 1U);
    if (livelock > 0) {
      EXPECT_NE(guarantee.voids[0].find("livelock"), std::string::npos);
    }
  }
}

// --- faults and data ---

// A crash is an event like others: with one ordinary event and one crash, 1/2 for either to be first; a drop is
// drawn apart, 1/16.
TEST(Pctcp, CrashesAreEventsAndOtherFaultsAreDrawnApart) {
  const auto count_first = [](EventKind kind) {
    Event ordinary;
    ordinary.id = EventId{1};
    Event fault;
    fault.id = EventId{2};
    fault.kind = kind;
    const std::vector<Event> list = {ordinary, fault};
    const choice_tree::Source source(list);
    PctcpStrategy strategy({.depth = 1});
    std::uint64_t first = 0;
    for (std::uint64_t i = 0; i < 8'000; ++i) {
      strategy.begin({i, 1, 100});
      first += strategy.choose(ChoicePoint::events(source, 0, 2, 1));
    }
    return static_cast<double>(first);
  };
  EXPECT_NEAR(count_first(EventKind::crash), 4000, 6 * 45);
  EXPECT_NEAR(count_first(EventKind::drop), 500, 6 * 22);
}

TEST(Pctcp, DataChoicesAreNotSteps) {
  PctcpStrategy strategy({.depth = 3, .n = 2});
  strategy.begin({0, 1, 100});
  std::set<std::size_t> answers;
  for (int i = 0; i < 200; ++i) answers.insert(strategy.choose(ChoicePoint::value(0, 4)));
  EXPECT_EQ(answers.size(), 4U);
  EXPECT_EQ(strategy.events_added(), 0U);
}

TEST(Pctcp, RefusesADepthOfNothing) {
  EXPECT_THROW(find_strategy("pctcp").make({{"depth", "0"}}), UserError);
  EXPECT_THROW(find_strategy("pctcp").make({{"n", "-1"}}), UserError);
  EXPECT_NE(find_strategy("pctcp").make({{"depth", "5"}, {"order", "happened_before"}}), nullptr);
}

}  // namespace
}  // namespace gainsay::pctcp_test
