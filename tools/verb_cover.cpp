// cover: a suite that covers every edge of a state graph.
#include <charconv>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/text.hpp"
#include "gainsay/base/whole_file.hpp"
#include "gainsay/explorer/checkpoint_file.hpp"
#include "gainsay/model/cover.hpp"
#include "gainsay/model/cover_checkpoint.hpp"
#include "gainsay/model/graph_diff.hpp"
#include "gainsay/model/graph_file.hpp"
#include "gainsay/model/suite_file.hpp"
#include "gainsay/model/tour.hpp"
#include "gainsay/report/percent.hpp"
#include "gainsay/report/progress.hpp"
#include "tools/arguments.hpp"
#include "tools/interrupt.hpp"
#include "tools/model_source.hpp"
#include "tools/terminal.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

struct CoverArguments {
  ModelSource source;
  std::string minimize = "tests";
  std::optional<std::uint64_t> length_max;
  std::optional<std::uint64_t> steps_max;
  std::vector<std::string> edges;
  std::string prune = "nothing";
  std::optional<std::uint64_t> sample;
  std::uint64_t seed = 1;
  std::optional<double> gap;
  std::optional<std::chrono::nanoseconds> time;
  std::string checkpoint;
  std::optional<std::chrono::nanoseconds> checkpoint_every;
  std::string resume;
  std::optional<std::uint64_t> print;
  std::string out;
  bool json = false;
};

void read_minimize(const std::string& text, CoverOptions& options) {
  if (text == "tests") {
    options.minimize = CoverOptions::Minimize::tests;
  } else if (text == "steps") {
    options.minimize = CoverOptions::Minimize::steps;
  } else {
    options.minimize = CoverOptions::Minimize::cost;
    const std::string_view number =
        std::string_view(text).substr(text.starts_with("reset=") ? 6 : text.size());
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), options.reset_cost);
    if (number.empty() || error != std::errc{} || end != number.data() + number.size())
      throw UserError(
          fmt::format("--minimize '{}': expected tests, steps, or reset=COST with the cost of a reset in "
                      "steps",
                      text));
  }
}

// The edges that must be covered; empty: all. `said` gets a sentence about those that need not be.
std::vector<bool> required_edges(const CoverArguments& arguments, const StateGraph& graph,
                                 std::string& said) {
  std::vector<bool> wanted;
  if (!arguments.edges.empty()) {
    if (arguments.edges.size() != 2 || arguments.edges[0] != "changed-since")
      throw UserError(
          fmt::format("--edges '{}': expected changed-since OLD", fmt::join(arguments.edges, " ")));
    ModelSource older;
    older.name = arguments.edges[1];
    older.values = graph.source == StateGraph::Source::tlc && graph.has_values();
    older.quiet = arguments.source.quiet;
    const LoadedModel model = load_model(older, "cover");
    const GraphDiff d = diff(model.graph(), graph);
    wanted = d.came;
    said += fmt::format("  Only the {} added since {} must be covered; {} are unchanged\n",
                        counted(d.edges_came, "edge"), arguments.edges[1], with_commas(d.edges_stayed));
  }
  if (arguments.prune == "commuting") {
    const std::vector<bool> kept = without_commuting(graph);
    std::uint64_t pruned = 0;
    for (std::size_t e = 0; e < kept.size(); ++e) {
      if (!kept[e] && (wanted.empty() || wanted[e])) ++pruned;
    }
    if (wanted.empty()) {
      wanted = kept;
    } else {
      for (std::size_t e = 0; e < kept.size(); ++e) wanted[e] = wanted[e] && kept[e];
    }
    said += fmt::format(
        "  {} are left out: each is the second of two commuting events for different actors. Still covered: "
        "every event of every actor in every state of that actor, and one order of every such pair\n",
        counted(pruned, "edge"));
  }
  return wanted;
}

