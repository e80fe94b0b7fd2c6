// graph: the state graph of a model, its facts, and questions about it.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/text.hpp"
#include "gainsay/base/whole_file.hpp"
#include "gainsay/model/graph_diff.hpp"
#include "gainsay/model/graph_file.hpp"
#include "gainsay/model/graph_search.hpp"
#include "gainsay/model/temporal.hpp"
#include "gainsay/model/tla_predicate.hpp"
#include "tools/arguments.hpp"
#include "tools/model_source.hpp"
#include "tools/space_page.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;

struct GraphArguments {
  ModelSource source;
  std::string out;
  std::string dot;
  std::string html;
  std::vector<std::string> invariants;
  std::vector<std::string> always_eventually;
  std::vector<std::string> eventually_always;
  std::string fairness = "events";
  std::optional<std::uint64_t> path_to_state;
  std::optional<std::uint64_t> path_to_step;
  std::string diff;
  bool no_file = false;
  bool json = false;
};

// Where P holds: a property of the scenario, or a predicate over the variables of a TLA+ model.
std::vector<bool> where_holds(const StateGraph& graph, const std::string& what) {
  for (const GraphMark& mark : graph.marks) {
    if (mark.name == what) return mark.holds;
  }
  if (graph.source == StateGraph::Source::tlc) return evaluate(graph, what);
  std::vector<std::string> names;
  for (const GraphMark& mark : graph.marks) names.push_back(mark.name);
  throw UserError(
      fmt::format("'{}' was not evaluated when this graph was made{}; make the graph from the scenario", what,
                  names.empty() ? std::string() : fmt::format(" (there are: {})", fmt::join(names, ", "))));
}

// Where a monitor of this name is warm; empty: nowhere.
std::vector<bool> where_warm(const StateGraph& graph, const std::string& what) {
  for (const GraphMark& mark : graph.marks) {
    if (mark.name == what + warm_suffix) return mark.holds;
  }
  return {};
}

// The text and the verdicts of one call.
class GraphReport {
 public:
  explicit GraphReport(const GraphArguments& arguments) : arguments_(arguments) {}

  void facts(const LoadedModel& model) {
    const StateGraph& graph = model.graph();
    const ShortestWays ways = shortest_ways(graph);
    const Components parts = components(graph);
    std::uint64_t loops = 0;
    std::uint64_t ends = 0;
    for (GraphNode node = 0; node < graph.nodes(); ++node) {
      if (graph.degree(node) == 0) ++ends;
      for (const GraphNode to : graph.targets(node)) loops += to == node ? 1 : 0;
    }
    json_["source"] = graph.name;
    json_["states"] = graph.nodes();
    json_["edges"] = graph.edges();
    json_["initial"] = graph.initial.size();
    json_["events"] = graph.events.size();
    json_["self_loops"] = loops;
    json_["end_states"] = ends;
    json_["depth"] = ways.deepest();
    json_["components"] = parts.count;
    json_["cyclic_components"] = parts.cyclic;
    json_["largest_component"] = parts.largest;
    json_["columns"] = graph.columns;
    json_["values"] = graph.has_values() ? graph.values.size() - 1 : 0;
    json_["memory_bytes"] = graph.bytes();
    text_ += fmt::format("{}: {}, {}, {}\n", graph.name, counted(graph.nodes(), "state"),
                         counted(graph.edges(), "edge"), counted(graph.initial.size(), "initial state"));
    line("events", fmt::format("{} different", with_commas(graph.events.size())));
    line("depth", counted(ways.deepest(), "step"));
    line("end states", with_commas(ends));
    line("self-loops", with_commas(loops));
    line("components", fmt::format("{}, {} with a cycle, the largest has {}", with_commas(parts.count),
                                   with_commas(parts.cyclic), counted(parts.largest, "state")));
    line("memory", human_bytes(graph.bytes()));
    if (!model.from_file) {
      line("fingerprints", fmt::format("two different states were merged with probability at most {:.1e}",
                                       model.found.collision_probability));
    }
    json_["complete"] = model.found.incomplete_because.empty();
    if (!model.found.incomplete_because.empty()) {
      incomplete_ = true;
      json_["incomplete_because"] = model.found.incomplete_because;
      text_ += fmt::format("  The graph is incomplete ({}): its last states have no edges\n",
                           model.found.incomplete_because);
    }
    json_["violations"] = Json::array();
    for (const GraphViolation& each : model.found.violations)
      violated(each.violation.property, each.violation.message, path_to_node(graph, each.node), {}, graph);
  }

