#include "gainsay/model/scenario_graph.hpp"

#include <deque>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gainsay/explorer/explore.hpp"
#include "gainsay/explorer/random_system.test.hpp"

namespace gainsay::scenario_graph_test {
namespace {

Scenario random_scenario(const random_system::Features& features) {
  return Scenario::of("random", [features](World& world) { random_system::fill(world, features); });
}

ScenarioGraph graph_of(const Scenario& scenario, unsigned workers = 1) {
  GraphOptions options;
  options.workers = workers;
  return explore_graph(scenario, {}, options);
}

// The same graph by the definition: every alternative of every state is executed, and states are looked up by the hash
// of the world as it is.
struct PlainGraph {
  std::set<std::uint64_t> states;
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::vector<std::uint32_t>, std::uint64_t>> steps;
};
PlainGraph plain_graph(const Blueprint& blueprint, const std::set<std::uint64_t>& wrong) {
  Engine engine(blueprint);
  PlainGraph plain;
  WorldState first;
  engine.stepper.initial(first);
  std::deque<WorldState> queue{first};
  plain.states.insert(engine.hash.of(first));
  while (!queue.empty()) {
    const WorldState world = queue.front();
    queue.pop_front();
    const std::uint64_t from = engine.hash.of(world);
    if (wrong.contains(from)) continue;
    Alternatives alternatives;
    engine.network.enabled(world, alternatives);
    for (std::size_t i = 0; i < alternatives.count; ++i) {
      const Alternative alternative = alternatives.at(world, i);
      if (alternative.kind == EventKind::stop) continue;
      std::uint64_t event = mix(static_cast<std::uint64_t>(alternative.kind), alternative.target);
      if (concerns_pending(alternative))
        event = mix(static_cast<std::uint64_t>(alternative.kind),
                    engine.hash.class_of(world.pending[alternative.target].envelope));
      engine.for_each_outcome(world, alternative,
                              [&](const WorldState& next, const StepResult& result, const auto& answers) {
                                if (result.failure != nullptr) return false;
                                std::vector<std::uint32_t> numbers;
                                for (const DataChoice& each : answers) numbers.push_back(each.answer);
                                const std::uint64_t to = engine.hash.of(next);
                                plain.steps.emplace(from, event, numbers, to);
                                if (plain.states.insert(to).second) queue.push_back(next);
                                return false;
                              });
    }
  }
  return plain;
}

TEST(ScenarioGraph, HasTheStatesAndStepsOfTheDefinition) {
  std::uint64_t compared = 0;
  for (std::uint64_t number = 0; number < 150; ++number) {
    random_system::Features features =
        number % 3 == 2 ? random_system::draw_faulty(number) : random_system::draw(number);
    features.invariant = features.monitor = false;  // states that break one are not expanded
    SCOPED_TRACE(random_system::text(features));
    const Scenario scenario = random_scenario(features);
    GraphOptions options;
    options.states_max = 3000;
    const ScenarioGraph found = explore_graph(scenario, {}, options);
    if (!found.incomplete_because.empty()) continue;
    ++compared;
    const StateGraph& graph = found.graph;
    ASSERT_EQ(graph.check(), "");
    const Blueprint blueprint = random_system::build(features);
    const PlainGraph plain = plain_graph(blueprint, {});
    EXPECT_EQ(std::set<std::uint64_t>(graph.keys.begin(), graph.keys.end()), plain.states);
    EXPECT_EQ(graph.edges(), plain.steps.size());
  }
  EXPECT_GT(compared, 100U);
}

TEST(ScenarioGraph, IsTheSameForAnyNumberOfWorkers) {
  for (std::uint64_t number = 200; number < 240; ++number) {
    const random_system::Features features = random_system::draw(number);
    SCOPED_TRACE(random_system::text(features));
    const Scenario scenario = random_scenario(features);
    GraphOptions options;
    options.states_max = 20'000;
    const ScenarioGraph one = explore_graph(scenario, {}, options);
    if (!one.incomplete_because.empty()) continue;
    options.workers = 3;
    const ScenarioGraph three = explore_graph(scenario, {}, options);
    EXPECT_TRUE(one.graph == three.graph);
    EXPECT_EQ(one.graph.digest(), three.graph.digest());
    ASSERT_EQ(one.violations.size(), three.violations.size());
    for (std::size_t i = 0; i < one.violations.size(); ++i) {
      EXPECT_EQ(one.violations[i].violation, three.violations[i].violation);
      EXPECT_EQ(one.violations[i].node, three.violations[i].node);
    }
  }
}

TEST(ScenarioGraph, HasAsManyStatesAsExplore) {
  for (std::uint64_t number = 300; number < 340; ++number) {
    const random_system::Features features = random_system::draw(number);
    SCOPED_TRACE(random_system::text(features));
    const Scenario scenario = random_scenario(features);
    ExploreOptions explore_options;
    explore_options.keep_going = true;
    explore_options.states_max = 20'000;
    const ExploreResult explored = explore(scenario, {}, explore_options);
    if (explored.states >= 20'000) continue;
    const ScenarioGraph graph = graph_of(scenario);
    EXPECT_EQ(graph.graph.nodes(), explored.states);
    EXPECT_LE(graph.graph.edges(), explored.transitions);
    EXPECT_EQ(*std::max_element(graph.depth.begin(), graph.depth.end()), explored.depth);
    EXPECT_EQ(graph.violations.empty(), explored.violations.empty());
  }
}

struct Ping {
  int number = 0;
};
struct Echo {
  using Receives = Messages<Ping>;
  int seen = 0;
  void on(const Ping& ping, Context& ctx) { seen += ctx.choose(2) == 1 ? ping.number : 1; }
};

Scenario echo_scenario() {
  return Scenario::of("echo", [](World& world) {
    const auto a = world.spawn<Echo>("a");
    const auto b = world.spawn<Echo>("b");
    world.send(a, Ping{5});
    world.send(b, Ping{7});
    world.reached("both", [a, b](View view) { return view[a].seen > 0 && view[b].seen > 0; });
  });
}

TEST(ScenarioGraph, SaysWhatHappensOnAnEdge) {
  GraphOptions options;
  options.marks = {"both"};
  const ScenarioGraph found = explore_graph(echo_scenario(), {}, options);
  const StateGraph& graph = found.graph;
  EXPECT_EQ(graph.nodes(), 9U);  // three states of each
  EXPECT_EQ(graph.edges(), 12U);
  ASSERT_EQ(graph.events.size(), 4U);
  EXPECT_EQ(describe(graph.events[0]), "deliver Ping{number: 5} from outside to a, answers 0");
  EXPECT_EQ(graph.events[1].receiver, "a");
  EXPECT_EQ(graph.events[1].message, "Ping{number: 5}");
  EXPECT_EQ(graph.events[1].answers.front().answer, 1U);
  EXPECT_EQ(graph.events[0].identity, graph.events[1].identity);
  EXPECT_NE(graph.events[0].identity, graph.events[2].identity);
  EXPECT_EQ(graph.columns, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(graph.value(0, 0), "Echo{seen: 0}");
  EXPECT_EQ(static_cast<const Echo*>(found.state(0, 1))->seen, 0);
  ASSERT_EQ(graph.marks.size(), 1U);
  EXPECT_EQ(std::count(graph.marks[0].holds.begin(), graph.marks[0].holds.end(), true), 4);
}

TEST(ScenarioGraph, StopsWhereItIsTold) {
  GraphOptions options;
  options.states_max = 3;
  const ScenarioGraph found = explore_graph(echo_scenario(), {}, options);
  EXPECT_EQ(found.incomplete_because, "--max-states");
  EXPECT_EQ(found.graph.check(), "");
  options.marks = {"bath"};
  EXPECT_THROW((void)explore_graph(echo_scenario(), {}, options), UserError);
}

}  // namespace
}  // namespace gainsay::scenario_graph_test
