// CoverFlow::finish_anyhow: as few tests as can be, whatever it costs in steps.
//
// Within a component every supply reaches every need, so only what goes from component to component has to be found: a
// maximal flow on the graph of components, which has no cycles. It goes on from the flow that was sent so far, and may
// take that back. Then each component carries what is left within it: supplies go to one of its nodes, the root, along
// a tree, and from there to the needs along another one; what meets on the way stays there.
//
// The proof: no edge leads out of the components that supplies which are left over still reach, and no flow leads into
// them. So every walk of the other nodes begins with a test there, and there are as many as needs outnumber supplies.
#include <algorithm>
#include <numeric>

#include "gainsay/base/check.hpp"
#include "gainsay/model/cover_flow.hpp"
#include "gainsay/model/graph_search.hpp"

namespace gainsay {

namespace {

// Calls visit(from, to) for every edge that leads from one component to another, in the order of edges.
template <class Visit> void each_between(const StateGraph& graph, const Components& parts, Visit&& visit) {
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    for (const GraphNode next : graph.targets(node)) {
      if (parts.of[node] != parts.of[next]) visit(node, next);
    }
  }
}

// The graph of components; its edges come in the order of each_between, for each component.
StateGraph contracted(const StateGraph& graph, const Components& parts) {
  StateGraph result;
  result.first.assign(parts.count + std::size_t{1}, 0);
  each_between(graph, parts,
               [&](GraphNode from, GraphNode) { ++result.first[parts.of[from] + std::size_t{1}]; });
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  std::vector<GraphEdge> at(result.first.begin(), result.first.end() - 1);
  result.to.resize(result.first.back());
  each_between(graph, parts,
               [&](GraphNode from, GraphNode to) { result.to[at[parts.of[from]]++] = parts.of[to]; });
  for (const GraphNode node : graph.initial) result.initial.push_back(parts.of[node]);
  std::sort(result.initial.begin(), result.initial.end());
  result.initial.erase(std::unique(result.initial.begin(), result.initial.end()), result.initial.end());
  return result;
}

}  // namespace

void CoverFlow::send_any_way() {
  any_way_ = true;
  do {
    find_ways();
  } while (blocking_flow() > 0);
  find_ways();  // what the last attempt has called a dead end is reached all the same
}

std::uint64_t CoverFlow::finish_anyhow() {
  GAINSAY_CHECK(!finished_, "called once");
  const Components parts = components(graph_);
  std::vector<bool> reached(parts.count);  // by a supply that is left
  if (parts.count == graph_.nodes()) {
    send_any_way();
    for (GraphNode node = 0; node < graph_.nodes(); ++node) reached[parts.of[node]] = order_[node] != 0;
  } else {
    send_between(parts, reached);
    send_within(parts);
  }
  std::int64_t tests = 0;
  for (GraphNode node = 0; node < graph_.nodes(); ++node) {
    if (!reached[parts.of[node]]) {
      tests += demand_[node];
      continue;
    }
    for (const GraphNode next : graph_.targets(node))
      GAINSAY_CHECK(reached[parts.of[next]], "what a supply reaches has no edge to the rest");
  }
  any_way_ = true;
  count_needs();
  return tests < 0 ? 0 : static_cast<std::uint64_t>(tests);
}

