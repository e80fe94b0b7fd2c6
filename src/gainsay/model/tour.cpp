#include "gainsay/model/tour.hpp"

#include <algorithm>
#include <deque>
#include <numeric>

#include "gainsay/base/check.hpp"
#include "gainsay/model/graph_search.hpp"

namespace gainsay {
namespace {

// The tour, edge by edge.
class Tour {
 public:
  Tour(const StateGraph& graph, const TourSuite& suite) : graph_(graph), suite_(suite) {
    const std::uint32_t n = graph.nodes();
    at_.assign(n, 0);
    left_.assign(n, 0);
    last_.assign(n, no_edge);
    keep_last_ways();
  }

  // Where the next test begins; no_node: there are no more.
  GraphNode begin() {
    while (start_ < graph_.initial.size() && started_ == suite_.starts()[start_]) {
      ++start_;
      started_ = 0;
    }
    if (start_ == graph_.initial.size()) return no_node;
    ++started_;
    return graph_.initial[start_];
  }
  // The way out of the node that is next; no_edge: the test ends here.
  GraphEdge step(GraphNode node) {
    const std::uint32_t degree = graph_.degree(node);
    std::uint32_t& at = at_[node];
    if (left_[node] > 0) {
      --left_[node];
      return at > degree ? last_[node] : graph_.first[node] + at - 1;
    }
    while (at < degree) {
      const GraphEdge edge = graph_.first[node] + at++;
      if (edge == last_[node]) continue;
      const std::uint32_t walks = suite_.walks(edge);
      if (walks == 0) continue;
      left_[node] = walks - 1;
      return edge;
    }
    if (at > degree || last_[node] == no_edge) return no_edge;
    ++at;
    left_[node] = suite_.walks(last_[node]) - 1;
    return last_[node];
  }

 private:
  // Backwards from the nodes where tests end, breadth first.
  void keep_last_ways() {
    const std::uint32_t n = graph_.nodes();
    std::vector<std::int64_t> ends(n, 0);
    for (std::size_t i = 0; i < graph_.initial.size(); ++i)
      ends[graph_.initial[i]] += static_cast<std::int64_t>(suite_.starts()[i]);
    std::vector<std::uint32_t> in_first(n + std::size_t{1}, 0);
    for (GraphNode node = 0; node < n; ++node) {
      for (GraphEdge e = graph_.first[node]; e < graph_.first[node + 1]; ++e) {
        const std::uint32_t walks = suite_.walks(e);
        if (walks == 0) continue;
        ends[node] -= walks;
        ends[graph_.to[e]] += walks;
        ++in_first[graph_.to[e] + std::size_t{1}];
      }
    }
    std::partial_sum(in_first.begin(), in_first.end(), in_first.begin());
    std::vector<GraphNode> in_from(in_first.back());
    std::vector<GraphNode> queue;
    {
      std::vector<std::uint32_t> place(in_first.begin(), in_first.end() - 1);
      for (GraphNode node = 0; node < n; ++node) {
        for (GraphEdge e = graph_.first[node]; e < graph_.first[node + 1]; ++e) {
          if (suite_.walks(e) > 0) in_from[place[graph_.to[e]]++] = node;
        }
      }
    }
    std::vector<bool> leads_out(n);
    for (GraphNode node = 0; node < n; ++node) {
      GAINSAY_CHECK(ends[node] >= 0, "no more walks leave a node than enter it");
      if (ends[node] == 0) continue;
      leads_out[node] = true;
      queue.push_back(node);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const GraphNode node = queue[next];
      for (std::uint32_t i = in_first[node]; i < in_first[node + std::size_t{1}]; ++i) {
        const GraphNode from = in_from[i];
        if (leads_out[from]) continue;
        leads_out[from] = true;
        GraphEdge edge = graph_.first[from];
        while (graph_.to[edge] != node || suite_.walks(edge) == 0) ++edge;
        GAINSAY_CHECK(edge < graph_.first[from + 1], "the edge begins there");
        last_[from] = edge;
        queue.push_back(from);
      }
    }
  }

  const StateGraph& graph_;
  const TourSuite& suite_;
  std::size_t start_ = 0;
  std::uint64_t started_ = 0;
  std::vector<std::uint32_t>
      at_;  // by node: so many of its edges were begun; one more than all: the last way
  std::vector<std::uint32_t> left_;  // by node: walks of the edge before `at_` that are left
  std::vector<GraphEdge> last_;      // by node: the way out that is kept; no_edge: a test ends here
};

class WholeTests final : public TestReader {
 public:
  WholeTests(const StateGraph& graph, const TourSuite& suite) : graph_(graph), tour_(graph, suite) {}

  bool next(TestPath& test) override {
    test.edges.clear();
    test.start = tour_.begin();
    if (test.start == no_node) return false;
    GraphNode node = test.start;
    for (GraphEdge edge = tour_.step(node); edge != no_edge; edge = tour_.step(node)) {
      test.edges.push_back(edge);
      node = graph_.to[edge];
    }
    return true;
  }