std::string live_line(const std::string& name, const CoverProgress& progress, Clock::time_point started,
                      bool stopping) {
  const double elapsed_s = std::chrono::duration<double>(Clock::now() - started).count();
  std::string line = fmt::format("cover {}: ", name);
  if (progress.tests_read > 0) {
    line += fmt::format("checking, {} tests read", with_commas(progress.tests_read));
  } else {
    line +=
        fmt::format("round {}, {} walks to join", progress.rounds.load(), with_commas(progress.needs_left));
    if (progress.bound > 0)
      line += fmt::format(", cost {}, at least {}", with_commas(progress.cost), with_commas(progress.bound));
  }
  line += fmt::format(", {:.0f} s so far", elapsed_s);
  return stopping ? line + ", stopping (press again to kill)" : line;
}

// The least longest length with which all tests together have at most so many steps. More length never hurts much, so a
// search by halves finds a good one, if not always the best.
std::unique_ptr<Suite> shortest_longest(const StateGraph& graph, CoverOptions options,
                                        std::uint64_t steps_max) {
  std::uint64_t low = least_longest_test(graph, options.required);
  options.length_max = std::nullopt;
  auto best = cover(graph, options);
  if (best->facts.steps > steps_max)
    throw UserError(
        fmt::format("--max-steps '{}': expected at least {}, the steps of a suite without a length limit",
                    steps_max, best->facts.steps));
  std::uint64_t high = best->facts.longest;
  while (low < high) {
    options.length_max = low + (high - low) / 2;
    auto suite = cover(graph, options);
    if (suite->facts.steps <= steps_max) {
      high = suite->facts.longest;
      best = std::move(suite);
      if (high < low) break;
    } else {
      low = *options.length_max + 1;
    }
  }
  return best;
}

Json json_of(const SuiteFacts& facts, const StateGraph& graph) {
  Json json;
  json["graph"] = graph.name;
  json["states"] = graph.nodes();
  json["edges"] = graph.edges();
  json["minimized"] = facts.minimized;
  json["tests"] = facts.tests;
  json["steps"] = facts.steps;
  json["longest"] = facts.longest;
  json["required"] = facts.required;
  json["covered"] = facts.covered;
  if (facts.minimized == "nothing") return json;
  json["cost"] = facts.cost;
  json["cost_bound"] = facts.cost_bound;
  json["tests_bound"] = facts.tests_bound;
  json["steps_bound"] = facts.steps_bound;
  json["gap"] = facts.gap();
  json["minimal"] = facts.minimal();
  return json;
}

std::string text_of(const SuiteFacts& facts, const StateGraph& graph) {
  std::string text =
      fmt::format("{}: {}, {}\n", graph.name, counted(facts.tests, "test"), counted(facts.steps, "step"));
  const double share = graph.edges() == 0 ? 1 : static_cast<double>(facts.covered) / graph.edges();
  text += fmt::format("  covered      {} of {} edges ({})\n", with_commas(facts.covered),
                      with_commas(graph.edges()), percent_text(share));
  text += fmt::format("  longest test {}\n", counted(facts.longest, "step"));
  if (facts.minimized == "nothing") return text;
  const std::string what = facts.minimized == "tests" ? "tests"
                           : facts.minimized == "steps"
                               ? "steps"
                               : fmt::format("steps and {} for each test", facts.minimized.substr(6));
  text += fmt::format("  lower bound  {} {}\n", with_commas(facts.cost_bound), what);
  if (facts.minimal()) {
    text += "  gap          0: no suite costs less\n";
  } else {
    text += fmt::format("  gap          {:.3g} %: {} more than the bound\n", 100 * facts.gap(),
                        with_commas(facts.cost - facts.cost_bound));
  }
  if (facts.minimized == "tests" && facts.minimal()) {
    text += facts.steps == facts.steps_bound
                ? std::string("  steps        minimal for this number of tests\n")
                : fmt::format("  steps        at least {} for this number of tests\n",
                              with_commas(facts.steps_bound));
  }
  return text;
}

const std::string& checkpoint_file(const CoverArguments& arguments) {
  return arguments.resume.empty() ? arguments.checkpoint : arguments.resume;
}

void refuse_mixtures(const CoverArguments& arguments) {
  if (arguments.length_max && arguments.steps_max)
    throw UserError("use either --max-length or --max-steps; --max-steps finds the length itself");
  if (arguments.sample && (arguments.steps_max || !arguments.edges.empty() || arguments.prune != "nothing"))
    throw UserError("--sample cannot be used with --max-steps, --edges or --prune");
  if (arguments.sample && !checkpoint_file(arguments).empty())
    throw UserError("--sample cannot be used with --checkpoint or --resume");
}

