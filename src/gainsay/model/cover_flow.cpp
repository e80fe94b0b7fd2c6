#include "gainsay/model/cover_flow.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

constexpr std::uint32_t step_cost = 2;
constexpr std::size_t bucket_count = 256;

}  // namespace

CoverFlow::CoverFlow(const StateGraph& graph, const std::vector<bool>& required, std::uint32_t test_price)
    : graph_(graph), test_price_(test_price) {
  const std::uint32_t n = graph.nodes();
  GAINSAY_CHECK(!graph.initial.empty() || n == 0, "tests begin at initial nodes");
  GAINSAY_CHECK(test_price <= fewest_tests && n < fewest_tests / 4, "prices fit into 32 bits");
  find_depths();
  reverse_edges();
  balance_.assign(n, 0);
  for (GraphNode node = 0; node < n; ++node) {
    for (GraphEdge e = graph.first[node]; e < graph.first[node + 1]; ++e) {
      if (!required.empty() && !required[e]) continue;
      ++required_steps_;
      --balance_[node];
      ++balance_[graph.to[e]];
    }
  }
  demand_.resize(n);
  for (GraphNode node = 0; node < n; ++node) demand_[node] = -balance_[node];
  served_.assign(n, 0);
  carries_.assign(n, false);
  price_.assign(n, 0);
  next_price_.resize(n);
  order_.assign(n, 0);
  cursor_.resize(n);
  buckets_.resize(bucket_count);
  count_needs();
}

void CoverFlow::find_depths() {
  depth_.assign(graph_.nodes(), never);
  std::vector<GraphNode> queue(graph_.initial);
  queue.reserve(graph_.nodes());
  for (const GraphNode node : graph_.initial) depth_[node] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (const GraphNode next : graph_.targets(queue[at])) {
      if (depth_[next] != never) continue;
      depth_[next] = depth_[queue[at]] + 1;
      queue.push_back(next);
    }
  }
  GAINSAY_CHECK(queue.size() == graph_.nodes(), "every node can be reached");
}

void CoverFlow::reverse_edges() {
  const std::uint32_t n = graph_.nodes();
  in_first_.assign(n + std::size_t{1}, 0);
  for (const GraphNode to : graph_.to) ++in_first_[to + std::size_t{1}];
  std::partial_sum(in_first_.begin(), in_first_.end(), in_first_.begin());
  in_from_.resize(graph_.to.size());
  std::vector<std::uint32_t> at(in_first_.begin(), in_first_.end() - 1);
  for (GraphNode node = 0; node < n; ++node) {
    for (const GraphNode to : graph_.targets(node)) in_from_[at[to]++] = node;
  }
  flow_.assign(graph_.to.size(), 0);
}

void CoverFlow::count_needs() {
  needs_left_ = 0;
  for (GraphNode node = 0; node < graph_.nodes(); ++node) {
    if (needs(node)) needs_left_ += static_cast<std::uint64_t>(-std::int64_t{balance_[node]});
  }
}

// Any of the parallel edges: they are alike.
std::uint64_t CoverFlow::place_of(GraphNode from, GraphNode to) const {
  for (std::uint64_t place = in_first_[to];; ++place) {
    GAINSAY_CHECK(place < in_first_[to + std::size_t{1}], "the edge is there");
    if (in_from_[place] == from) return place;
  }
}

// --- prices ---

void CoverFlow::wait(GraphNode node, std::uint32_t rise) {
  if (rise - base_ < bucket_count) {
    buckets_[rise - base_].push_back(node);
  } else {
    far_.emplace_back(rise, node);
  }
}

// Moves on to what is further away than the buckets reach; false: nothing is.
bool CoverFlow::next_buckets() {
  std::erase_if(far_, [&](const auto& each) {
    return order_[each.second] != 0 || next_price_[each.second] - price_[each.second] != each.first;
  });
  if (far_.empty()) return false;
  base_ = std::min_element(far_.begin(), far_.end())->first;
  for (const auto& [rise, node] : std::exchange(far_, {})) wait(node, rise);
  return true;
}

