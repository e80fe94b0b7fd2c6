// Small random state graphs, and the cheapest suite of such a graph by trying everything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "gainsay/base/rng.hpp"
#include "gainsay/model/state_graph.hpp"

namespace gainsay::random_graph {

struct Shape {
  std::uint32_t nodes_max = 5;
  std::uint32_t edges_max = 9;
  std::uint32_t initial_max = 2;
  bool acyclic = false;
};

// Every node can be reached; parallel edges and loops turn up.
inline StateGraph draw(std::uint64_t number, const Shape& shape) {
  Rng rng(number, 99);
  const auto n = static_cast<std::uint32_t>(1 + rng.below(shape.nodes_max));
  const auto initial = static_cast<std::uint32_t>(1 + rng.below(std::min(n, shape.initial_max)));
  StateGraphBuilder builder;
  for (std::uint32_t i = 0; i < n; ++i) builder.add_node();
  for (std::uint32_t i = 0; i < initial; ++i) builder.add_initial(i);
  std::vector<GraphEvent> events(4);
  for (std::size_t i = 0; i < events.size(); ++i) events[i].text = std::string(1, static_cast<char>('a' + i));
  for (std::uint32_t i = initial; i < n; ++i)
    builder.add_edge(static_cast<GraphNode>(rng.below(i)), static_cast<std::uint32_t>(rng.below(4)), i);
  while (builder.edges() < shape.edges_max && !rng.chance(1, 12)) {
    auto from = static_cast<GraphNode>(rng.below(n));
    auto to = static_cast<GraphNode>(rng.below(n));
    if (shape.acyclic && from == to) continue;
    if (shape.acyclic && from > to) std::swap(from, to);
    builder.add_edge(from, static_cast<std::uint32_t>(rng.below(4)), to);
  }
  return std::move(builder).build(events);
}

// The least (first, second) of all suites: every step costs `step`, every test `test`.
using Cost = std::pair<std::uint64_t, std::uint64_t>;
inline Cost cheapest(const StateGraph& graph, const std::vector<bool>& required, Cost step, Cost test) {
  std::uint64_t wanted = 0;
  for (GraphEdge e = 0; e < graph.edges(); ++e) {
    if (required.empty() || required[e]) wanted |= std::uint64_t{1} << e;
  }
  using State = std::pair<std::uint64_t, std::uint64_t>;  // seen, node + 1; 0: between two tests
  std::map<State, Cost> best;
  std::priority_queue<std::pair<Cost, State>, std::vector<std::pair<Cost, State>>, std::greater<>> queue;
  const auto lower = [&](const State& state, const Cost& cost) {
    const auto [where, added] = best.try_emplace(state, cost);
    if (!added && where->second <= cost) return;
    where->second = cost;
    queue.emplace(cost, state);
  };
  lower({0, 0}, {0, 0});
  while (!queue.empty()) {
    const auto [cost, state] = queue.top();
    queue.pop();
    if (best[state] != cost) continue;
    const auto [seen, place] = state;
    if ((seen & wanted) == wanted) return cost;
    if (place == 0) {
      for (const GraphNode node : graph.initial)
        lower({seen, node + 1ULL}, {cost.first + test.first, cost.second + test.second});
      continue;
    }
    lower({seen, 0}, cost);
    const auto node = static_cast<GraphNode>(place - 1);
    for (GraphEdge e = graph.edges_begin(node); e < graph.edges_end(node); ++e)
      lower({seen | (std::uint64_t{1} << e), graph.to[e] + 1ULL},
            {cost.first + step.first, cost.second + step.second});
  }
  return {~0ULL, ~0ULL};
}

}  // namespace gainsay::random_graph
