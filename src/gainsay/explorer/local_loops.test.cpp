#include "gainsay/explorer/local_loops.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::local_loops_test {
namespace {

// Two actors throw a ball; a third only counts what it is sent.
TEST(LocalLoops, KeepsWhatComesBackToItself) {
  std::vector<LocalStep> steps = {
      {0, 1, 2, 10, {11}},     {0, 2, 1, 10, {11}},  // takes 10, sends 11, and changes to and fro
      {1, 5, 5, 11, {10, 12}},                       // answers 11 with 10, and tells the third
      {2, 7, 8, 12, {}},       {2, 8, 9, 12, {13}},  // which never comes back to a count
      {1, 5, 5, 13, {10}},                           // nobody sends 13 but who counts
  };
  keep_steps_on_loops(steps);
  std::set<EnvelopeId> taken;
  for (const LocalStep& step : steps) taken.insert(step.taken);
  EXPECT_EQ(steps.size(), 3U);
  EXPECT_EQ(taken, (std::set<EnvelopeId>{10, 11}));
}

TEST(LocalLoops, NothingIsLeftOfWhatEnds) {
  // The first two would go on for ever if somebody kept starting them.
  std::vector<LocalStep> steps = {
      {0, 1, 1, 10, {11}}, {1, 1, 1, 11, {}}, {2, 1, 2, 12, {10}}, {2, 2, 3, 12, {10}}};
  keep_steps_on_loops(steps);
  EXPECT_TRUE(steps.empty());
}

// --- the twin: all worlds of a small random system, and which of its steps lie on a loop of them ---

using World = std::pair<std::vector<CellId>, std::multiset<EnvelopeId>>;

struct Edge {
  World from;
  std::size_t step = 0;
  World to;
};

std::vector<LocalStep> random_steps(Rng& rng) {
  std::vector<LocalStep> steps;
  const std::uint64_t count = 3 + rng.below(5);
  for (std::uint64_t i = 0; i < count; ++i) {
    LocalStep step;
    step.taken = static_cast<EnvelopeId>(1 + rng.below(4));
    step.slot = step.taken % 2;
    step.from = static_cast<CellId>(1 + rng.below(3));
    step.to = static_cast<CellId>(1 + rng.below(3));
    for (std::uint64_t put = rng.below(3); put > 0; --put)
      step.put.push_back(static_cast<EnvelopeId>(1 + rng.below(4)));
    steps.push_back(step);
  }
  return steps;
}

std::vector<Edge> all_edges(const std::vector<LocalStep>& steps, const World& first) {
  std::vector<Edge> edges;
  std::set<World> known{first};
  std::vector<World> open{first};
  while (!open.empty()) {
    const World world = open.back();
    open.pop_back();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      World next = world;
      const auto taken = next.second.find(steps[i].taken);
      if (world.first[steps[i].slot] != steps[i].from || taken == next.second.end()) continue;
      next.second.erase(taken);
      next.first[steps[i].slot] = steps[i].to;
      next.second.insert(steps[i].put.begin(), steps[i].put.end());
      if (next.second.size() > 4) continue;
      edges.push_back({world, i, next});
      if (known.insert(next).second) open.push_back(next);
    }
  }
  return edges;
}

bool reaches(const std::map<World, std::vector<World>>& next, const World& from, const World& to) {
  std::set<World> known{from};
  std::vector<World> open{from};
  while (!open.empty()) {
    const World world = open.back();
    open.pop_back();
    if (world == to) return true;
    const auto found = next.find(world);
    if (found == next.end()) continue;
    for (const World& each : found->second) {
      if (known.insert(each).second) open.push_back(each);
    }
  }
  return false;
}

TEST(LocalLoops, DropsNoStepOfALoop) {
  std::size_t on_loops = 0;
  std::size_t proved = 0;
  for (std::uint64_t number = 1; number <= 1000; ++number) {
    Rng rng(number, 5);
    const std::vector<LocalStep> steps = random_steps(rng);
    World first{{1, 1}, {}};
    for (EnvelopeId envelope = 1; envelope <= 3; ++envelope) first.second.insert(envelope);
    const std::vector<Edge> edges = all_edges(steps, first);
    std::map<World, std::vector<World>> next;
    for (const Edge& edge : edges) next[edge.from].push_back(edge.to);
    std::vector<LocalStep> kept = steps;
    keep_steps_on_loops(kept);
    bool loops = false;
    for (const Edge& edge : edges) {
      if (!reaches(next, edge.to, edge.from)) continue;
      loops = true;
      const LocalStep& step = steps[edge.step];
      EXPECT_TRUE(std::any_of(kept.begin(), kept.end(),
                              [&](const LocalStep& each) {
                                return each.slot == step.slot && each.from == step.from &&
                                       each.to == step.to && each.taken == step.taken && each.put == step.put;
                              }))
          << "system " << number;
    }
    on_loops += loops ? 1 : 0;
    proved += kept.empty() ? 1 : 0;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(on_loops, 50U);
  EXPECT_GT(proved, 50U);
}

// --- as explore uses it ---

struct Wanted {};
struct Service {
  using Observes = Messages<Wanted>;
  bool wanted = false;
  void on(const Wanted&) { wanted = true; }
  bool hot() const { return wanted; }
};
struct Tick {};
// Wants something that never comes, and looks for it now and then: a number of times, or for ever.
struct Waiter {
  using Receives = Messages<Tick>;
  int looks = 0;  // 0: for ever
  int looked = 0;
  void on_start(Context& ctx) {
    ctx.notify<Service>(Wanted{});
    ctx.after(std::chrono::milliseconds(1), Tick{});
  }
  void on(const Tick&, Context& ctx) {
    if (looks != 0 && ++looked == looks) return;
    ctx.after(std::chrono::milliseconds(1), Tick{});
  }
};

TEST(LocalLoops, OfATimerThatIsArmedAgain) {
  for (const Delivery order : {Delivery::unordered, Delivery::causal}) {
    for (const int looks : {0, 5}) {
      const Scenario scenario = Scenario::of("waiter", [&](gainsay::World& world) {
        world.order(order);
        world.monitor<Service>("service");
        world.spawn("waiter", Waiter{looks});
      });
      for (const unsigned workers : {1U, 2U}) {
        ExploreOptions options;
        options.workers = workers;
        const ExploreResult result = explore(scenario, {}, options);
        ASSERT_EQ(result.violations.size(), 1U);  // a loop, or an end at which it is hot
        EXPECT_EQ(result.violations[0].violation.loop_from != no_step, looks == 0);
      }
    }
  }
}

}  // namespace
}  // namespace gainsay::local_loops_test
