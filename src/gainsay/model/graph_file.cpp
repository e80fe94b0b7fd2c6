#include "gainsay/model/graph_file.hpp"

#include <fmt/format.h>

#include "gainsay/base/whole_file.hpp"
#include "gainsay/model/section_file.hpp"

namespace gainsay {
namespace {

constexpr char graph_letter = 'G';
constexpr std::uint32_t graph_version = 1;

// What a double-quoted string of Graphviz may hold.
std::string dot_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

void GraphFile::write(const std::string& path, const StateGraph& graph) {
  SectionWriter file(path, graph_letter, graph_version, "state graph");
  std::vector<std::string> about = {graph.name};
  for (const auto& [name, value] : graph.options) {
    about.push_back(name);
    about.push_back(value);
  }
  file.numbers("source", std::vector<std::uint32_t>{static_cast<std::uint32_t>(graph.source)});
  file.texts("about", about);
  file.numbers("first", graph.first);
  file.numbers("to", graph.to);
  file.numbers("event", graph.event);
  file.numbers("initial", graph.initial);
  file.numbers("keys", graph.keys);
  std::vector<std::string> texts;
  std::vector<std::uint64_t> facts;
  for (const GraphEvent& event : graph.events) {
    texts.insert(texts.end(), {event.text, event.receiver, event.sender, event.message});
    facts.insert(facts.end(), {static_cast<std::uint64_t>(event.kind), event.identity, event.answers.size()});
    for (const DataChoice& answer : event.answers)
      facts.push_back(answer.answer | (std::uint64_t{answer.among} << 32U) | (answer.coin ? 1ULL << 63U : 0));
  }
  file.texts("event texts", texts);
  file.numbers("event facts", facts);
  file.texts("columns", graph.columns);
  file.numbers("rows", graph.rows);
  file.bytes("values", graph.values.characters_);
  file.numbers("value ends", graph.values.ends_);
  file.numbers("value hashes", graph.value_hashes);
  std::vector<std::string> marks;
  for (const GraphMark& mark : graph.marks) marks.push_back(mark.name);
  file.texts("marks", marks);
  for (const GraphMark& mark : graph.marks) file.bits("mark", mark.holds);
  file.finish();
}

StateGraph GraphFile::read(const std::string& path) {
  SectionReader file(path, graph_letter, graph_version, "state graph");
  StateGraph graph;
  const std::vector<std::uint32_t> source = file.numbers<std::uint32_t>("source");
  if (source.size() != 1 || source[0] > static_cast<std::uint32_t>(StateGraph::Source::other))
    file.fail("source", "where the graph comes from");
  graph.source = static_cast<StateGraph::Source>(source[0]);
  const std::vector<std::string> about = file.texts("about");
  if (about.size() % 2 != 1) file.fail("about", "a name, and options with their values");
  graph.name = about[0];
  for (std::size_t i = 1; i < about.size(); i += 2) graph.options.emplace_back(about[i], about[i + 1]);
  graph.first = file.numbers<GraphEdge>("first");
  if (graph.first.empty()) file.fail("first", "at least one entry");
  graph.to = file.numbers<GraphNode>("to");
  graph.event = file.numbers<std::uint32_t>("event");
  graph.initial = file.numbers<GraphNode>("initial");
  graph.keys = file.numbers<std::uint64_t>("keys");
  const std::vector<std::string> texts = file.texts("event texts");
  const std::vector<std::uint64_t> facts = file.numbers<std::uint64_t>("event facts");
  if (texts.size() % 4 != 0) file.fail("event texts", "four texts for each event");
  std::size_t at = 0;
  for (std::size_t i = 0; i < texts.size(); i += 4) {
    if (facts.size() - at < 3 || facts[at] >= event_kinds || facts[at + 2] > facts.size() - at - 3)
      file.fail("event facts", "kind, identity and answers of each event");
    GraphEvent event{
        texts[i],     static_cast<EventKind>(facts[at]), texts[i + 1], texts[i + 2], texts[i + 3], {},
        facts[at + 1]};
    const std::size_t answers = facts[at + 2];
    for (at += 3; event.answers.size() < answers; ++at)
      event.answers.push_back({static_cast<std::uint32_t>(facts[at]),
                               static_cast<std::uint32_t>((facts[at] >> 32U) & 0x7fffffffU),
                               facts[at] >> 63U != 0});
    graph.events.push_back(std::move(event));
  }
  if (at != facts.size()) file.fail("event facts", "nothing after the last event");
  graph.columns = file.texts("columns");
  graph.rows = file.numbers<std::uint32_t>("rows");
  graph.values.characters_ = file.bytes("values");
  graph.values.ends_ = file.numbers<std::uint64_t>("value ends");
  std::uint64_t end = 0;
  for (const std::uint64_t each : graph.values.ends_) {
    if (each < end) file.fail("value ends", "places in ascending order");
    end = each;
  }
  if (end != graph.values.characters_.size())
    file.fail("value ends", "the last one at the end of the values");
  graph.value_hashes = file.numbers<std::uint64_t>("value hashes");
  for (const std::string& name : file.texts("marks"))
    graph.marks.push_back({name, file.bits("mark", graph.nodes())});
  file.finish();
  if (const std::string wrong = graph.check(); !wrong.empty())
    throw UserError(fmt::format("{}: the state graph is damaged: {}", path, wrong));
  return graph;
}

bool GraphFile::is_one(const std::string& path) { return is_section_file(path, graph_letter); }

void GraphFile::write_dot(const std::string& path, const StateGraph& graph, bool values) {
  WholeFile file(path, "graph");
  std::string text = "digraph states {\nnode [shape=box,style=rounded]\n";
  const auto flush = [&] {
    file.write(text);
    text.clear();
  };
  std::size_t next_initial = 0;
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    const bool initial = next_initial < graph.initial.size() && graph.initial[next_initial] == node;
    if (initial) ++next_initial;
    const std::string label = values && graph.has_values() ? graph.state_text(node) : std::to_string(node);
    text += fmt::format("{} [label={}{}];\n", node, dot_quoted(label), initial ? ",style=filled" : "");
    for (GraphEdge e = graph.edges_begin(node); e < graph.edges_end(node); ++e) {
      text += fmt::format("{} -> {}", node, graph.to[e]);
      if (graph.has_events()) text += fmt::format(" [label={}]", dot_quoted(describe(*graph.event_of(e))));
      text += ";\n";
    }
    if (text.size() > (1U << 20U)) flush();
  }
  text += "}\n";
  flush();
  file.commit();
}

}  // namespace gainsay
