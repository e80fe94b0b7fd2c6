#include "gainsay/explorer/fair_loops.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::fair_loops_test {
namespace {

// Builds a graph action by action; nodes must be finished in order.
struct Builder {
  FairGraph graph;

  struct Leaf {
    std::uint32_t to;
    std::vector<DataChoice> answers;
  };
  void action(std::uint32_t node, std::uint64_t event, const std::vector<Leaf>& leaves) {
    for (const Leaf& leaf : leaves) {
      FairGraph::Edge edge;
      edge.from = node;
      edge.to = leaf.to;
      edge.answers_begin = static_cast<std::uint32_t>(graph.answers.size());
      graph.answers.insert(graph.answers.end(), leaf.answers.begin(), leaf.answers.end());
      edge.answers_end = static_cast<std::uint32_t>(graph.answers.size());
      graph.edges.push_back(edge);
    }
    graph.actions.push_back({event, static_cast<std::uint32_t>(graph.edges.size())});
  }
  void end_node() { graph.node_actions_end.push_back(static_cast<std::uint32_t>(graph.actions.size())); }
};

constexpr std::uint32_t outside = FairGraph::outside;
const DataChoice heads{0, 2, true};
const DataChoice tails{1, 2, true};
const DataChoice left{0, 2, false};
const DataChoice right{1, 2, false};

TEST(FairLoops, SelfLoopIsFairIfNothingElseIsPossible) {
  Builder b;
  b.action(0, 7, {{0, {}}});
  b.end_node();
  const auto components = fair_components(b.graph);
  ASSERT_EQ(components.size(), 1U);
  EXPECT_EQ(fair_loop(b.graph, components[0], 0), (std::vector<std::uint32_t>{0}));
}

TEST(FairLoops, AnEventThatIsAlwaysPossibleAndLeavesEndsTheLoop) {
  Builder b;
  b.action(0, 7, {{0, {}}});
  b.action(0, 8, {{outside, {}}});
  b.end_node();
  EXPECT_TRUE(fair_components(b.graph).empty());
  b.graph.actions[1].event = 0;  // a fault obliges nobody
  EXPECT_EQ(fair_components(b.graph).size(), 1U);
}

TEST(FairLoops, AnEventThatIsSometimesImpossibleDoesNot) {
  Builder b;
  b.action(0, 7, {{1, {}}});
  b.action(0, 8, {{outside, {}}});
  b.end_node();
  b.action(1, 7, {{0, {}}});
  b.end_node();
  EXPECT_EQ(fair_components(b.graph).size(), 1U);
}

TEST(FairLoops, ACoinThatMayLeaveEndsTheLoopAndAnAdversaryDoesNot) {
  for (const bool coin : {true, false}) {
    Builder b;
    b.action(0, 7, {{0, {coin ? heads : left}}, {outside, {coin ? tails : right}}});
    b.end_node();
    EXPECT_EQ(fair_components(b.graph).size(), coin ? 0U : 1U);
  }
}

TEST(FairLoops, ACoinBehindAChoiceBindsOnlyThatChoice) {
  Builder b;
  b.action(0, 7, {{0, {left}}, {0, {right, heads}}, {outside, {right, tails}}});
  b.end_node();
  const auto components = fair_components(b.graph);
  ASSERT_EQ(components.size(), 1U);
  EXPECT_EQ(components[0].edges, (std::vector<std::uint32_t>{0}));
}

TEST(FairLoops, TheLoopSeesBothSidesOfACoin) {
  Builder b;
  b.action(0, 7, {{0, {heads}}, {1, {tails}}});
  b.end_node();
  b.action(1, 7, {{0, {}}});
  b.end_node();
  const auto components = fair_components(b.graph);
  ASSERT_EQ(components.size(), 1U);
  const auto loop = fair_loop(b.graph, components[0], 0);
  EXPECT_EQ(std::set<std::uint32_t>(loop.begin(), loop.end()), (std::set<std::uint32_t>{0, 1, 2}));
}

// --- the twin: every set of edges, by the definition ---

std::map<std::uint32_t, std::uint32_t> action_of_edge(const FairGraph& graph) {
  std::map<std::uint32_t, std::uint32_t> result;
  for (std::uint32_t a = 0; a < graph.actions.size(); ++a) {
    for (std::uint32_t e = graph.edges_begin(a); e < graph.actions[a].edges_end; ++e) result[e] = a;
  }
  return result;
}

// Whether a schedule that walks exactly these edges for ever is possible and fair.
bool is_fair_set(const FairGraph& graph, const std::vector<std::uint32_t>& set) {
  if (set.empty()) return false;
  std::set<std::uint32_t> nodes;
  for (const std::uint32_t e : set) {
    if (graph.edges[e].to == outside) return false;
    nodes.insert(graph.edges[e].from);
    nodes.insert(graph.edges[e].to);
  }
  for (const std::uint32_t start : nodes) {  // strongly connected: everybody reaches everybody
    std::set<std::uint32_t> reached{start};
    for (bool more = true; more;) {
      more = false;
      for (const std::uint32_t e : set) {
        if (reached.contains(graph.edges[e].from) && reached.insert(graph.edges[e].to).second) more = true;
      }
    }
    if (reached != nodes) return false;
  }
  const auto action = action_of_edge(graph);
  const auto enabled = [&](std::uint32_t node) {
    std::set<std::uint64_t> events;
    for (std::uint32_t a = graph.actions_begin(node); a < graph.node_actions_end[node]; ++a) {
      if (graph.actions[a].event != 0) events.insert(graph.actions[a].event);
    }
    return events;
  };
  for (const std::uint64_t event : enabled(*nodes.begin())) {
    const bool everywhere =
        std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t n) { return enabled(n).contains(event); });
    const bool executed = std::any_of(
        set.begin(), set.end(), [&](std::uint32_t e) { return graph.actions[action.at(e)].event == event; });
    if (everywhere && !executed) return false;
  }
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::set<std::uint32_t>> coins;
  for (const std::uint32_t e : set) {
    std::vector<std::uint32_t> before;
    for (std::uint32_t i = graph.edges[e].answers_begin; i < graph.edges[e].answers_end; ++i) {
      if (graph.answers[i].coin) coins[{action.at(e), before}].insert(graph.answers[i].answer);
      before.push_back(graph.answers[i].answer);
    }
  }
  return std::all_of(coins.begin(), coins.end(), [](const auto& each) { return each.second.size() == 2; });
}