 private:
  const StateGraph& graph_;
  Tour tour_;
};

class CutTests final : public TestReader {
 public:
  CutTests(const StateGraph& graph, const TourSuite& suite)
      : graph_(graph), tour_(graph, suite), ways_(shortest_ways(graph)), suite_(suite) {
    GAINSAY_CHECK(suite.length_max && *suite.length_max > 0, "tests have a longest length");
  }

  bool next(TestPath& test) override {
    test.edges.clear();
    if (node_ != no_node) leave_out_transit();
    if (node_ == no_node) {  // the last test ended where the tour said
      test.start = tour_.begin();
      if (test.start == no_node) return false;
      node_ = test.start;
    } else {
      test.start = way_to(graph_, ways_, node_, test.edges);
    }
    const std::size_t before = test.edges.size();
    GAINSAY_CHECK(before < *suite_.length_max, "a test gets further than the way to where it begins");
    const std::size_t room = *suite_.length_max - before;
    look_ahead(room + 1);
    const bool whole = ends_ && ahead_.size() <= room;
    const std::size_t take = whole ? ahead_.size() : best_cut(room);
    for (std::size_t i = 0; i < take; ++i) go(test.edges);
    if (whole) end();
    return true;
  }

 private:
  // Asks the tour until so many steps are known, or its test ends.
  void look_ahead(std::size_t steps) {
    while (ahead_.size() < steps && !ends_) {
      const GraphEdge edge = tour_.step(ahead_.empty() ? node_ : graph_.to[ahead_.back()]);
      if (edge == no_edge) {
        ends_ = true;
      } else {
        ahead_.push_back(edge);
      }
    }
  }
  void go(std::vector<GraphEdge>& edges) {
    edges.push_back(ahead_.front());
    node_ = graph_.to[ahead_.front()];
    ahead_.pop_front();
  }
  void end() {
    node_ = no_node;
    ends_ = false;
  }
  // After a cut: steps that nobody requires, made only to get somewhere, need not be made.
  void leave_out_transit() {
    std::vector<GraphEdge> nowhere;
    while (true) {
      look_ahead(1);
      if (ahead_.empty()) return end();
      if (suite_.is_required(ahead_.front())) return;
      go(nowhere);
    }
  }

  // After so many steps the way to go on costs least for each of them. The furthest one of those.
  std::size_t best_cut(std::size_t room) const {
    GAINSAY_CHECK(ahead_.size() >= room && room > 0, "a test makes a step");
    std::size_t best = room;
    std::uint64_t best_cost = ~std::uint64_t{0} / room / 2;
    for (std::size_t steps = room; steps > 0; --steps) {
      const std::uint64_t cost = ways_.depth[graph_.to[ahead_[steps - 1]]] + suite_.reset_cost;
      if (cost * best >= best_cost * steps) continue;
      best = steps;
      best_cost = cost;
    }
    return best;
  }

  const StateGraph& graph_;
  Tour tour_;
  ShortestWays ways_;
  const TourSuite& suite_;
  GraphNode node_ = no_node;  // where the tour is
  std::deque<GraphEdge> ahead_;
  bool ends_ = false;  // the tour's test ends after what is ahead
};

}  // namespace

TourSuite::TourSuite(const StateGraph& graph, std::vector<bool> required, std::vector<std::uint32_t> extra,
                     std::vector<std::uint64_t> starts)
    : required_(std::move(required)), starts_(std::move(starts)) {
  GAINSAY_CHECK(extra.size() == graph.to.size(), "every edge has a number");
  GAINSAY_CHECK(starts_.size() == graph.initial.size(), "every initial node has a number of tests");
  graph_digest = graph.digest();
  extra_.resize(extra.size());
  for (std::size_t e = 0; e < extra.size(); ++e) {
    extra_[e] = static_cast<std::uint8_t>(std::min<std::uint32_t>(extra[e], many));
    if (extra[e] >= many) extra_many_.emplace_back(static_cast<GraphEdge>(e), extra[e]);
  }
}

std::uint32_t TourSuite::looked_up(GraphEdge edge) const {
  const auto found = std::lower_bound(extra_many_.begin(), extra_many_.end(), std::pair(edge, 0U));
  GAINSAY_CHECK(found != extra_many_.end() && found->first == edge, "large numbers are kept");
  return found->second;
}

std::unique_ptr<TestReader> TourSuite::read(const StateGraph& graph) const {
  GAINSAY_CHECK(graph.to.size() == extra_.size(), "a suite is read beside its own graph");
  if (length_max) return std::make_unique<CutTests>(graph, *this);
  return std::make_unique<WholeTests>(graph, *this);
}

std::uint64_t TourSuite::bytes() const {
  return extra_.capacity() + extra_many_.capacity() * sizeof(extra_many_[0]) + required_.capacity() / 8 +
         starts_.capacity() * 8;
}

std::uint64_t least_longest_test(const StateGraph& graph, const std::vector<bool>& required) {
  const ShortestWays ways = shortest_ways(graph);
  std::uint64_t least = 0;
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    for (GraphEdge e = graph.first[node]; e < graph.first[node + 1]; ++e) {
      if (required.empty() || required[e])
        least = std::max<std::uint64_t>(least, ways.depth[node] + std::uint64_t{1});
    }
  }
  return least;
}

}  // namespace gainsay
