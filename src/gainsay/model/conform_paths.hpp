// ShortestPaths: how every node of a graph is reached in the fewest steps.
//
// Breadth first from the initial states; among equally short ways the one over the least edge. Four bytes for each
// node, and four for its depth.
#pragma once

#include <vector>

#include "gainsay/model/suite.hpp"

namespace gainsay {

class ShortestPaths {
 public:
  explicit ShortestPaths(const StateGraph& graph);

  // The edge by which the node is reached first; no_edge: it is an initial state.
  GraphEdge parent(GraphNode node) const { return parent_[node]; }
  GraphNode parent_node(GraphNode node) const { return parent_node_[node]; }
  std::uint32_t depth(GraphNode node) const { return depth_[node]; }
  // All nodes, nearer ones first.
  const std::vector<GraphNode>& order() const { return order_; }
  TestPath path_to(GraphNode node) const;
  // That ends with this edge, which begins at `from`.
  TestPath path_over(GraphNode from, GraphEdge edge) const;

 private:
  std::vector<GraphEdge> parent_;
  std::vector<GraphNode> parent_node_;
  std::vector<std::uint32_t> depth_;
  std::vector<GraphNode> order_;
};

}  // namespace gainsay