FairGraph random_graph(Rng& rng) {
  Builder b;
  const auto nodes = static_cast<std::uint32_t>(1 + rng.below(3));
  const auto target = [&]() -> std::uint32_t {
    return rng.below(5) == 0 ? outside : static_cast<std::uint32_t>(rng.below(nodes));
  };
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const std::uint64_t actions = rng.below(3);
    for (std::uint64_t a = 0; a < actions && b.graph.edges.size() < 9; ++a) {
      const std::uint64_t event = rng.below(4);
      switch (rng.below(4)) {
        case 0:
          b.action(node, event, {{target(), {heads}}, {target(), {tails}}});
          break;
        case 1:
          b.action(node, event, {{target(), {left}}, {target(), {right, heads}}, {target(), {right, tails}}});
          break;
        default:
          b.action(node, event, {{target(), {}}});
      }
    }
    b.end_node();
  }
  return b.graph;
}

TEST(FairLoops, AgreeWithTheDefinitionOnRandomGraphs) {
  Rng rng(20'26);
  int fair = 0;
  for (int round = 0; round < 3000; ++round) {
    const FairGraph graph = random_graph(rng);
    std::set<std::uint32_t> in_fair_sets;
    for (std::uint32_t mask = 1; mask < (1U << graph.edges.size()); ++mask) {
      std::vector<std::uint32_t> set;
      for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
        if ((mask >> e & 1U) != 0) set.push_back(e);
      }
      if (is_fair_set(graph, set)) in_fair_sets.insert(set.begin(), set.end());
    }
    std::set<std::uint32_t> found;
    for (const FairComponent& component : fair_components(graph)) {
      found.insert(component.edges.begin(), component.edges.end());
      for (const std::uint32_t root : component.nodes) {
        std::vector<std::uint32_t> loop = fair_loop(graph, component, root);
        ASSERT_FALSE(loop.empty());
        std::uint32_t at = root;
        for (const std::uint32_t edge : loop) {
          ASSERT_EQ(graph.edges[edge].from, at);
          at = graph.edges[edge].to;
        }
        ASSERT_EQ(at, root);
        std::sort(loop.begin(), loop.end());
        loop.erase(std::unique(loop.begin(), loop.end()), loop.end());
        EXPECT_TRUE(is_fair_set(graph, loop));
      }
    }
    EXPECT_EQ(found, in_fair_sets) << "round " << round;
    fair += found.empty() ? 0 : 1;
  }
  EXPECT_GT(fair, 300);
  EXPECT_LT(fair, 2700);
}

}  // namespace
}  // namespace gainsay::fair_loops_test