void CoverFlow::settle(GraphNode node, std::uint32_t rise, std::uint32_t& order) {
  if (order_[node] != 0 || next_price_[node] - price_[node] != rise) return;
  order_[node] = ++order;
  const std::uint32_t price = next_price_[node];
  // What a new test reaches at this price, it reaches beyond at theirs: nothing is gained along edges.
  if (price != from_initial(node)) {
    for (const GraphNode next : graph_.targets(node)) {
      if (price + step_cost >= next_price_[next]) continue;
      next_price_[next] = price + step_cost;
      wait(next, price + step_cost - price_[next]);
    }
  }
  if (!carries_[node]) return;
  bool carries = false;
  for (std::uint64_t place = in_first_[node]; place < in_first_[node + std::size_t{1}]; ++place) {
    if (flow_[place] == 0) continue;
    carries = true;
    const GraphNode from = in_from_[place];
    if (price - step_cost >= next_price_[from]) continue;
    next_price_[from] = price - step_cost;
    wait(from, price - step_cost - price_[from]);
  }
  carries_[node] = carries;
}

// Dijkstra's algorithm with buckets, from the supplies that are left, on what prices leave of the costs.
void CoverFlow::find_prices() {
  const std::uint32_t n = graph_.nodes();
  std::fill(order_.begin(), order_.end(), 0);
  base_ = 0;
  for (GraphNode node = 0; node < n; ++node) next_price_[node] = from_initial(node);
  for (GraphNode node = 0; node < n; ++node) {
    if (balance_[node] > 0) {
      GAINSAY_CHECK(price_[node] == 0, "a supply that is left is worth nothing");
      next_price_[node] = 0;
      wait(node, 0);
    } else if (carries_[node]) {
      wait(node, next_price_[node] - price_[node]);  // from where flow can be taken back
    }
  }
  std::uint32_t order = 0;
  do {
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
      const auto rise = static_cast<std::uint32_t>(base_ + bucket);
      std::vector<GraphNode>& here = buckets_[bucket];
      for (std::size_t i = 0; i < here.size(); ++i) {  // grows meanwhile
        const GraphNode node = here[i];
        settle(node, rise, order);
      }
      here.clear();
    }
  } while (next_buckets());
  std::swap(price_, next_price_);
}

// Breadth first from the supplies that are left, whatever it costs. Here the order is the distance, and flow goes one
// further with every step, so that ways stay short.
void CoverFlow::find_ways() {
  std::fill(order_.begin(), order_.end(), 0);
  std::vector<GraphNode> queue;
  const auto reach = [&](GraphNode node, std::uint32_t order) {
    if (order_[node] != 0) return;
    order_[node] = order;
    queue.push_back(node);
  };
  for (GraphNode node = 0; node < graph_.nodes(); ++node) {
    if (balance_[node] > 0) reach(node, 1);
  }
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const GraphNode node = queue[at];
    const std::uint32_t order = order_[node] + 1;
    for (const GraphNode next : graph_.targets(node)) reach(next, order);
    if (!carries_[node]) continue;
    for (std::uint64_t place = in_first_[node]; place < in_first_[node + std::size_t{1}]; ++place) {
      if (flow_[place] != 0) reach(in_from_[place], order);
    }
  }
}

// --- flow ---

// The next edge by which flow can go on from here, in the order in which nodes were reached.
bool CoverFlow::advance(GraphNode node, Hop& hop) {
  const std::uint32_t outs = static_cast<std::uint32_t>(out_degree(node));
  const std::uint32_t price = price_[node];
  const std::uint32_t order = order_[node];
  for (std::uint32_t& at = cursor_[node]; at < outs; ++at) {
    const GraphNode next = graph_.to[graph_.first[node] + at];
    if (any_way_ ? order_[next] != order + 1 : order_[next] <= order) continue;
    if (!any_way_ && (price_[next] != price + step_cost || done(next))) continue;
    hop = {next, 0, false};
    return true;
  }
  if (!carries_[node]) return false;
  const std::uint32_t all = outs + in_first_[node + std::size_t{1}] - in_first_[node];
  for (std::uint32_t& at = cursor_[node]; at < all; ++at) {
    const std::uint64_t place = in_first_[node] + std::uint64_t{at - outs};
    if (flow_[place] == 0) continue;
    const GraphNode from = in_from_[place];
    if (any_way_ ? order_[from] != order + 1 : order_[from] <= order || done(from)) continue;
    hop = {from, place, true};
    return true;
  }
  return false;
}

