#include "tools/space_page.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/model/graph_search.hpp"
#include "gainsay/report/json.hpp"
#include "gainsay/report/page.hpp"
#include "tools/arguments.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t frequent_max = 40;

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

Json frequent_events(const StateGraph& graph) {
  std::vector<std::uint64_t> uses(graph.events.size());
  for (const std::uint32_t event : graph.event) ++uses[event];
  std::vector<std::uint32_t> frequent(graph.events.size());
  for (std::uint32_t i = 0; i < frequent.size(); ++i) frequent[i] = i;
  std::stable_sort(frequent.begin(), frequent.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return uses[a] > uses[b]; });
  frequent.resize(std::min(frequent.size(), frequent_max));
  Json out = Json::array();
  for (const std::uint32_t event : frequent)
    out.push_back(Json::array({describe(graph.events[event]), uses[event]}));
  return out;
}

// What is said of every graph, whoever made it.
void add_graph(Json& data, const StateGraph& graph, const ShortestWays& ways) {
  std::vector<std::uint64_t> by_degree;
  std::uint64_t ends = 0;
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    const std::uint32_t degree = graph.degree(node);
    if (degree >= by_degree.size()) by_degree.resize(degree + std::size_t{1});
    ++by_degree[degree];
    if (degree == 0) ++ends;
  }
  data["program"] = program_name();
  data["scenario"] = graph.source == StateGraph::Source::scenario;
  data["initial"] = graph.initial;
  data["ends"] = ends;
  data["by_degree"] = by_degree;
  data["events_count"] = graph.events.size();
  data["frequent"] = frequent_events(graph);
  if (graph.nodes() <= drawn_states_max && graph.edges() <= drawn_edges_max)
    data["graph"] = drawn_graph(graph, ways);
}

std::string written_page(const Json& data, const std::string& name, std::uint64_t states,
                         std::uint64_t edges) {
  return html_page(fmt::format("{}: states - gainsay", name),
                   fmt::format("{} states, {} edges.", states, edges),
                   data.dump(-1, ' ', true, Json::error_handler_t::replace));
}

// The execution's way through the graph. It ends where a step is not in it: behind a violation there are no edges.
std::vector<GraphEdge> way_of(const TraceDocument& document, const StateGraph& graph) {
  std::vector<GraphEdge> way;
  GraphNode node = graph.initial.front();
  for (const DocumentStep& step : document.steps) {
    GraphEdge found = no_edge;
    for (GraphEdge edge = graph.edges_begin(node); edge < graph.edges_end(node) && found == no_edge; ++edge) {
      const GraphEvent& event = *graph.event_of(edge);
      const bool same = event.kind == step.kind && event.receiver == step.to &&
                        event.message == step.message && event.answers == step.choices &&
                        (event.sender == step.from || event.sender.empty() || step.from.empty());
      if (same) found = edge;
    }
    if (found == no_edge) break;
    way.push_back(found);
    node = graph.to[found];
  }
  GAINSAY_CHECK(way.size() <= document.steps.size(), "an edge for each step at most");
  return way;
}

Json violation_json(const FoundViolation& found, const std::string& trace_file, const StateGraph* graph) {
  const Violation& violation = found.violation;
  Json out = {{"property", violation.property},
              {"message", violation.message},
              {"steps", found.document.steps.size()},
              {"loop_from", violation.loop_from == no_step ? Json() : Json(violation.loop_from)},
              {"trace_file", trace_file}};
  if (graph == nullptr) return out;
  const std::vector<GraphEdge> way = way_of(found.document, *graph);
  out["node"] = way.empty() ? graph->initial.front() : graph->to[way.back()];
  out["path"] = way;
  return out;
}

