#include "gainsay/model/graph_diff.hpp"

#include <algorithm>
#include <map>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

void refuse_diff(const StateGraph& older, const StateGraph& newer) {
  if (older.keys.empty() || newer.keys.empty())
    throw UserError("the graphs cannot be compared: their states have no keys");
  if (older.source != newer.source || older.has_values() != newer.has_values())
    throw UserError(
        "the graphs cannot be compared: their states are named in different ways (make both from scenarios, "
        "or both from "
        "TLC's dumps with --values)");
  if (older.source == StateGraph::Source::scenario && older.name != newer.name)
    throw UserError(fmt::format("the graphs cannot be compared: one is for scenario '{}', the other for '{}'",
                                older.name, newer.name));
}

}  // namespace

GraphDiff diff(const StateGraph& older, const StateGraph& newer) {
  refuse_diff(older, newer);
  boost::unordered_flat_map<std::uint64_t, GraphNode> old_nodes;
  for (GraphNode node = 0; node < older.nodes(); ++node) {
    if (!old_nodes.try_emplace(older.keys[node], node).second)
      throw UserError("the graphs cannot be compared: two states of the older one share a key");
  }
  // Events of the older graph by their order; numbers of the newer one are translated.
  std::vector<std::uint32_t> old_event(newer.events.size(), 0xffffffffU);
  for (std::size_t i = 0; i < newer.events.size(); ++i) {
    const auto found =
        std::lower_bound(older.events.begin(), older.events.end(), newer.events[i],
                         [](const GraphEvent& a, const GraphEvent& b) { return compare(a, b) < 0; });
    if (found != older.events.end() && compare(*found, newer.events[i]) == 0)
      old_event[i] = static_cast<std::uint32_t>(found - older.events.begin());
  }
  GraphDiff result;
  result.came.assign(newer.edges(), true);
  std::vector<GraphNode> old_of(newer.nodes(), no_node);
  for (GraphNode node = 0; node < newer.nodes(); ++node) {
    const auto found = old_nodes.find(newer.keys[node]);
    if (found == old_nodes.end()) continue;
    old_of[node] = found->second;
    ++result.nodes_stayed;
  }
  for (GraphNode node = 0; node < newer.nodes(); ++node) {
    const GraphNode before = old_of[node];
    if (before == no_node) continue;
    // Edges without events are told by their place among equal ones.
    std::map<std::pair<std::uint32_t, GraphNode>, std::uint32_t> left;
    for (GraphEdge e = older.first[before]; e < older.first[before + 1]; ++e)
      ++left[{older.has_events() ? older.event[e] : 0, older.to[e]}];
    for (GraphEdge e = newer.first[node]; e < newer.first[node + 1]; ++e) {
      const GraphNode to = old_of[newer.to[e]];
      if (to == no_node) continue;
      const auto found = left.find({newer.has_events() ? old_event[newer.event[e]] : 0, to});
      if (found == left.end() || found->second == 0) continue;
      --found->second;
      result.came[e] = false;
      ++result.edges_stayed;
    }
  }
  result.nodes_came = newer.nodes() - result.nodes_stayed;
  result.nodes_went = older.nodes() - result.nodes_stayed;
  result.edges_came = newer.edges() - result.edges_stayed;
  result.edges_went = older.edges() - result.edges_stayed;
  GAINSAY_CHECK(result.nodes_stayed <= older.nodes() && result.edges_stayed <= older.edges(),
                "nothing stays twice");
  return result;
}

}  // namespace gainsay
