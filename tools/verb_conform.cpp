#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/model/conform.hpp"
#include "gainsay/model/suite_file.hpp"
#include "gainsay/report/progress.hpp"
#include "gainsay/report/summary.hpp"
#include "tools/arguments.hpp"
#include "tools/ci_report.hpp"
#include "tools/conform_text.hpp"
#include "tools/interrupt.hpp"
#include "tools/model_source.hpp"
#include "tools/terminal.hpp"
#include "tools/trace_folder.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Clock = std::chrono::steady_clock;

struct ConformArguments {
  std::string source;
  std::string against;
  std::string way = "auto";
  unsigned jobs = 1;
  std::uint64_t differences = 1;
  std::string path;
  std::optional<std::uint64_t> walks;
  std::uint64_t seed = 1;
  std::string out = default_trace_folder;
  OptionTexts options;
  std::vector<std::string> model_options;
  CiFiles ci;
  Output output;
};

std::string conform_line(const std::string& name, const ConformProgress& progress, std::uint64_t edges,
                         Clock::time_point started, bool stopping) {
  const double elapsed_s = std::chrono::duration<double>(Clock::now() - started).count();
  std::string done;
  if (progress.tests > 0)
    done = fmt::format("{} tests, {} steps ({}/s)", with_commas(progress.tests), with_commas(progress.steps),
                       human_count(static_cast<double>(progress.steps.load()) / elapsed_s));
  else
    done = fmt::format("{} of {} edges", with_commas(progress.edges), with_commas(edges));
  return fmt::format("conform {}: {}, {} differences, {:.0f} s so far{}", name, done,
                     with_commas(progress.differences), elapsed_s,
                     stopping ? ", stopping (press again to kill)" : "");
}

// The options that both have are the model's, where nothing else is said; a seeded bug stays where it was put.
OptionTexts implementation_options(const Scenario& scenario, const OptionTexts& model,
                                   const OptionTexts& said) {
  OptionTexts options = said;
  for (const auto& [name, value] : model) {
    const auto has = [&, wanted = name](const OptionTexts& list) {
      return std::ranges::any_of(list, [&](const auto& each) { return each.first == wanted; });
    };
    const bool shared = std::ranges::any_of(
        scenario.options(), [&, wanted = name](const OptionInfo& each) { return each.name == wanted; });
    if (shared && name != "bug" && !has(options)) options.emplace_back(name, value);
  }
  return options;
}

ConformWay chosen_way(const std::string& word, const Blueprint& implementation, const Suite* suite) {
  if (word == "walk") return ConformWay::walk;
  if (word == "tree") return ConformWay::tree;
  if (word == "local") return ConformWay::local;
  return suite != nullptr || implementation.has_opaque() ? ConformWay::walk : ConformWay::local;
}

// The graph, and what it came from.
struct ConformSource {
  StateGraph graph;
  std::unique_ptr<Suite> suite;
};

// Of a scenario that is walked at random nothing but its name is needed.
StateGraph named_graph(const ModelSource& model) {
  const Scenario& scenario = find_scenario(model.name);
  check_options(model.options, scenario);
  StateGraph graph;
  graph.source = StateGraph::Source::scenario;
  graph.name = scenario.name();
  graph.options = scenario.complete(model.options);
  graph.first = {0, 0};
  graph.initial = {0};
  return graph;
}

ConformSource read_source(const ConformArguments& arguments) {
  ModelSource model;
  model.name = arguments.source;
  model.jobs = arguments.jobs;
  model.values = true;
  model.quiet = arguments.output.quiet;
  for (const std::string& text : arguments.model_options) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw UserError(fmt::format("--model-option: expected NAME=VALUE, not '{}'", text));
    model.options.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  ConformSource source;
  if (arguments.walks) {
    source.graph = named_graph(model);
    return source;
  }
  const bool is_suite =
      std::filesystem::is_regular_file(arguments.source) && SuiteFile::is_one(arguments.source);
  if (is_suite) model.name = SuiteFile::graph_path(arguments.source);
  LoadedModel loaded = load_model(model, "conform");
  if (!loaded.found.incomplete_because.empty())
    throw UserError(
        fmt::format("the graph of '{}' is incomplete ({})", model.name, loaded.found.incomplete_because));
  source.graph = std::move(loaded.found.graph);
  if (is_suite) source.suite = SuiteFile::read(arguments.source, source.graph);
  return source;
}