  void questions(const StateGraph& graph) {
    const Fairness fairness = arguments_.fairness == "next" ? Fairness::next : Fairness::events;
    for (const std::string& each : arguments_.invariants)
      answer(graph, each, broken_invariant(graph, where_holds(graph, each)));
    for (const std::string& each : arguments_.always_eventually)
      answer(graph, "[]<> " + each,
             broken_always_eventually(graph, where_holds(graph, each), fairness, where_warm(graph, each)));
    for (const std::string& each : arguments_.eventually_always)
      answer(graph, "<>[] " + each, broken_eventually_always(graph, where_holds(graph, each), fairness));
    if (arguments_.path_to_state) {
      if (*arguments_.path_to_state >= graph.nodes())
        throw UserError(fmt::format("--path-to-state '{}': expected a state below {}",
                                    *arguments_.path_to_state, graph.nodes()));
      show_path(graph, path_to_node(graph, static_cast<GraphNode>(*arguments_.path_to_state)));
    }
    if (arguments_.path_to_step) {
      if (*arguments_.path_to_step >= graph.edges())
        throw UserError(fmt::format("--path-to-edge '{}': expected an edge below {}",
                                    *arguments_.path_to_step, graph.edges()));
      show_path(graph, path_to_edge(graph, static_cast<GraphEdge>(*arguments_.path_to_step)));
    }
    if (!arguments_.diff.empty()) show_diff(graph);
  }

  void written(const std::string& path) {
    text_ += fmt::format("  Written to {}\n", path);
    json_["files"].push_back(path);
  }

  int say_all() {
    say(arguments_.json ? json_.dump(2) + "\n" : text_);
    if (violated_) return 1;
    return incomplete_ ? 3 : 0;
  }

 private:
  void line(const std::string& name, const std::string& what) {
    text_ += fmt::format("  {:13} {}\n", name, what);
  }

  void answer(const StateGraph& graph, const std::string& property, const std::optional<TestPath>& broken) {
    if (broken) return violated(property, "it does not hold in some state", *broken, {}, graph);
    holds(property);
  }
  void answer(const StateGraph& graph, const std::string& property, const std::optional<LassoPath>& broken) {
    if (!broken) return holds(property);
    violated(property,
             broken->loop.empty() ? "an execution ends in a state in which it does not hold"
                                  : "a fair infinite execution violates it",
             broken->way, broken->loop, graph);
  }
  void holds(const std::string& property) {
    json_["holds"].push_back(property);
    // Of a part of the graph nothing is known.
    text_ += incomplete_ ? fmt::format("  No violation of '{}' in this part of the graph\n", property)
                         : fmt::format("  '{}' holds\n", property);
  }
  void violated(const std::string& property, const std::string& message, const TestPath& way,
                const std::vector<GraphEdge>& loop, const StateGraph& graph) {
    violated_ = true;
    json_["violations"].push_back(
        {{"property", property}, {"message", message}, {"steps", way.edges}, {"loop", loop}});
    text_ += fmt::format("  '{}' is violated: {}, {} from initial state {}:\n", property, message,
                         counted(way.edges.size(), "step"), way.start);
    text_ += path_text(graph, way);
    if (!loop.empty()) {
      text_ += "  then, repeated for ever:\n";
      text_ += path_text(graph, {no_node, loop}, way.edges.size() + 1);
    }
    const GraphNode last = way.edges.empty() ? way.start : graph.to[way.edges.back()];
    text_ += fmt::format("  State {}:\n", last);
    std::string state = graph.state_text(last);
    for (std::size_t at = 0; at < state.size();) {
      const std::size_t end = state.find('\n', at);
      text_ += "    " + state.substr(at, end - at) + "\n";
      at = end + 1;
    }
  }
  void show_path(const StateGraph& graph, const TestPath& path) {
    json_["path"] = path.edges;
    text_ += fmt::format("  {} from initial state {}:\n", counted(path.edges.size(), "step"), path.start);
    text_ += path_text(graph, path);
  }
  void show_diff(const StateGraph& graph) {
    ModelSource older;
    older.name = arguments_.diff;
    older.values = arguments_.source.values;
    older.quiet = arguments_.source.quiet;
    const LoadedModel model = load_model(older, "graph");
    const GraphDiff d = diff(model.graph(), graph);
    json_["diff"] = {{"states_came", d.nodes_came},     {"states_went", d.nodes_went},
                     {"states_stayed", d.nodes_stayed}, {"edges_came", d.edges_came},
                     {"edges_went", d.edges_went},      {"edges_stayed", d.edges_stayed}};
    text_ += fmt::format(
        "  Since {}: states {} added, {} removed, {} kept; edges {} added, {} removed, {} kept\n",
        arguments_.diff, with_commas(d.nodes_came), with_commas(d.nodes_went), with_commas(d.nodes_stayed),
        with_commas(d.edges_came), with_commas(d.edges_went), with_commas(d.edges_stayed));
  }

