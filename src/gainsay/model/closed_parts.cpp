// CoverFlow::add_free_tests: one more unit from an initial node, along the cheapest way that flow can be taken back.
#include <algorithm>
#include <numeric>
#include <queue>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/model/cover_flow.hpp"

namespace gainsay {
namespace {

constexpr std::int64_t doubled_step = 2;

GraphNode find_root(std::vector<GraphNode>& parent, GraphNode node) {
  while (parent[node] != node) node = parent[node] = parent[parent[node]];
  return node;
}

}  // namespace

// By node: a name of its part of the graph; no_node where that part has tests.
std::vector<GraphNode> CoverFlow::closed_parts() const {
  const std::uint32_t n = graph_.nodes();
  std::vector<GraphNode> part(n, 0);
  if (graph_.initial.size() == 1) {
    std::fill(part.begin(), part.end(), graph_.initial[0]);
  } else {
    std::iota(part.begin(), part.end(), 0U);
    for (GraphNode node = 0; node < n; ++node) {
      for (const GraphNode next : graph_.targets(node)) {
        const GraphNode a = find_root(part, node);
        const GraphNode b = find_root(part, next);
        if (a != b) part[std::max(a, b)] = std::min(a, b);
      }
    }
    for (GraphNode node = 0; node < n; ++node) part[node] = find_root(part, node);
  }
  std::vector<bool> has_tests(n);
  for (GraphNode node = 0; node < n; ++node) {
    if (served_[node] > 0 || balance_[node] < 0) has_tests[part[node]] = true;
  }
  for (GraphNode& each : part) {
    if (has_tests[each]) each = no_node;
  }
  return part;
}

CoverFlow::FreeTests CoverFlow::add_free_tests() {
  GAINSAY_CHECK(optimal() && !finished_, "nothing is left to serve");
  FreeTests result;
  const std::vector<GraphNode> part = closed_parts();
  if (std::all_of(part.begin(), part.end(), [](GraphNode each) { return each == no_node; })) return result;
  // Dijkstra's algorithm on what prices leave of the costs. A unit that arrives at a used supply gives it back.
  struct Label {
    std::int64_t cost;
    GraphNode node;
    bool operator>(const Label& other) const {
      return std::pair(cost, node) > std::pair(other.cost, other.node);
    }
  };
  constexpr std::int64_t far = std::int64_t{1} << 60U;
  std::vector<std::int64_t> cost(graph_.nodes(), far);
  std::vector<GraphNode> came_from(graph_.nodes(), no_node);
  std::priority_queue<Label, std::vector<Label>, std::greater<>> queue;
  const auto lower = [&](GraphNode node, std::int64_t to, GraphNode from) {
    if (to >= cost[node]) return;
    cost[node] = to;
    came_from[node] = from;
    queue.push({to, node});
  };
  for (const GraphNode node : graph_.initial) {
    if (part[node] != no_node) lower(node, -std::int64_t{price_[node]}, no_node);
  }
  while (!queue.empty()) {
    const Label label = queue.top();
    queue.pop();
    if (label.cost != cost[label.node]) continue;
    const std::int64_t price = price_[label.node];
    for (const GraphNode next : graph_.targets(label.node))
      lower(next, label.cost + price + doubled_step - price_[next], label.node);
    if (!carries_[label.node]) continue;
    for (std::uint64_t place = in_first_[label.node]; place < in_first_[label.node + std::size_t{1}];
         ++place) {
      if (flow_[place] > 0)
        lower(in_from_[place], label.cost + price - doubled_step - price_[in_from_[place]], label.node);
    }
  }
  boost::unordered_flat_map<GraphNode, std::pair<std::int64_t, GraphNode>> best;  // by part
  for (GraphNode node = 0; node < graph_.nodes(); ++node) {
    if (part[node] == no_node || -demand_[node] <= std::max(0, balance_[node]))
      continue;  // no supply of it is used
    const std::pair found{cost[node] + price_[node], node};
    const auto [where, added] = best.try_emplace(part[node], found);
    if (!added) where->second = std::min(where->second, found);
  }
  for (const GraphNode node : graph_.initial) {
    const auto found = part[node] == no_node ? best.end() : best.find(part[node]);
    if (found == best.end() || found->second.first >= 0) continue;
    send_back(found->second.second, came_from);
    ++result.tests;
    result.steps_saved -= found->second.first / doubled_step;
    best.erase(found);
  }
  return result;
}

// One unit along the way to the node, where a supply gets one back.
void CoverFlow::send_back(GraphNode node, const std::vector<GraphNode>& came_from) {
  ++balance_[node];
  while (came_from[node] != no_node) {
    const GraphNode from = came_from[node];
    // Backwards, where there is flow to be taken back: it is the cheaper one of the two.
    std::uint64_t back = in_first_[from];
    const std::uint64_t end = in_first_[from + std::size_t{1}];
    while (back < end && (in_from_[back] != node || flow_[back] == 0)) ++back;
    if (back < end) {
      --flow_[back];
      flow_cost_ -= doubled_step;
    } else {
      ++flow_[place_of(from, node)];
      flow_cost_ += doubled_step;
      carries_[node] = true;
    }
    node = from;
  }
  GAINSAY_CHECK(depth_[node] == 0, "the way begins at an initial node");
  ++served_[node];
}

}  // namespace gainsay