// Depth first. A node from which nothing more can be sent is left for good in this round.
std::uint64_t CoverFlow::augment_from(GraphNode source) {
  std::uint64_t sent = 0;
  const bool limited = balance_[source] > 0;
  path_.assign(1, Hop{source, 0, false});
  while (!path_.empty() && (!limited || balance_[source] > 0)) {
    const GraphNode node = path_.back().node;
    if (path_.size() > 1 && wants(node)) {
      std::uint32_t amount = static_cast<std::uint32_t>(-balance_[node]);
      if (limited) amount = std::min(amount, static_cast<std::uint32_t>(balance_[source]));
      for (const Hop& hop : path_) {
        if (hop.back) amount = std::min(amount, flow_[hop.place]);
      }
      GAINSAY_CHECK(amount > 0, "there is room on the way");
      std::size_t keep = path_.size();
      for (std::size_t i = 1; i < path_.size(); ++i) {
        const Hop& hop = path_[i];
        if (hop.back) {
          flow_[hop.place] -= amount;
          flow_cost_ -= std::int64_t{step_cost} * amount;
          if (flow_[hop.place] == 0) keep = std::min(keep, i);
        } else {
          flow_[place_of(path_[i - 1].node, hop.node)] += amount;
          flow_cost_ += std::int64_t{step_cost} * amount;
          carries_[hop.node] = true;
        }
      }
      if (limited) {
        balance_[source] -= static_cast<std::int32_t>(amount);
      } else {
        served_[source] += amount;
      }
      balance_[node] += static_cast<std::int32_t>(amount);
      sent += amount;
      path_.resize(keep);
      continue;
    }
    Hop hop;
    if (advance(node, hop)) {
      path_.push_back(hop);
    } else {
      order_[node] = 0;
      path_.pop_back();
      if (!path_.empty()) ++cursor_[path_.back().node];
    }
  }
  return sent;
}

std::uint64_t CoverFlow::blocking_flow() {
  std::fill(cursor_.begin(), cursor_.end(), 0);
  std::uint64_t sent = 0;
  for (GraphNode node = 0; node < graph_.nodes(); ++node) {
    if (is_source(node) && order_[node] != 0) sent += augment_from(node);
  }
  return sent;
}

bool CoverFlow::round() {
  GAINSAY_CHECK(!finished_ && !any_way_, "rounds come before the end");
  if (needs_left_ == 0) return false;
  ++rounds_;
  find_prices();
  count_needs();
  if (needs_left_ == 0) return false;
  const std::uint64_t sent = blocking_flow();
  GAINSAY_CHECK(sent > 0, "where a need can be served at its price, some need is");
  count_needs();
  return needs_left_ != 0;
}

void CoverFlow::finish() {
  GAINSAY_CHECK(!std::exchange(finished_, true), "called once");
  const std::uint32_t n = graph_.nodes();
  for (GraphNode node = 0; node < n; ++node) {
    if (balance_[node] >= 0) continue;
    served_[node] += static_cast<std::uint32_t>(-balance_[node]);
    balance_[node] = 0;
  }
  // From the deepest nodes up: what a node needs from tests comes through its first parent.
  std::vector<GraphNode> by_depth(n);
  const std::uint32_t deepest = n == 0 ? 0 : *std::max_element(depth_.begin(), depth_.end());
  std::vector<std::uint32_t> begin(deepest + std::size_t{2}, 0);
  for (const std::uint32_t depth : depth_) ++begin[depth + std::size_t{1}];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  for (GraphNode node = 0; node < n; ++node) by_depth[begin[depth_[node]]++] = node;
  for (std::size_t i = n; i-- > 0;) {
    const GraphNode node = by_depth[i];
    if (served_[node] == 0 || depth_[node] == 0) continue;
    std::uint64_t place = in_first_[node];
    while (depth_[in_from_[place]] + 1 != depth_[node]) ++place;
    GAINSAY_CHECK(place < in_first_[node + std::size_t{1}], "every node has a parent");
    flow_[place] += served_[node];
    served_[in_from_[place]] += served_[node];
  }
  starts_.clear();
  for (const GraphNode node : graph_.initial) starts_.push_back(served_[node]);
}