// Of which cover a checkpoint is: what decides which graph it has and which edges are to be covered. What ends it is
// not among it.
Facts facts_of(const CoverArguments& arguments) {
  const ModelSource& source = arguments.source;
  Facts facts;
  if (is_model_file(source)) {
    facts.emplace_back("graph", "a file");
  } else {
    const Scenario& scenario = find_scenario(source.name);
    check_options(source.options, scenario);
    facts.emplace_back("graph", "scenario " + scenario.name());
    for (const auto& [name, value] : scenario.complete(source.options))
      facts.emplace_back("option " + name, value);
    facts.emplace_back("--without-histories", source.without_histories ? "on" : "off");
    facts.emplace_back("build", build_name());
  }
  facts.emplace_back("--minimize", arguments.minimize);
  facts.emplace_back("--edges", fmt::format("{}", fmt::join(arguments.edges, " ")));
  facts.emplace_back("--prune", arguments.prune);
  return facts;
}

std::optional<CoverCheckpoint> checkpoint_of(const CoverArguments& arguments) {
  const std::string path = checkpoint_file(arguments);
  if (path.empty()) return std::nullopt;
  require_writable(path, "checkpoint");
  const bool resumes = !arguments.resume.empty();
  if (resumes && !arguments.checkpoint.empty() && arguments.checkpoint != arguments.resume)
    throw UserError("--resume keeps its own file up to date; use it without --checkpoint");
  return CoverCheckpoint(path, facts_of(arguments),
                         arguments.checkpoint_every.value_or(std::chrono::minutes(1)),
                         resumes ? CoverCheckpoint::Begin::from_file : CoverCheckpoint::Begin::anew);
}

// The graph. That of a scenario is kept beside the checkpoint, because exploring takes as long as covering.
LoadedModel load_graph(const CoverArguments& arguments, const std::optional<CoverCheckpoint>& checkpoint) {
  const bool kept = checkpoint && !is_model_file(arguments.source);
  const std::string path = kept ? checkpoint->path() + ".graph" : "";
  if (kept && checkpoint->resumes()) {
    LoadedModel model;
    model.found.graph = GraphFile::read(path);
    return model;
  }
  LoadedModel model = load_model(arguments.source, "cover");
  if (!model.found.incomplete_because.empty())
    throw UserError(fmt::format("{}: the graph is incomplete ({}); a suite would cover only a part",
                                arguments.source.name, model.found.incomplete_because));
  if (kept) GraphFile::write(path, model.graph());
  return model;
}

// Where the cover did not come to its end, or its checkpoint could not be written.
void say_about_checkpoint(const CoverCheckpoint& checkpoint, const CoverArguments& arguments,
                          bool ended_early, const std::string& program) {
  if (!checkpoint.error().empty()) fmt::print(stderr, "warning: {}\n", checkpoint.error());
  if (ended_early && !arguments.source.quiet)
    fmt::print(stderr, "to continue: {} cover {} ... --resume {}\n", shell_command({program}),
               shell_command({arguments.source.name}), shell_command({checkpoint.path()}));
}