  const GraphArguments& arguments_;
  std::string text_;
  Json json_;
  bool violated_ = false;
  bool incomplete_ = false;
};

int graph_verb(GraphArguments arguments) {
  required(arguments.source.name,
           "graph needs a SOURCE: a scenario, a TLC dump (model.dot), or a graph file");
  for (const auto* list :
       {&arguments.invariants, &arguments.always_eventually, &arguments.eventually_always}) {
    arguments.source.marks.insert(arguments.source.marks.end(), list->begin(), list->end());
    if (!list->empty()) arguments.source.values = true;
  }
  const LoadedModel model = load_model(arguments.source, "graph");
  GraphReport report(arguments);
  report.facts(model);
  report.questions(model.graph());
  const bool is_own_file = model.from_file && GraphFile::is_one(arguments.source.name);
  if (!arguments.out.empty() || (!is_own_file && !arguments.no_file)) {
    const std::string path =
        arguments.out.empty() ? default_model_file(arguments.source, ".graph") : arguments.out;
    GraphFile::write(path, model.graph());
    report.written(path);
  }
  if (!arguments.dot.empty()) {
    GraphFile::write_dot(arguments.dot, model.graph(), true);
    report.written(arguments.dot);
  }
  if (!arguments.html.empty()) {
    write_whole_file(arguments.html, "page", space_page(model));
    report.written(arguments.html);
  }
  return report.say_all();
}

}  // namespace

Verb add_graph(CLI::App& app) {
  auto arguments = std::make_shared<GraphArguments>();
  GraphArguments& a = *arguments;
  add_positional(app, "SOURCE", a.source.name,
                 "a scenario of value actors, a TLC dump (-dump dot,actionlabels), or a graph file");
  add_text(app, "--out", "FILE", a.out, "file for the graph (SOURCE.graph)");
  add_flag(app, "--no-file", a.no_file, "do not write a graph file");
  add_text(app, "--dot", "FILE", a.dot, "also write the graph for Graphviz");
  add_text(app, "--html", "FILE", a.html,
           "also write an HTML page: statistics, and the graph if it is small");
  add_flag(app, "--values", a.source.values, "keep the values of variables (TLC dumps)");
  add_texts(
      app, "--invariant", "P", a.invariants,
      "check that P holds in every state; P is a property of the scenario or a TLA+ expression; repeatable");
  add_texts(app, "--always-eventually", "P", a.always_eventually,
            "check []<>P under weak fairness; repeatable");
  add_texts(app, "--eventually-always", "P", a.eventually_always,
            "check <>[]P under weak fairness; repeatable");
  add_word(app, "--fairness", {"events", "next"}, a.fairness,
           "fairness applies to every event, or only to some next step (events)");
  add_number(app, "--path-to-state", a.path_to_state, {0, UINT32_MAX},
             "print a shortest path to the state with this number");
  add_number(app, "--path-to-edge", a.path_to_step, {0, UINT32_MAX},
             "print a shortest path that ends with this edge");
  add_text(app, "--diff", "OLD", a.diff, "print states and edges added, removed and kept since this graph");
  add_model_source(app, a.source);
  add_flag(app, "--json", a.json, "one JSON document on stdout");
  return [arguments] { return graph_verb(*arguments); };
}

}  // namespace gainsay::tools
