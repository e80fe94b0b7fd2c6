#include "gainsay/model/temporal.hpp"

#include "gainsay/base/check.hpp"
#include "gainsay/explorer/fair_loops.hpp"
#include "gainsay/model/graph_search.hpp"

namespace gainsay {
namespace {

// The part of the graph whose nodes are wanted.
struct FairPart {
  FairGraph graph;
  std::vector<GraphNode> nodes;  // by node of the part
  std::vector<GraphEdge> edges;  // by edge of the part
};

bool moves(const StateGraph& graph, GraphNode node, GraphEdge edge) {
  return graph.source != StateGraph::Source::tlc || graph.to[edge] != node;
}

FairPart fair_part(const StateGraph& graph, const std::vector<bool>& wanted, Fairness fairness) {
  FairPart part;
  std::vector<std::uint32_t> number(graph.nodes(), FairGraph::outside);
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    if (!wanted[node]) continue;
    number[node] = static_cast<std::uint32_t>(part.nodes.size());
    part.nodes.push_back(node);
  }
  for (const GraphNode node : part.nodes) {
    GraphEdge e = graph.first[node];
    while (e < graph.first[node + 1]) {
      // Edges of one event, whatever its answers, stand together: their texts are equal.
      const std::string_view text = graph.event_text(e);
      const GraphEvent* event = graph.event_of(e);
      const std::uint64_t identity = fairness == Fairness::next || event == nullptr ? 1 : event->identity;
      const std::size_t before = part.edges.size();
      for (; e < graph.first[node + 1] && graph.event_text(e) == text; ++e) {
        if (!moves(graph, node, e)) continue;
        FairGraph::Edge edge;
        edge.from = number[node];
        edge.to = number[graph.to[e]];
        edge.answers_begin = static_cast<std::uint32_t>(part.graph.answers.size());
        if (event != nullptr) {
          const std::vector<DataChoice>& answers = graph.events[graph.event[e]].answers;
          part.graph.answers.insert(part.graph.answers.end(), answers.begin(), answers.end());
        }
        edge.answers_end = static_cast<std::uint32_t>(part.graph.answers.size());
        part.graph.edges.push_back(edge);
        part.edges.push_back(e);
      }
      if (part.edges.size() > before)
        part.graph.actions.push_back({identity, static_cast<std::uint32_t>(part.graph.edges.size())});
    }
    part.graph.node_actions_end.push_back(static_cast<std::uint32_t>(part.graph.actions.size()));
  }
  return part;
}

bool stops(const StateGraph& graph, GraphNode node) {
  for (GraphEdge e = graph.first[node]; e < graph.first[node + 1]; ++e) {
    if (moves(graph, node, e)) return false;
  }
  return true;
}

// The nearest state in which the execution may stop although P does not hold; else the fair loop whose nearest state
// without P is nearest.
std::optional<LassoPath> find_lasso(const StateGraph& graph, const std::vector<bool>& holds,
                                    const std::vector<bool>& wanted, Fairness fairness) {
  GAINSAY_CHECK(holds.size() == graph.nodes() && wanted.size() == graph.nodes(), "they are about this graph");
  const ShortestWays ways = shortest_ways(graph);
  LassoPath found;
  GraphNode best = no_node;
  const auto nearer = [&](GraphNode node) {
    return !holds[node] && (best == no_node || ways.depth[node] < ways.depth[best]);
  };
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    if (nearer(node) && stops(graph, node)) best = node;
  }
  const FairPart part = fair_part(graph, wanted, fairness);
  const std::vector<FairComponent> components = fair_components(part.graph);
  const FairComponent* round = nullptr;
  std::uint32_t root = 0;
  for (const FairComponent& component : components) {
    for (const std::uint32_t node : component.nodes) {
      if (!nearer(part.nodes[node])) continue;
      best = part.nodes[node];
      round = &component;
      root = node;
    }
  }
  if (best == no_node) return std::nullopt;
  if (round != nullptr) {
    for (const std::uint32_t edge : fair_loop(part.graph, *round, root))
      found.loop.push_back(part.edges[edge]);
  }
  found.way.start = way_to(graph, ways, best, found.way.edges);
  return found;
}

}  // namespace

std::optional<TestPath> broken_invariant(const StateGraph& graph, const std::vector<bool>& holds) {
  GAINSAY_CHECK(holds.size() == graph.nodes(), "they are about this graph");
  const ShortestWays ways = shortest_ways(graph);
  GraphNode best = no_node;
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    if (!holds[node] && (best == no_node || ways.depth[node] < ways.depth[best])) best = node;
  }
  if (best == no_node) return std::nullopt;
  TestPath path;
  path.start = way_to(graph, ways, best, path.edges);
  return path;
}

std::optional<LassoPath> broken_always_eventually(const StateGraph& graph, const std::vector<bool>& holds,
                                                  Fairness fairness, const std::vector<bool>& lukewarm) {
  GAINSAY_CHECK(lukewarm.empty() || lukewarm.size() == holds.size(), "they are about this graph");
  std::vector<bool> without(holds);
  without.flip();
  for (std::size_t node = 0; node < lukewarm.size(); ++node) without[node] = without[node] || lukewarm[node];
  return find_lasso(graph, holds, without, fairness);
}

std::optional<LassoPath> broken_eventually_always(const StateGraph& graph, const std::vector<bool>& holds,
                                                  Fairness fairness) {
  return find_lasso(graph, holds, std::vector<bool>(graph.nodes(), true), fairness);
}

}  // namespace gainsay