int cover_verb(const CoverArguments& arguments, const std::string& program) {
  required(arguments.source.name, "cover needs a GRAPH: a graph file, a TLC dump (model.dot), or a scenario");
  refuse_mixtures(arguments);
  CoverOptions options;
  read_minimize(arguments.minimize, options);
  std::optional<CoverCheckpoint> checkpoint = checkpoint_of(arguments);
  const LoadedModel model = load_graph(arguments, checkpoint);
  const StateGraph& graph = model.graph();
  std::string said;
  options.required = required_edges(arguments, graph, said);
  options.length_max = arguments.length_max;
  options.gap_max = arguments.gap.value_or(0);
  options.time_max = arguments.time;
  if (checkpoint) options.checkpoint = &*checkpoint;
  CoverProgress counters;
  const Interrupt interrupt;
  options.progress = &counters;
  options.stop = interrupt.flag();
  std::unique_ptr<Suite> suite;
  {
    std::optional<Progress> progress;
    const auto line = [&, started = Clock::now()] {
      return live_line(arguments.source.name, counters, started, options.stop->load());
    };
    if (!arguments.source.quiet) progress.emplace(line, progress_options());
    if (arguments.sample) {
      suite = sample(graph, {*arguments.sample, arguments.seed, arguments.length_max, options.stop});
    } else if (arguments.steps_max) {
      suite = shortest_longest(graph, options, *arguments.steps_max);
    } else {
      suite = cover(graph, options);
    }
  }
  const std::string path =
      arguments.out.empty() ? default_model_file(arguments.source, ".suite") : arguments.out;
  SuiteFile::write(path, *suite, arguments.source.name);
  if (arguments.json) {
    Json json = json_of(suite->facts, graph);
    json["file"] = path;
    say(json.dump(2) + "\n");
  } else {
    std::string text = text_of(suite->facts, graph) + said;
    if (arguments.steps_max)
      text += fmt::format("  No suite has a longest test below {}\n",
                          counted(least_longest_test(graph, options.required), "step"));
    const auto reader = suite->read(graph);
    TestPath test;
    for (std::uint64_t i = 1; i <= arguments.print.value_or(0) && reader->next(test); ++i)
      text += fmt::format("Test {}, from initial state {}:\n{}", i, test.start, path_text(graph, test));
    say(text + fmt::format("  Written to {}\n", path));
  }
  const bool stopped = options.stop->load() && !suite->facts.minimal();
  if (checkpoint) {
    const bool ended_early = !suite->facts.minimal() && (stopped || arguments.time || arguments.gap);
    say_about_checkpoint(*checkpoint, arguments, ended_early, program);
  }
  return stopped ? 3 : 0;
}

}  // namespace

Verb add_cover(CLI::App& app, const std::string& program) {
  auto arguments = std::make_shared<CoverArguments>();
  CoverArguments& a = *arguments;
  add_positional(app, "GRAPH", a.source.name, "a graph file, a TLC dump (model.dot), or a scenario");
  add_text(app, "--minimize", "WHAT", a.minimize,
           "what to minimise: tests, steps, or reset=COST (steps plus COST for each test); default tests");
  add_number(app, "--max-length", a.length_max, {1, UINT32_MAX}, "maximum number of steps in a test");
  add_number(
      app, "--max-steps", a.steps_max, {1, UINT64_MAX},
      "find the smallest maximum test length for which all tests together have at most this many steps");
  add_pair(app, "--edges", "changed-since OLD", a.edges, "cover only edges that the graph OLD does not have");
  add_word(app, "--prune", {"nothing", "commuting"}, a.prune,
           "commuting: cover only one order of two commuting events for different actors (nothing)");
  add_number(app, "--sample", a.sample, {1, UINT32_MAX},
             "instead of a cover, make this many random walks that prefer new edges");
  add_number(app, "--seed", a.seed, {0, UINT64_MAX}, "of --sample (1)");
  add_probability(app, "--gap", a.gap,
                  "stop when the cost is proved to be within this gap of the minimum: 1%, 0.01 (never)");
  add_duration(app, "--time", a.time,
               "stop after this time and report the remaining gap, such as 15s or 2m (never)");
  add_text(app, "--checkpoint", "FILE", a.checkpoint,
           "keep a checkpoint file for --resume, and FILE.graph with the graph of a scenario");
  add_duration(app, "--checkpoint-every", a.checkpoint_every,
               "time between checkpoints, such as 10s or 5m (1m); they take at most a tenth of the time");
  add_text(app, "--resume", "FILE", a.resume,
           "continue from a checkpoint of the same graph and options, and keep it up to date");
  add_number(app, "--print", a.print, {1, UINT32_MAX}, "print this many tests");
  add_text(app, "--out", "FILE", a.out, "file for the suite (GRAPH.suite)");
  add_model_source(app, a.source);
  add_flag(app, "--json", a.json, "one JSON document on stdout");
  return [arguments, program] { return cover_verb(*arguments, program); };
}

}  // namespace gainsay::tools