void CoverFlow::send_between(const Components& parts, std::vector<bool>& reached) {
  const StateGraph whole = contracted(graph_, parts);
  CoverFlow between(whole, std::vector<bool>(whole.to.size(), false), fewest_tests);
  for (GraphNode node = 0; node < graph_.nodes(); ++node) between.balance_[parts.of[node]] += balance_[node];
  // Flow is kept by entering edge, in the order of edges.
  std::vector<std::uint32_t> places(whole.to.size());
  std::vector<std::uint32_t> entered(between.in_first_.begin(), between.in_first_.end() - 1);
  for (std::size_t e = 0; e < places.size(); ++e) places[e] = entered[whole.to[e]]++;
  const auto each_flow = [&](const auto& visit) {
    std::vector<GraphEdge> at(whole.first.begin(), whole.first.end() - 1);
    std::vector<std::uint32_t> in(in_first_.begin(), in_first_.end() - 1);
    for (GraphNode from = 0; from < graph_.nodes(); ++from) {
      for (const GraphNode to : graph_.targets(from)) {
        const std::uint32_t place = in[to]++;
        if (parts.of[from] != parts.of[to])
          visit(flow_[place], between.flow_[places[at[parts.of[from]]++]], from, to);
      }
    }
  };
  each_flow([&](std::uint32_t here, std::uint32_t& there, GraphNode, GraphNode to) {
    there = here;
    if (here > 0) between.carries_[parts.of[to]] = true;
  });
  between.send_any_way();
  for (std::uint32_t part = 0; part < parts.count; ++part) reached[part] = between.order_[part] != 0;
  each_flow([&](std::uint32_t& here, std::uint32_t& there, GraphNode from, GraphNode to) {
    const std::int32_t more = static_cast<std::int32_t>(there - here);
    if (more == 0) return;
    here = there;
    balance_[from] -= more;
    balance_[to] += more;
    carries_[to] = true;
  });
}

// One pass up to the root of each component, and one down. Of a component in which supplies are left over, those stay
// that come last; of one in which needs are, the furthest ones stay.
void CoverFlow::send_within(const Components& parts) {
  const std::uint32_t n = graph_.nodes();
  std::vector<std::int64_t> over(parts.count, 0);
  for (GraphNode node = 0; node < n; ++node) over[parts.of[node]] += balance_[node];
  std::vector<bool> up(n);
  std::vector<bool> down(n);
  struct Reached {
    GraphNode node;
    GraphNode next;       // nearer to the root
    std::uint32_t place;  // of the edge between them
  };
  std::vector<Reached> queue;
  for (GraphNode root = 0; root < n; ++root) {
    if (up[root]) continue;
    const std::uint32_t part = parts.of[root];
    up[root] = true;
    queue.assign(1, {root, root, 0});
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const GraphNode node = queue[at].node;
      for (std::uint32_t place = in_first_[node]; place < in_first_[node + std::size_t{1}]; ++place) {
        const GraphNode from = in_from_[place];
        if (up[from] || parts.of[from] != part) continue;
        up[from] = true;
        queue.push_back({from, node, place});
      }
    }
    if (queue.size() == 1) continue;
    std::int64_t left = std::max<std::int64_t>(over[part], 0);
    for (std::size_t at = queue.size(); at-- > 1;) {
      const auto& [node, next, place] = queue[at];
      if (balance_[node] <= 0) continue;
      const auto stay = static_cast<std::int32_t>(std::min<std::int64_t>(left, balance_[node]));
      left -= stay;
      const std::int32_t go = balance_[node] - stay;
      if (go == 0) continue;
      flow_[place] += static_cast<std::uint32_t>(go);
      carries_[next] = true;
      balance_[node] -= go;
      balance_[next] += go;
    }
    down[root] = true;
    queue.assign(1, {root, root, 0});
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const GraphNode node = queue[at].node;
      for (const GraphNode to : graph_.targets(node)) {
        if (down[to] || parts.of[to] != part) continue;
        down[to] = true;
        queue.push_back({to, node, static_cast<std::uint32_t>(place_of(node, to))});
      }
    }
    left = std::max<std::int64_t>(-over[part], 0);
    for (std::size_t at = queue.size(); at-- > 1;) {
      const auto& [node, next, place] = queue[at];
      if (balance_[node] >= 0) continue;
      const auto stay =
          static_cast<std::int32_t>(std::min<std::int64_t>(left, -std::int64_t{balance_[node]}));
      left -= stay;
      const std::int32_t come = -balance_[node] - stay;
      if (come == 0) continue;
      flow_[place] += static_cast<std::uint32_t>(come);
      carries_[node] = true;
      balance_[node] += come;
      balance_[next] -= come;
    }
  }
}

}  // namespace gainsay
