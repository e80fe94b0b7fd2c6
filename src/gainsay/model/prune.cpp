// without_commuting: see cover.hpp.
//
// Edge (y, a, z) is left out if some s -b-> y with a before b in the order of events, a and b reach different actors, y
// is deeper than s, and s -a-> x -b-> z closes the diamond. The receiver of a is in s as it is in y, since b reached
// somebody else: its step is the one of (s, a, x). That one may be left out for the same reason, but only for a node
// that is less deep; so for every edge that is left out there is one that is not, with the same step of the same actor.
#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/model/cover.hpp"
#include "gainsay/model/graph_search.hpp"

namespace gainsay {
namespace {

// The edge of this event to this node; no_edge: there is none. Edges of a node are in the order of (event, to).
GraphEdge find_edge(const StateGraph& graph, GraphNode node, std::uint32_t event, GraphNode to) {
  GraphEdge low = graph.first[node];
  GraphEdge high = graph.first[node + 1];
  while (low < high) {
    const GraphEdge middle = low + (high - low) / 2;
    if (std::pair(graph.event[middle], graph.to[middle]) < std::pair(event, to)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < graph.first[node + 1] && graph.event[low] == event && graph.to[low] == to ? low : no_edge;
}

}  // namespace

std::vector<bool> without_commuting(const StateGraph& graph) {
  const bool named =
      graph.has_events() && std::any_of(graph.events.begin(), graph.events.end(),
                                        [](const GraphEvent& e) { return !e.receiver.empty(); });
  if (!named)
    throw UserError(
        "--prune commuting needs the graph of a scenario: the events of this graph do not name their actors");
  const ShortestWays ways = shortest_ways(graph);
  std::vector<bool> required(graph.edges(), true);
  for (GraphNode s = 0; s < graph.nodes(); ++s) {
    for (GraphEdge b = graph.first[s]; b < graph.first[s + 1]; ++b) {
      const GraphNode y = graph.to[b];
      if (ways.depth[y] <= ways.depth[s]) continue;
      const GraphEvent& second = graph.events[graph.event[b]];
      if (second.receiver.empty() || !is_ordinary(second.kind)) continue;
      for (GraphEdge a = graph.first[s]; a < b; ++a) {
        const GraphEvent& first = graph.events[graph.event[a]];
        if (first.receiver.empty() || !is_ordinary(first.kind) || first.receiver == second.receiver) continue;
        const GraphNode x = graph.to[a];
        // Where both orders lead: the same node.
        for (GraphEdge after = graph.first[y]; after < graph.first[y + 1]; ++after) {
          if (graph.event[after] != graph.event[a] || !required[after]) continue;
          if (find_edge(graph, x, graph.event[b], graph.to[after]) != no_edge) required[after] = false;
        }
      }
    }
  }
  return required;
}

}  // namespace gainsay
