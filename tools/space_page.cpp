#include "tools/space_page.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/model/graph_search.hpp"
#include "gainsay/report/page.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;

Json drawn_graph(const StateGraph& graph, const ShortestWays& ways) {
  Json out = {{"columns", graph.columns}, {"nodes", Json::array()}, {"edges", Json::array()}};
  StringTable texts;
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    Json row = Json::array({ways.depth[node]});
    if (graph.has_values()) {
      for (const std::uint32_t value : graph.row(node)) row.push_back(texts[graph.values[value]]);
    }
    out["nodes"].push_back(std::move(row));
    for (GraphEdge edge = graph.edges_begin(node); edge < graph.edges_end(node); ++edge)
      out["edges"].push_back(Json::array({node, graph.to[edge], texts[graph.event_text(edge)]}));
  }
  out["texts"] = texts.texts();
  return out;
}

}  // namespace

std::string space_page(const LoadedModel& model) {
  const StateGraph& graph = model.graph();
  const ShortestWays ways = shortest_ways(graph);
  std::vector<std::uint64_t> by_depth(ways.deepest() + std::size_t{1});
  std::vector<std::uint64_t> by_degree;
  std::uint64_t ends = 0;
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    if (ways.depth[node] < by_depth.size()) ++by_depth[ways.depth[node]];
    const std::uint32_t degree = graph.degree(node);
    if (degree >= by_degree.size()) by_degree.resize(degree + std::size_t{1});
    ++by_degree[degree];
    if (degree == 0) ++ends;
  }
  std::vector<std::uint64_t> uses(graph.events.size());
  for (const std::uint32_t event : graph.event) ++uses[event];
  std::vector<std::uint32_t> frequent(graph.events.size());
  for (std::uint32_t i = 0; i < frequent.size(); ++i) frequent[i] = i;
  std::stable_sort(frequent.begin(), frequent.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return uses[a] > uses[b]; });
  frequent.resize(std::min<std::size_t>(frequent.size(), 40));
  Json data = {{"kind", "space"},
               {"name", graph.name},
               {"options", graph.options},
               {"states", graph.nodes()},
               {"edges_count", graph.edges()},
               {"events_count", graph.events.size()},
               {"ends", ends},
               {"incomplete", model.found.incomplete_because},
               {"scenario", graph.source == StateGraph::Source::scenario},
               {"initial", graph.initial},
               {"by_depth", by_depth},
               {"by_degree", by_degree},
               {"frequent", Json::array()},
               {"violations", Json::array()}};
  for (const std::uint32_t event : frequent)
    data["frequent"].push_back(Json::array({describe(graph.events[event]), uses[event]}));
  for (const GraphViolation& each : model.found.violations)
    data["violations"].push_back({{"property", each.violation.property},
                                  {"message", each.violation.message},
                                  {"node", each.node},
                                  {"path", path_to_node(graph, each.node).edges}});
  if (graph.nodes() <= drawn_states_max && graph.edges() <= drawn_edges_max)
    data["graph"] = drawn_graph(graph, ways);
  return html_page(fmt::format("{}: states - gainsay", graph.name),
                   fmt::format("{} states, {} edges.", graph.nodes(), graph.edges()),
                   data.dump(-1, ' ', true, Json::error_handler_t::replace));
}

}  // namespace gainsay::tools
