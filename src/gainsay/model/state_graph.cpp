#include "gainsay/model/state_graph.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay {

std::strong_ordering compare(const GraphEvent& a, const GraphEvent& b) {
  if (const auto by_text = a.text <=> b.text; by_text != 0) return by_text;
  const auto by_answer = [](const DataChoice& x, const DataChoice& y) { return x.answer <=> y.answer; };
  return std::lexicographical_compare_three_way(a.answers.begin(), a.answers.end(), b.answers.begin(),
                                                b.answers.end(), by_answer);
}

std::string describe(const GraphEvent& event) {
  std::string text = event.text;
  for (std::size_t i = 0; i < event.answers.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? ", answers " : " ", event.answers[i].answer);
  return text;
}

GraphNode StateGraph::from(GraphEdge edge) const {
  GAINSAY_CHECK(edge < edges(), "the graph has the edge");
  return static_cast<GraphNode>(std::upper_bound(first.begin(), first.end(), edge) - first.begin() - 1);
}

std::string StateGraph::state_text(GraphNode node) const {
  GAINSAY_CHECK(node < nodes(), "the graph has the node");
  std::string text;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const std::string_view here = value(node, column);
    if (here.empty()) continue;
    text += fmt::format("{} = {}\n", columns[column], here);
  }
  return text;
}

std::uint64_t StateGraph::bytes() const {
  std::uint64_t sum = first.capacity() * 4 + to.capacity() * 4 + event.capacity() * 4 +
                      initial.capacity() * 4 + keys.capacity() * 8 + rows.capacity() * 4 + values.bytes() +
                      value_hashes.capacity() * 8;
  for (const GraphEvent& each : events)
    sum += sizeof(GraphEvent) + each.text.capacity() + each.message.capacity() + 32;
  for (const GraphMark& mark : marks) sum += mark.holds.capacity() / 8;
  return sum;
}

std::uint64_t StateGraph::digest() const {
  Hasher hasher(0x67726170ULL);
  const auto add = [&](const auto& numbers) {
    hasher.add(numbers.size());
    for (const auto number : numbers) hasher.add(number);
  };
  hasher.add(static_cast<std::uint64_t>(source));
  add(first);
  add(to);
  add(event);
  add(initial);
  add(keys);
  for (const GraphEvent& each : events) {
    hasher.add_text(each.text);
    for (const DataChoice& answer : each.answers) hasher.add(answer.answer);
  }
  for (const std::string& column : columns) hasher.add_text(column);
  return hasher.finish();
}

std::string StateGraph::check() const {
  const std::uint32_t n = nodes();
  if (first.empty() || first.front() != 0 || first.back() != to.size())
    return "the rows of edges do not end where the edges end";
  if (!event.empty() && event.size() != to.size()) return "not every edge has an event";
  for (GraphNode node = 0; node < n; ++node) {
    if (first[node] > first[node + 1]) return fmt::format("the edges of node {} end before they begin", node);
    for (GraphEdge e = first[node]; e < first[node + 1]; ++e) {
      if (to[e] >= n) return fmt::format("edge {} leads to node {}, and there are {}", e, to[e], n);
      if (!event.empty() && event[e] >= events.size())
        return fmt::format("edge {} has event {}, and there are {}", e, event[e], events.size());
      if (e == first[node] || event.empty()) continue;
      if (std::pair(event[e - 1], to[e - 1]) >= std::pair(event[e], to[e]))
        return fmt::format("the edges of node {} are not in order", node);
    }
  }
  if (n > 0 && initial.empty()) return "there is no initial node";
  for (std::size_t i = 0; i < initial.size(); ++i) {
    if (initial[i] >= n) return fmt::format("node {} is initial, and there are {}", initial[i], n);
    if (i > 0 && initial[i - 1] >= initial[i]) return "the initial nodes are not in order";
  }
  if (!keys.empty() && keys.size() != n) return "not every node has a key";
  if (rows.size() != std::uint64_t{n} * columns.size()) return "not every node has a value in every column";
  for (const std::uint32_t value : rows) {
    if (value >= values.size())
      return fmt::format("a node has value {}, and there are {}", value, values.size());
  }
  for (const GraphMark& mark : marks) {
    if (mark.holds.size() != n) return fmt::format("mark '{}' is not about {} nodes", mark.name, n);
  }
  std::vector<bool> seen(n);
  std::vector<GraphNode> stack(initial);
  for (const GraphNode node : initial) seen[node] = true;
  std::uint64_t reached = initial.size();
  while (!stack.empty()) {
    const GraphNode node = stack.back();
    stack.pop_back();
    for (const GraphNode next : targets(node)) {
      if (seen[next]) continue;
      seen[next] = true;
      ++reached;
      stack.push_back(next);
    }
  }
  if (reached != n)
    return fmt::format("node {} cannot be reached from an initial one",
                       std::find(seen.begin(), seen.end(), false) - seen.begin());
  return "";
}

StateGraph StateGraphBuilder::build(std::vector<GraphEvent> events) && {
  StateGraph graph;
  // The number of each event in the order of texts. Equal events get one number.
  std::vector<std::uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return compare(events[a], events[b]) < 0; });
  std::vector<std::uint32_t> number(events.size());
  for (const std::uint32_t each : order) {
    if (graph.events.empty() || compare(graph.events.back(), events[each]) != 0)
      graph.events.push_back(std::move(events[each]));
    number[each] = static_cast<std::uint32_t>(graph.events.size() - 1);
  }
  const bool labelled = !graph.events.empty();
  // A counting sort by node, then each row by (event, to).
  GAINSAY_CHECK(edges_.size() < no_edge, "edges have 32-bit numbers");
  std::vector<GraphEdge> at(nodes_ + std::size_t{1}, 0);
  for (const Edge& edge : edges_) {
    GAINSAY_CHECK(edge.from < nodes_ && edge.to < nodes_, "edges join nodes of the graph");
    ++at[edge.from + std::size_t{1}];
  }
  std::partial_sum(at.begin(), at.end(), at.begin());
  std::vector<std::pair<std::uint32_t, GraphNode>> sorted(edges_.size());
  for (const Edge& edge : edges_) {
    GAINSAY_CHECK(!labelled || edge.event < number.size(), "an edge has one of the events");
    sorted[at[edge.from]++] = {labelled ? number[edge.event] : 0, edge.to};
  }
  edges_ = {};
  graph.first.assign(nodes_ + std::size_t{1}, 0);
  graph.to.reserve(sorted.size());
  if (labelled) graph.event.reserve(sorted.size());
  std::size_t begin = 0;
  for (GraphNode node = 0; node < nodes_; ++node) {
    const std::size_t end = at[node];  // where the next one began
    const auto row = std::span(sorted).subspan(begin, end - begin);
    std::sort(row.begin(), row.end());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (labelled && i > 0 && row[i] == row[i - 1]) continue;
      graph.to.push_back(row[i].second);
      if (labelled) graph.event.push_back(row[i].first);
    }
    graph.first[node + std::size_t{1}] = static_cast<GraphEdge>(graph.to.size());
    begin = end;
  }
  std::sort(initial_.begin(), initial_.end());
  initial_.erase(std::unique(initial_.begin(), initial_.end()), initial_.end());
  graph.initial = std::move(initial_);
  return graph;
}

}  // namespace gainsay