int conform_verb(const ConformArguments& arguments, const std::string& program) {
  required(arguments.source, "conform needs a GRAPH: a file written by `graph`, or a scenario");
  required(arguments.against, "conform needs --against SCENARIO: the implementation");
  require_ci_writable(arguments.ci);
  const Scenario& implementation = find_scenario(arguments.against);
  check_options(arguments.options, implementation);
  const ConformSource source = read_source(arguments);
  const StateGraph& graph = source.graph;
  const Scenario* model = graph.source == StateGraph::Source::scenario ? &find_scenario(graph.name) : nullptr;
  const ConformSubject subject{graph,
                               source.suite.get(),
                               model,
                               implementation,
                               implementation_options(implementation, graph.options, arguments.options),
                               find_conform_map(implementation.name())};
  const Blueprint world = build_world(implementation, subject.options);

  ConformReport report;
  report.program = program;
  report.source = arguments.source;
  report.model = graph.name;
  report.implementation = implementation.name();
  report.options = implementation.complete(subject.options);
  for (const std::string& each : arguments.model_options) {
    report.said.emplace_back("--model-option");
    report.said.push_back(each);
  }
  for (const auto& [name, value] : arguments.options) {
    report.said.emplace_back("--option");
    report.said.push_back(name + "=" + value);
  }
  report.nodes = graph.nodes();
  report.edges = graph.edges();
  report.diagram = !arguments.output.quiet;
  report.show = show_options(arguments.output.color);

  TraceFolder folder(arguments.out);
  ConformProgress counters;
  const Interrupt interrupt;
  ConformOptions options;
  options.way = chosen_way(arguments.way, world, subject.suite);
  options.jobs = arguments.jobs;
  options.differences_max = arguments.differences;
  options.progress = &counters;
  options.stop = interrupt.flag();
  ConformResult result;
  if (!arguments.path.empty()) {
    const TestPath path = read_path(graph, arguments.path);
    result.way = ConformWay::walk;
    result.tests = 1;
    result.steps = path.edges.size();
    if (auto difference = conform_path(subject, path)) result.differences.push_back(std::move(*difference));
    if (result.differences.empty()) result.incomplete_because = "one path only";
  } else {
    std::optional<Progress> progress;
    const auto line = [&, started = Clock::now()] {
      return conform_line(implementation.name(), counters, graph.edges(), started, options.stop->load());
    };
    if (!arguments.output.quiet) progress.emplace(line, progress_options());
    result = arguments.walks ? conform_at_random(subject, {*arguments.walks, arguments.seed}, options)
                             : conform(subject, options);
  }
  std::vector<FoundViolation> found;
  for (const ConformDifference& each : result.differences) {
    FoundViolation violation;
    violation.document = each.trace;
    violation.violation = *each.trace.violation;
    found.push_back(std::move(violation));
  }
  report.trace_files = folder.write(found, implementation.options());
  say(arguments.output.json ? conform_json(result, report) : conform_text(result, report));
  if (arguments.ci.asked())
    write_ci(arguments.ci, "conform", "implementations",
             {ci_case(implementation, subject.options, found, report.trace_files, result.exit_code(),
                      result.incomplete_because)});
  return result.exit_code();
}

}  // namespace

Verb add_conform(CLI::App& app, const std::string& program) {
  auto arguments = std::make_shared<ConformArguments>();
  ConformArguments& a = *arguments;
  add_positional(app, "GRAPH", a.source, "the model: a graph or a suite of tests (a file), or a scenario");
  add_text(app, "--against", "SCENARIO", a.against,
           "the implementation; GAINSAY_CONFORM maps it to the model");
  add_word(app, "--way", {"auto", "walk", "tree", "local"}, a.way,
           "walk: the tests, one by one; tree: every edge once; local: every local step once (auto: walk for "
           "suites and "
           "opaque actors, else local)");
  add_number(app, "--jobs", a.jobs, {1, 1024}, "threads (1); the result does not depend on it");
  add_number(app, "--differences", a.differences, {1, 1000}, "show up to this many distinct differences (1)");
  add_number(app, "--walks", a.walks, {1, std::uint64_t{1} << 40U},
             "make this many random walks instead of a graph, for large models (scenarios only)");
  add_number(app, "--seed", a.seed, {0, UINT64_MAX}, "seed of the random walks (1)");
  add_text(app, "--path", "START:EDGES", a.path,
           "execute one path of the graph, as printed for a difference");
  add_options(app, a.options,
              "an option of the implementation; repeatable. Other options are taken from the graph");
  add_texts(app, "--model-option", "NAME=VALUE", a.model_options,
            "an option of the model if GRAPH is a scenario; repeatable");
  add_text(app, "--out", "DIR", a.out, "folder for traces (gainsay-traces)");
  add_ci(app, a.ci);
  add_json(app, a.output);
  add_quiet(app, a.output, "print no progress and no diagram");
  add_color(app, a.output);
  return [arguments, program] { return conform_verb(*arguments, program); };
}

}  // namespace gainsay::tools