// --- what it comes to ---

std::int64_t CoverFlow::bound_doubled() const {
  std::int64_t sum = required_steps_ * step_cost;
  for (GraphNode node = 0; node < graph_.nodes(); ++node) sum += std::int64_t{price_[node]} * demand_[node];
  return sum;
}

// Halves of prices are prices of the problem in whole steps.
std::int64_t CoverFlow::bound_steps() const {
  std::int64_t sum = required_steps_;
  for (GraphNode node = 0; node < graph_.nodes(); ++node)
    sum += std::int64_t{price_[node] / step_cost} * demand_[node];
  return sum;
}

// Prices that go no higher than a cheaper test costs are prices for that test too. What they prove, less what the tests
// cost, is a bound of steps alone. Any price of a test gives one; the best of some is taken.
std::int64_t CoverFlow::bound_steps_by(std::uint64_t tests) const {
  std::int64_t best = required_steps_;
  for (std::uint64_t price = 1; price <= test_price_; price *= 2) {
    std::int64_t sum = required_steps_ * step_cost - static_cast<std::int64_t>(price * tests);
    for (GraphNode node = 0; node < graph_.nodes(); ++node)
      sum += std::min<std::int64_t>(price_[node], static_cast<std::int64_t>(price) + 2 * depth_[node]) *
             demand_[node];
    best = std::max(best, (sum + step_cost - 1) / step_cost);
  }
  return best;
}

// Nodes that only tests can serve have the price of a test in their price, give or take the steps of a path; no edge
// leads to one from another node.
std::int64_t CoverFlow::bound_tests() const {
  GAINSAY_CHECK(test_price_ == fewest_tests, "tests are what is minimized");
  std::int64_t sum = 0;
  for (GraphNode node = 0; node < graph_.nodes(); ++node) {
    GAINSAY_CHECK(price_[node] < fewest_tests / 4 || price_[node] > fewest_tests / 4 * 3,
                  "no path is that long");
    if (price_[node] > fewest_tests / 2) sum += demand_[node];
  }
  return sum;
}

std::int64_t CoverFlow::cost_doubled() const {
  std::int64_t sum = required_steps_ * step_cost + flow_cost_;
  GAINSAY_CHECK(!finished_, "asked before the end");
  for (GraphNode node = 0; node < graph_.nodes(); ++node) {
    const std::int64_t units = std::int64_t{served_[node]} + std::max(0, -balance_[node]);
    sum += units * from_initial(node);
  }
  return sum;
}

std::vector<std::uint32_t> CoverFlow::take_extra() {
  GAINSAY_CHECK(finished_, "the flow is whole");
  in_from_ = {};
  next_price_ = {};
  cursor_ = {};
  order_ = {};
  // Entering edges were numbered in the order of edges.
  std::vector<std::uint32_t> extra(graph_.to.size());
  std::vector<std::uint32_t> at(in_first_.begin(), in_first_.end() - 1);
  for (std::size_t e = 0; e < extra.size(); ++e) extra[e] = flow_[at[graph_.to[e]]++];
  flow_ = {};
  return extra;
}

std::uint64_t CoverFlow::bytes() const {
  return (depth_.capacity() + in_first_.capacity() + in_from_.capacity() + flow_.capacity() +
          balance_.capacity() + served_.capacity() + price_.capacity() + next_price_.capacity() +
          order_.capacity() + cursor_.capacity() + demand_.capacity()) *
             4 +
         carries_.capacity() / 8;
}

}  // namespace gainsay
