#include "gainsay/model/conform_paths.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay {

ShortestPaths::ShortestPaths(const StateGraph& graph)
    : parent_(graph.nodes(), no_edge), parent_node_(graph.nodes(), no_node), depth_(graph.nodes(), no_node) {
  order_.reserve(graph.nodes());
  for (const GraphNode node : graph.initial) {
    depth_[node] = 0;
    order_.push_back(node);
  }
  for (std::size_t at = 0; at < order_.size(); ++at) {
    const GraphNode node = order_[at];
    for (GraphEdge edge = graph.edges_begin(node); edge < graph.edges_end(node); ++edge) {
      const GraphNode to = graph.to[edge];
      if (depth_[to] != no_node) continue;
      depth_[to] = depth_[node] + 1;
      parent_[to] = edge;
      parent_node_[to] = node;
      order_.push_back(to);
    }
  }
  GAINSAY_CHECK(order_.size() == graph.nodes(), "every node of a graph can be reached");
}

TestPath ShortestPaths::path_to(GraphNode node) const {
  TestPath path;
  while (parent_[node] != no_edge) {
    path.edges.push_back(parent_[node]);
    node = parent_node_[node];
  }
  path.start = node;
  std::reverse(path.edges.begin(), path.edges.end());
  GAINSAY_CHECK(depth_[path.start] == 0, "a path begins at an initial state");
  return path;
}

TestPath ShortestPaths::path_over(GraphNode from, GraphEdge edge) const {
  TestPath path = path_to(from);
  path.edges.push_back(edge);
  return path;
}

}  // namespace gainsay
