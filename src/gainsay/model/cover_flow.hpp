// CoverFlow: how often each edge must be walked again, so that tests cover all required edges at least cost.
//
// Every required edge is walked once. A node that more required edges enter than leave has a supply of walks that may
// end there, or go on; one that more leave has a need. A need is served by a supply, for the steps between them, or by
// a new test, for the steps from an initial node and the price of a test. Edges may be walked again without limit, one
// step each. That is a flow problem; its optimum is the cheapest suite:
//   price 0: fewest steps; price without end: fewest tests; between: what a reset costs in steps. Ties go to fewer
//   tests: costs are doubled, and a test costs one more.
//
// Primal and dual (successive shortest paths, many at a time). Every node has a price, what one more unit delivered
// there costs; along an edge prices rise by at most the cost of a step, and by just that where the edge carries flow. A
// round finds the shortest ways from what is left of the supplies, by buckets, raises the prices by them, and sends a
// blocking flow along edges whose prices fit. A node whose price is that of a new test is done: its needs are served by
// tests, in one pass at the end. Prices alone are a proof: no suite costs less than `bound`, at any moment; so it can
// be ended at any time, with what is left served by tests and the gap known.
//
// Memory per edge: 8 bytes beside the graph. Thread-safety: none needed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gainsay/model/state_graph.hpp"

namespace gainsay {

class CheckpointReader;
class CheckpointWriter;
struct Components;

class CoverFlow {
 public:
  // In doubled steps: a test costs 2 * steps + 1. More than any path: fewest tests.
  static constexpr std::uint32_t fewest_tests = 1U << 30U;

  // `required`: by edge; empty: all of them. REQUIRES: the graph has an initial node and every node is reachable.
  CoverFlow(const StateGraph& graph, const std::vector<bool>& required, std::uint32_t test_price);

  // One round; false where there is nothing left to do, and the flow is optimal.
  bool round();
  // Ends early: what is left is served by supplies along any way there is (so that no test is made that need not be),
  // then by tests. Returns what no cover can go below: the number of tests. REQUIRES: `round` is not called again.
  std::uint64_t finish_anyhow();
  // Parts of the graph that the optimum covers by closed walks need one test all the same. It may begin at an initial
  // node and end elsewhere, which can save steps: for each such part the best way is found. Returns how many tests were
  // added, and the steps that they save. REQUIRES: optimal(); all edges are required.
  struct FreeTests {
    std::uint64_t tests = 0;
    std::int64_t steps_saved = 0;
  };
  FreeTests add_free_tests();
  // Serves by tests what is left. REQUIRES: called last, once.
  void finish();

  bool optimal() const { return needs_left_ == 0; }
  std::uint64_t needs_left() const { return needs_left_; }
  std::uint64_t rounds() const { return rounds_; }
  // No cover costs less than this, in doubled steps with the price of tests; and in steps alone, tests at `price` / 2
  // rounded down.
  std::int64_t bound_doubled() const;
  std::int64_t bound_steps() const;
  // No cover by so many tests has fewer steps.
  std::int64_t bound_steps_by(std::uint64_t tests) const;
  // REQUIRES: test_price == fewest_tests. No cover has fewer tests.
  std::int64_t bound_tests() const;
  // What the cover would cost if it were ended now, in doubled steps.
  std::int64_t cost_doubled() const;

  // After `finish`: how often each edge is walked beyond its requirement, in the order of edges; how many tests begin
  // at each initial node, in their order.
  std::vector<std::uint32_t> take_extra();
  const std::vector<std::uint64_t>& starts() const { return starts_; }
  const std::vector<std::uint32_t>& depth() const { return depth_; }
  std::uint64_t bytes() const;

  // Between two rounds (cover_checkpoint.cpp): everything that the next one depends on. REQUIRES for `read`: the same
  // graph, requirements and price, and no round was made. Throws UserError for what does not fit the graph.
  void write(CheckpointWriter& out) const;
  void read(CheckpointReader& in);

 private:
  static constexpr std::uint32_t never = 0xffffffffU;
  struct Hop {
    GraphNode node = 0;
    std::uint64_t place = 0;  // of the edge that leads here, in in_from_
    bool back = false;        // the edge is walked backwards: its flow is taken back
  };

  std::uint32_t from_initial(GraphNode node) const { return test_price_ + 2 * depth_[node]; }
  bool done(GraphNode node) const { return price_[node] == from_initial(node); }
  bool needs(GraphNode node) const { return balance_[node] < 0 && !done(node); }
  void find_depths();
  void reverse_edges();
  void find_prices();
  void wait(GraphNode node, std::uint32_t rise);
  bool next_buckets();
  void settle(GraphNode node, std::uint32_t rise, std::uint32_t& order);
  void find_ways();
  std::uint64_t blocking_flow();
  bool is_source(GraphNode node) const {
    return balance_[node] > 0 || (!any_way_ && carries_[node] && done(node));
  }
  bool wants(GraphNode node) const { return any_way_ ? balance_[node] < 0 : needs(node); }
  bool advance(GraphNode node, Hop& hop);
  std::uint64_t augment_from(GraphNode source);
  std::uint64_t place_of(GraphNode from, GraphNode to) const;
  void count_needs();
  void send_any_way();
  void send_between(const Components& parts, std::vector<bool>& reached);
  void send_within(const Components& parts);
  std::vector<GraphNode> closed_parts() const;
  void send_back(GraphNode node, const std::vector<GraphNode>& came_from);
  std::uint64_t out_degree(GraphNode node) const { return graph_.first[node + 1] - graph_.first[node]; }

  const StateGraph& graph_;
  const std::uint32_t test_price_;
  bool any_way_ = false;  // finish_anyhow: prices do not matter any more
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint32_t> in_first_;  // by node: its entering edges stand together
  std::vector<GraphNode> in_from_;       // by entering edge, ascending for each node
  std::vector<std::uint32_t> flow_;      // by entering edge
  std::vector<bool> carries_;            // by node: some entering edge may carry flow
  std::vector<std::int32_t> balance_;    // above 0: supply that is left; below: need that is left
  std::vector<std::uint32_t> served_;    // by node: units that tests must deliver here
  std::vector<std::uint32_t> price_;
  std::vector<std::uint32_t> next_price_;
  std::vector<std::uint32_t> order_;   // in which the nodes were reached in this round; 0: not, or a dead end
  std::vector<std::uint32_t> cursor_;  // the edge that is tried next
  std::vector<std::vector<GraphNode>> buckets_;           // of nodes that wait, by how much their price rises
  std::vector<std::pair<std::uint32_t, GraphNode>> far_;  // whose price rises by more than there are buckets
  std::vector<Hop> path_;
  std::uint32_t base_ = 0;  // of the first bucket
  std::uint64_t needs_left_ = 0;
  std::uint64_t rounds_ = 0;
  std::int64_t required_steps_ = 0;
  std::int64_t flow_cost_ = 0;        // of what was sent so far, in doubled steps
  std::vector<std::int32_t> demand_;  // the balance at the beginning, negated
  std::vector<std::uint64_t> starts_;
  bool finished_ = false;
};

}  // namespace gainsay
