#include "gainsay/model/graph_search.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay {

std::uint32_t ShortestWays::deepest() const {
  std::uint32_t most = 0;
  for (const std::uint32_t each : depth) {
    if (each != no_node) most = std::max(most, each);
  }
  return most;
}

ShortestWays shortest_ways(const StateGraph& graph) {
  ShortestWays ways;
  ways.depth.assign(graph.nodes(), no_node);
  ways.by.assign(graph.nodes(), no_edge);
  std::vector<GraphNode> queue(graph.initial);
  queue.reserve(graph.nodes());
  for (const GraphNode node : graph.initial) ways.depth[node] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const GraphNode node = queue[at];
    for (GraphEdge e = graph.edges_begin(node); e < graph.edges_end(node); ++e) {
      const GraphNode next = graph.to[e];
      if (ways.depth[next] != no_node) continue;
      ways.depth[next] = ways.depth[node] + 1;
      ways.by[next] = e;
      queue.push_back(next);
    }
  }
  return ways;
}

GraphNode way_to(const StateGraph& graph, const ShortestWays& ways, GraphNode node,
                 std::vector<GraphEdge>& edges) {
  GAINSAY_CHECK(node < graph.nodes() && ways.depth[node] != no_node, "the node can be reached");
  const std::size_t begin = edges.size();
  for (; ways.by[node] != no_edge; node = graph.from(ways.by[node])) edges.push_back(ways.by[node]);
  std::reverse(edges.begin() + static_cast<std::ptrdiff_t>(begin), edges.end());
  return node;
}

TestPath path_to_node(const StateGraph& graph, GraphNode node) {
  TestPath path;
  path.start = way_to(graph, shortest_ways(graph), node, path.edges);
  return path;
}

TestPath path_to_edge(const StateGraph& graph, GraphEdge edge) {
  TestPath path = path_to_node(graph, graph.from(edge));
  path.edges.push_back(edge);
  return path;
}

// Tarjan's algorithm, without recursion.
Components components(const StateGraph& graph) {
  constexpr std::uint32_t unvisited = 0xffffffffU;
  const std::uint32_t n = graph.nodes();
  Components result;
  result.of.assign(n, unvisited);
  std::vector<std::uint32_t> index(n, unvisited);
  std::vector<std::uint32_t> low(n, 0);
  std::vector<GraphNode> stack;
  struct Frame {
    GraphNode node;
    GraphEdge edge;
  };
  std::vector<Frame> frames;
  std::uint32_t next_index = 0;
  const auto enter = [&](GraphNode node) {
    index[node] = low[node] = next_index++;
    stack.push_back(node);
    frames.push_back({node, graph.first[node]});
  };
  for (GraphNode root = 0; root < n; ++root) {
    if (index[root] != unvisited) continue;
    enter(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const GraphNode node = frame.node;
      if (frame.edge < graph.first[node + 1]) {
        const GraphNode next = graph.to[frame.edge++];
        if (index[next] == unvisited) {
          enter(next);
        } else if (result.of[next] == unvisited) {
          low[node] = std::min(low[node], index[next]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      if (low[node] != index[node]) continue;
      std::uint32_t size = 0;
      bool cycle = false;
      while (true) {
        const GraphNode member = stack.back();
        stack.pop_back();
        result.of[member] = result.count;
        ++size;
        if (size > 1) cycle = true;
        if (member == node) break;
      }
      if (!cycle) {
        const auto targets = graph.targets(node);
        cycle = std::find(targets.begin(), targets.end(), node) != targets.end();
      }
      if (cycle) ++result.cyclic;
      result.largest = std::max(result.largest, size);
      ++result.count;
    }
  }
  GAINSAY_CHECK(next_index == n && stack.empty(), "every node is in one component");
  return result;
}

}  // namespace gainsay
