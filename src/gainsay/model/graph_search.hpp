// What is asked of a state graph: how far away things are, which parts go round, shortest paths.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gainsay/model/suite.hpp"

namespace gainsay {

// Shortest ways from the initial nodes: for each node its depth and the edge by which it is entered (the least one).
struct ShortestWays {
  std::vector<std::uint32_t> depth;  // no_node: it cannot be reached
  std::vector<GraphEdge> by;         // no_edge: an initial node

  std::uint32_t deepest() const;
};
ShortestWays shortest_ways(const StateGraph& graph);
// Appends the edges of the way to a node; returns where it begins.
GraphNode way_to(const StateGraph& graph, const ShortestWays& ways, GraphNode node,
                 std::vector<GraphEdge>& edges);
TestPath path_to_node(const StateGraph& graph, GraphNode node);
// The last step is the edge.
TestPath path_to_edge(const StateGraph& graph, GraphEdge edge);

// Strongly connected components. A component's number is greater than those of the components that it leads to.
struct Components {
  std::vector<std::uint32_t> of;  // by node
  std::uint32_t count = 0;
  std::uint32_t largest = 0;  // nodes of the largest one
  std::uint32_t cyclic = 0;   // how many have an edge within
};
Components components(const StateGraph& graph);

}  // namespace gainsay
