#include "tools/conform_text.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay::tools {
namespace {

using nlohmann::ordered_json;

std::string conform_verdict(const ConformResult& result, const ConformReport& report) {
  if (!result.differences.empty())
    return fmt::format("DIFFERENT: {} does not do what its model {} does\n", report.implementation,
                       report.model);
  if (!result.incomplete_because.empty())
    return fmt::format(
        "UNKNOWN: no difference found between {} and its model {}, but not everything was compared ({})\n",
        report.implementation, report.model, result.incomplete_because);
  return fmt::format("{} does what its model {} does, on all {}\n", report.implementation, report.model,
                     counted(report.edges, "edge"));
}

std::string conform_meaning(const ConformResult& result) {
  if (!result.differences.empty() || !result.incomplete_because.empty()) return "";
  switch (result.way) {
    case ConformWay::walk:
      return "every step of every test was executed in both and compared";
    case ConformWay::tree:
      return "every edge was executed in both and compared, also for implementation states that the model "
             "does not distinguish";
    case ConformWay::local:
      return "every local step was executed in both and compared, and every edge consists of these steps";
  }
  return "";
}

std::string difference_text(const ConformDifference& difference, const ConformReport& report,
                            std::size_t number) {
  std::string out = fmt::format("\n{}. {}\n", number + 1, difference.text());
  const auto row = [&](const char* label, const std::string& text) {
    if (!text.empty()) out += fmt::format("  {:<9} {}\n", label, text);
  };
  row("kind", std::string(kind_name(difference.kind)));
  row("actor", difference.actor);
  row("field", difference.field);
  row("expected", difference.expected);
  row("got", difference.got);
  row("event", difference.event);
  if (difference.test)
    row("test", fmt::format("{}, step {}", with_commas(*difference.test), with_commas(difference.test_step)));
  const bool walked = difference.path.edges.empty() && difference.test;
  if (!walked)
    row("path",
        fmt::format(
            "{}{}", counted(difference.path.edges.size(), "step"),
            difference.shortest
                ? ", a shortest path to this edge"
                : "; shorter paths do not show it: the difference depends on more than the model's state"));
  if (report.diagram && !difference.trace.steps.empty())
    out += "\n" + space_time_diagram(difference.trace, report.show);
  if (number < report.trace_files.size() && !report.trace_files[number].empty())
    out += fmt::format("\n  trace:  {}\n", report.trace_files[number]);
  if (difference.path.edges.empty() && difference.test)
    return out;  // a random walk: the trace is all there is
  std::vector<std::string> words{report.program, "conform", report.source, "--against",
                                 report.implementation};
  words.insert(words.end(), report.said.begin(), report.said.end());
  words.emplace_back("--path");
  words.push_back(path_numbers(difference.path));
  return out + fmt::format("  replay: {}\n", shell_command(words));
}

}  // namespace

std::string conform_text(const ConformResult& result, const ConformReport& report) {
  std::string out = conform_verdict(result, report);
  const auto row = [&](const char* label, const std::string& text) {
    if (!text.empty()) out += fmt::format("  {:<12} {}\n", label, text);
  };
  std::string options;
  for (const auto& [name, value] : report.options)
    options += fmt::format("{}{}={}", options.empty() ? "" : " ", name, value);
  row("options", options);
  if (report.edges > 0)
    row("graph", fmt::format("{}, {}", counted(report.nodes, "state"), counted(report.edges, "edge")));
  row("way", std::string(way_name(result.way)) +
                 (result.instead.empty() ? "" : fmt::format(", not local: {}", result.instead)));
  const double elapsed_s = std::max(result.elapsed_s, 1e-9);
  if (result.way == ConformWay::walk)
    row("tests", fmt::format("{} ({} per minute)", with_commas(result.tests),
                             human_count(static_cast<double>(result.tests) / elapsed_s * 60)));
  if (result.way == ConformWay::local) {
    row("edges", fmt::format("{} looked up ({}/s)", with_commas(result.edges),
                             human_count(static_cast<double>(result.edges) / elapsed_s)));
    row("local steps",
        fmt::format("{}, {} executed", with_commas(result.local_steps), with_commas(result.steps)));
  } else {
    row("steps", fmt::format("{} ({}/s)", with_commas(result.steps),
                             human_count(static_cast<double>(result.steps) / elapsed_s)));
  }
  if (result.more_states > 0)
    row("states", fmt::format("the implementation has {} that the model does not have",
                              with_commas(result.more_states)));
  row("time", fmt::format("{:.2f} s", result.elapsed_s));
  row("meaning", conform_meaning(result));
  for (std::size_t i = 0; i < result.differences.size(); ++i)
    out += difference_text(result.differences[i], report, i);
  return out;
}

std::string conform_json(const ConformResult& result, const ConformReport& report) {
  ordered_json document;
  document["model"] = report.model;
  document["implementation"] = report.implementation;
  document["options"] = ordered_json::object();
  for (const auto& [name, value] : report.options) document["options"][name] = value;
  document["states"] = report.nodes;
  document["edges"] = report.edges;
  document["way"] = way_name(result.way);
  document["instead"] = result.instead;
  document["tests"] = result.tests;
  document["steps"] = result.steps;
  document["edges_compared"] = result.edges;
  document["local_steps"] = result.local_steps;
  document["more_states"] = result.more_states;
  document["complete"] = result.incomplete_because.empty();
  document["elapsed_s"] = result.elapsed_s;
  document["differences"] = ordered_json::array();
  for (std::size_t i = 0; i < result.differences.size(); ++i) {
    const ConformDifference& each = result.differences[i];
    ordered_json entry;
    entry["kind"] = kind_name(each.kind);
    entry["actor"] = printable_utf8(each.actor);
    entry["field"] = printable_utf8(each.field);
    entry["expected"] = printable_utf8(each.expected);
    entry["got"] = printable_utf8(each.got);
    entry["event"] = printable_utf8(each.event);
    entry["test"] = each.test ? ordered_json(*each.test) : ordered_json(nullptr);
    entry["test_step"] = each.test_step;
    entry["steps"] = each.path.edges.size();
    entry["path"] = path_numbers(each.path);
    entry["shortest"] = each.shortest;
    entry["trace_file"] = i < report.trace_files.size() ? report.trace_files[i] : "";
    document["differences"].push_back(std::move(entry));
  }
  return document.dump(2) + "\n";
}

std::string path_numbers(const TestPath& path) {
  return fmt::format("{}:{}", path.start, fmt::join(path.edges, ","));
}

TestPath read_path(const StateGraph& graph, const std::string& text) {
  const auto wrong = [&](const std::string& why) {
    throw UserError(fmt::format("--path: '{}' is not a path in this graph: {}", text, why));
  };
  std::vector<std::uint32_t> numbers;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), number);
    if (error != std::errc() || end == at) wrong("expected START:EDGE,EDGE,... as conform prints it");
    numbers.push_back(number);
    at = end == text.data() + text.size() ? end : end + 1;
  }
  if (numbers.empty()) wrong("expected START:EDGE,EDGE,... as conform prints it");
  TestPath path{numbers.front(), {numbers.begin() + 1, numbers.end()}};
  if (std::ranges::count(graph.initial, path.start) == 0)
    wrong(fmt::format("{} is not an initial state", path.start));
  GraphNode node = path.start;
  for (const GraphEdge edge : path.edges) {
    if (edge < graph.edges_begin(node) || edge >= graph.edges_end(node))
      wrong(fmt::format("edge {} does not begin where the previous edge ends", edge));
    node = graph.to[edge];
  }
  return path;
}

}  // namespace gainsay::tools
