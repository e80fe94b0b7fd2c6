#include "gainsay/model/temporal.hpp"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gainsay/explorer/explore.hpp"
#include "gainsay/model/graph_diff.hpp"
#include "gainsay/model/graph_search.hpp"
#include "gainsay/model/random_graph.test.hpp"
#include "gainsay/model/scenario_graph.hpp"

namespace gainsay::temporal_test {
namespace {

// The nodes of a subset of nodes that an execution can visit again and again without leaving it: whether the subset,
// with the edges within, is strongly connected and has an edge.
bool can_go_round(const StateGraph& graph, std::uint32_t subset) {
  const auto reach = [&](GraphNode from, bool backwards) {
    std::uint32_t seen = 0;
    std::vector<GraphNode> stack{from};
    bool stepped = false;
    while (!stack.empty()) {
      const GraphNode node = stack.back();
      stack.pop_back();
      for (GraphNode a = 0; a < graph.nodes(); ++a) {
        for (GraphEdge e = graph.first[a]; e < graph.first[a + 1]; ++e) {
          const GraphNode b = graph.to[e];
          if (((subset >> a) & (subset >> b) & 1U) == 0 || (backwards ? b : a) != node) continue;
          if (graph.source == StateGraph::Source::tlc && a == b) continue;
          stepped = true;
          const GraphNode next = backwards ? a : b;
          if ((seen >> next & 1U) == 0) {
            seen |= 1U << next;
            stack.push_back(next);
          }
        }
      }
    }
    return stepped ? seen : 0U;
  };
  GraphNode any = 0;
  while ((subset >> any & 1U) == 0) ++any;
  return (reach(any, false) & subset) == subset && (reach(any, true) & subset) == subset;
}

// Weak fairness on a set of nodes that is visited for ever, with all edges within: every event that is enabled in all
// of them is on an edge within.
bool is_fair(const StateGraph& graph, std::uint32_t subset, Fairness fairness) {
  for (std::size_t event = 0; event < graph.events.size(); ++event) {
    bool everywhere = true;
    bool within = false;
    for (GraphNode node = 0; node < graph.nodes(); ++node) {
      if ((subset >> node & 1U) == 0) continue;
      bool here = false;
      for (GraphEdge e = graph.first[node]; e < graph.first[node + 1]; ++e) {
        if (fairness == Fairness::events && graph.event[e] != event) continue;
        if (graph.source == StateGraph::Source::tlc && graph.to[e] == node) continue;
        here = true;
        within = within || (subset >> graph.to[e] & 1U) != 0;
      }
      everywhere = everywhere && here;
    }
    if (everywhere && !within) return false;
  }
  return true;
}

// By the definition: some set of nodes that can be visited for ever, fairly.
bool exists_lasso(const StateGraph& graph, const std::vector<bool>& holds, bool all_without,
                  Fairness fairness) {
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    bool stops = true;
    for (const GraphNode to : graph.targets(node))
      stops = stops && graph.source == StateGraph::Source::tlc && to == node;
    if (stops && !holds[node]) return true;
  }
  for (std::uint32_t subset = 1; subset < 1U << graph.nodes(); ++subset) {
    bool some = false;
    bool all = true;
    for (GraphNode node = 0; node < graph.nodes(); ++node) {
      if ((subset >> node & 1U) == 0) continue;
      some = some || !holds[node];
      all = all && !holds[node];
    }
    if (!(all_without ? all : some)) continue;
    if (can_go_round(graph, subset) && is_fair(graph, subset, fairness)) return true;
  }
  return false;
}

void expect_lasso(const StateGraph& graph, const LassoPath& lasso) {
  GraphNode node = lasso.way.start;
  for (const GraphEdge edge : lasso.way.edges) {
    ASSERT_TRUE(edge >= graph.first[node] && edge < graph.first[node + 1]);
    node = graph.to[edge];
  }
  const GraphNode root = node;
  for (const GraphEdge edge : lasso.loop) {
    ASSERT_TRUE(edge >= graph.first[node] && edge < graph.first[node + 1]);
    node = graph.to[edge];
  }
  EXPECT_EQ(node, root);
}

TEST(Temporal, AgreesWithTheDefinition) {
  std::uint64_t broken = 0;
  std::uint64_t kept = 0;
  for (std::uint64_t number = 0; number < 600; ++number) {
    StateGraph graph = random_graph::draw(number, {5, 9, 2, false});
    if (number % 2 == 0) graph.source = StateGraph::Source::tlc;
    for (std::size_t i = 0; i < graph.events.size(); ++i) graph.events[i].identity = i + 1;
    Rng rng(number);
    std::vector<bool> holds(graph.nodes());
    for (GraphNode node = 0; node < graph.nodes(); ++node) holds[node] = rng.chance(1, 2);
    for (const Fairness fairness : {Fairness::events, Fairness::next}) {
      SCOPED_TRACE(fmt::format("graph {}", number));
      const auto again = broken_always_eventually(graph, holds, fairness);
      EXPECT_EQ(again.has_value(), exists_lasso(graph, holds, true, fairness));
      if (again) expect_lasso(graph, *again);
      const auto ever = broken_eventually_always(graph, holds, fairness);
      EXPECT_EQ(ever.has_value(), exists_lasso(graph, holds, false, fairness));
      if (ever) expect_lasso(graph, *ever);
      (again.has_value() ? broken : kept) += 1;
      (ever.has_value() ? broken : kept) += 1;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(broken, 200U);
  EXPECT_GT(kept, 200U);
}

TEST(Temporal, AnInvariantIsBrokenAsSoonAsCanBe) {
  const StateGraph graph = random_graph::draw(3, {40, 120, 2, false});
  std::vector<bool> holds(graph.nodes(), true);
  EXPECT_FALSE(broken_invariant(graph, holds));
  holds[graph.nodes() - 1] = false;
  const auto path = broken_invariant(graph, holds);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->edges.size(), shortest_ways(graph).depth[graph.nodes() - 1]);
}

struct Kick {};
struct Spinner {
  using Receives = Messages<Kick>;
  int at = 0;
  void on(const Kick& kick, Context& ctx) {
    at = (at + 1) % 3;
    ctx.send(ctx.self(), kick);
  }
};

// A scenario's graph, its goals as predicates.
TEST(Temporal, PropertiesOfAScenario) {
  const Scenario scenario = Scenario::of("spin", [](World& world) {
    const auto a = world.spawn<Spinner>("a");
    world.send(a, Kick{});
    world.reached("home", [a](View view) { return view[a].at == 0; });
    world.reached("below three", [a](View view) { return view[a].at < 3; });
  });
  GraphOptions options;
  options.marks = {"home", "below three"};
  const ScenarioGraph found = explore_graph(scenario, {}, options);
  const StateGraph& graph = found.graph;
  EXPECT_FALSE(broken_always_eventually(graph, graph.marks[0].holds, Fairness::events));
  const auto lasso = broken_eventually_always(graph, graph.marks[0].holds, Fairness::events);
  ASSERT_TRUE(lasso);
  EXPECT_EQ(lasso->loop.size(), 3U);
  EXPECT_FALSE(broken_eventually_always(graph, graph.marks[1].holds, Fairness::events));
}

// Goes round a list of temperatures and tells a monitor: 0 cold, 1 warm, 2 hot.
struct Felt {
  int heat = 0;
};
struct Thermometer {
  using Observes = Messages<Felt>;
  int heat = 0;
  void on(const Felt& felt) { heat = felt.heat; }
  bool hot() const { return heat == 2; }
  bool cold() const { return heat == 0; }
};
struct Weather {
  using Receives = Messages<Kick>;
  std::vector<int> heats;
  std::uint32_t at = 0;
  void on(const Kick& kick, Context& ctx) {
    ctx.notify<Thermometer>(Felt{heats[at]});
    at = (at + 1) % static_cast<std::uint32_t>(heats.size());
    ctx.send(ctx.self(), kick);
  }
};

// Every round of up to four temperatures: it is wrong iff it is hot somewhere and nowhere cold. The graph says so, and
// explore does.
TEST(Temporal, WarmIsNeitherHotNorCold) {
  int wrong = 0;
  for (int length = 1; length <= 4; ++length) {
    for (int code = 0; code < (length == 1 ? 3 : length == 2 ? 9 : length == 3 ? 27 : 81); ++code) {
      std::vector<int> heats;
      for (int i = 0, rest = code; i < length; ++i, rest /= 3) heats.push_back(rest % 3);
      const auto has = [&](int heat) { return std::find(heats.begin(), heats.end(), heat) != heats.end(); };
      const Scenario scenario = Scenario::of("weather", [&](World& world) {
        world.monitor<Thermometer>("thermometer");
        world.send(world.spawn("weather", Weather{heats, 0}), Kick{});
      });
      const StateGraph graph = explore_graph(scenario, {}, {}).graph;
      ASSERT_EQ(graph.marks.size(), has(1) ? 2U : 1U);
      const std::vector<bool> warm = has(1) ? graph.marks[1].holds : std::vector<bool>{};
      SCOPED_TRACE(testing::PrintToString(heats));
      const bool expected = has(2) && !has(0);
      EXPECT_EQ(broken_always_eventually(graph, graph.marks[0].holds, Fairness::events, warm).has_value(),
                expected);
      EXPECT_EQ(explore(scenario, {}, {}).violations.size(), expected ? 1U : 0U);
      wrong += expected ? 1 : 0;
    }
  }
  EXPECT_EQ(wrong, 1 + 3 + 7 + 15);
}

TEST(GraphDiff, SaysWhatCameAndWentAndStayed) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    StateGraph one = random_graph::draw(number, {8, 20, 2, false});
    StateGraph two = random_graph::draw(number + 1000, {8, 20, 2, false});
    // Keys that both have in part.
    for (GraphNode node = 0; node < one.nodes(); ++node) one.keys.push_back(100 + node);
    for (GraphNode node = 0; node < two.nodes(); ++node) two.keys.push_back(103 + node);
    using Step = std::tuple<std::uint64_t, std::string, std::uint64_t>;
    const auto steps = [](const StateGraph& graph) {
      std::set<Step> all;
      for (GraphNode node = 0; node < graph.nodes(); ++node) {
        for (GraphEdge e = graph.first[node]; e < graph.first[node + 1]; ++e)
          all.emplace(graph.keys[node], graph.event_text(e), graph.keys[graph.to[e]]);
      }
      return all;
    };
    const std::set<Step> before = steps(one);
    const std::set<Step> after = steps(two);
    const GraphDiff d = diff(one, two);
    std::uint64_t stayed = 0;
    for (const Step& step : after) stayed += before.contains(step) ? 1 : 0;
    EXPECT_EQ(d.edges_stayed, stayed);
    EXPECT_EQ(d.edges_came, after.size() - stayed);
    EXPECT_EQ(d.edges_went, before.size() - stayed);
    EXPECT_EQ(d.nodes_stayed + d.nodes_came, two.nodes());
    EXPECT_EQ(d.nodes_stayed + d.nodes_went, one.nodes());
    EXPECT_EQ(static_cast<std::uint64_t>(std::count(d.came.begin(), d.came.end(), true)), d.edges_came);
    EXPECT_EQ(diff(one, one).edges_came, 0U);
  }
  StateGraph other = random_graph::draw(1, {});
  EXPECT_THROW((void)diff(other, other), UserError) << "states without keys";
}

TEST(GraphSearch, ComponentsAreThoseOfTheDefinition) {
  for (std::uint64_t number = 0; number < 300; ++number) {
    const StateGraph graph = random_graph::draw(number, {7, 14, 2, number % 3 == 0});
    const std::uint32_t n = graph.nodes();
    std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n));
    for (GraphNode a = 0; a < n; ++a) {
      reaches[a][a] = true;
      for (const GraphNode b : graph.targets(a)) reaches[a][b] = true;
    }
    for (GraphNode k = 0; k < n; ++k) {
      for (GraphNode a = 0; a < n; ++a) {
        for (GraphNode b = 0; b < n; ++b) reaches[a][b] = reaches[a][b] || (reaches[a][k] && reaches[k][b]);
      }
    }
    const Components found = components(graph);
    for (GraphNode a = 0; a < n; ++a) {
      for (GraphNode b = 0; b < n; ++b) {
        EXPECT_EQ(found.of[a] == found.of[b], reaches[a][b] && reaches[b][a]);
        if (reaches[a][b]) {
          EXPECT_GE(found.of[a], found.of[b]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gainsay::temporal_test