// By type of actor: which of its handlers were called, on how many edges; and the faults and starts beside them.
Json handlers_json(const ScenarioGraph& found) {
  const StateGraph& graph = found.graph;
  std::vector<std::uint64_t> uses(graph.events.size());
  for (const std::uint32_t event : graph.event) ++uses[event];
  std::map<std::string_view, const ActorType*> types;  // of actors that there are
  std::map<Slot, const ActorType*> type_of;
  for (std::size_t column = 0; column < graph.columns.size(); ++column) {
    for (GraphNode node = 0; node < graph.nodes(); ++node) {
      const CellId cell = found.cells[graph.row(node)[column]];
      if (cell == 0) continue;
      const ActorType* const type = found.kernel->cell(cell).type;
      type_of[found.slots[column]] = type;
      if (!type->monitor) types[type->name] = type;
      break;
    }
  }
  std::map<std::pair<const ActorType*, const ValueType*>, std::uint64_t> calls;
  std::map<std::string, std::uint64_t> kinds;
  for (std::size_t i = 0; i < graph.events.size(); ++i) {
    kinds[std::string(kind_name(graph.events[i].kind))] += uses[i];
    const EventKind kind = graph.events[i].kind;
    if (found.envelopes[i] == 0 || (kind != EventKind::deliver && kind != EventKind::timer)) continue;
    const Envelope& envelope = found.kernel->envelope(found.envelopes[i]);
    if (envelope.message == 0 || !type_of.contains(envelope.to)) continue;
    calls[{type_of[envelope.to], envelope.type}] += uses[i];
  }
  Json rows = Json::array();
  for (const auto& [name, type] : types) {
    for (const Handler& handler : type->handlers)
      rows.push_back(Json::array({name, handler.message->name, calls[{type, handler.message}]}));
  }
  return {{"handlers", std::move(rows)}, {"kinds", kinds}};
}

}  // namespace

std::string space_page(const LoadedModel& model) {
  const StateGraph& graph = model.graph();
  const ShortestWays ways = shortest_ways(graph);
  std::vector<std::uint64_t> by_depth(ways.deepest() + std::size_t{1});
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    if (ways.depth[node] < by_depth.size()) ++by_depth[ways.depth[node]];
  }
  Json data = {{"kind", "space"},
               {"name", graph.name},
               {"options", graph.options},
               {"states", graph.nodes()},
               {"edges_count", graph.edges()},
               {"incomplete", model.found.incomplete_because},
               {"by_depth", by_depth},
               {"violations", Json::array()}};
  for (const GraphViolation& each : model.found.violations) {
    const std::vector<GraphEdge> path = path_to_node(graph, each.node).edges;
    data["violations"].push_back({{"property", each.violation.property},
                                  {"message", each.violation.message},
                                  {"node", each.node},
                                  {"steps", path.size()},
                                  {"path", path}});
  }
  add_graph(data, graph, ways);
  return written_page(data, graph.name, graph.nodes(), graph.edges());
}

std::string space_page(const ExploredSpace& space) {
  const ExploreResult& result = space.result;
  SummaryOptions summary;
  summary.trace_files = space.trace_files;
  Json data = {{"kind", "space"},
               {"name", result.scenario},
               {"options", result.options},
               {"states", result.states},
               {"edges_count", result.transitions},
               {"ends", result.end_states},
               {"incomplete", result.incomplete_because},
               {"program", program_name()},
               {"no_graph", space.no_graph},
               {"explored", Json::parse(json_text(result, summary))},
               {"levels", Json::array()},
               {"violations", Json::array()}};
  std::vector<std::uint64_t> by_depth;
  for (const LevelCount& level : result.levels) {
    by_depth.push_back(level.states);
    data["levels"].push_back(Json::array({level.states, level.transitions}));
  }
  data["by_depth"] = by_depth;
  const StateGraph* const graph = space.graph == nullptr ? nullptr : &space.graph->graph;
  for (std::size_t i = 0; i < result.violations.size(); ++i)
    data["violations"].push_back(violation_json(
        result.violations[i], i < space.trace_files.size() ? space.trace_files[i] : "", graph));
  if (graph != nullptr) {
    add_graph(data, *graph, shortest_ways(*graph));
    data["ends"] = result.end_states;
    data["counted"] = {{"states", graph->nodes()}, {"all", space.graph->incomplete_because.empty()}};
    data["called"] = handlers_json(*space.graph);
  }
  return written_page(data, result.scenario, result.states, result.transitions);
}

}  // namespace gainsay::tools
