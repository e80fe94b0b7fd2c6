#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/base/whole_file.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/report/json.hpp"
#include "gainsay/report/progress.hpp"
#include "gainsay/report/summary.hpp"
#include "tools/arguments.hpp"
#include "tools/ci_report.hpp"
#include "tools/interrupt.hpp"
#include "tools/machine.hpp"
#include "tools/space_page.hpp"
#include "tools/terminal.hpp"
#include "tools/trace_folder.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Clock = std::chrono::steady_clock;

// What --bitstate takes without --max-memory. Three quarters are bits, and all of them are soon touched.
constexpr std::uint64_t bitstate_memory = std::uint64_t{1} << 30U;

struct ExploreArguments {
  std::string fairness = "weak";
  std::string scenario;
  std::optional<std::uint64_t> jobs;
  std::optional<std::uint64_t> states_max;
  std::optional<std::uint64_t> memory_max;
  std::optional<std::uint64_t> depth_max;
  std::optional<std::chrono::nanoseconds> time;
  bool exact = false;
  bool symmetry = false;
  bool bitstate = false;
  bool without_histories = false;
  bool keep_going = false;
  std::string checkpoint;
  std::optional<std::chrono::nanoseconds> checkpoint_every;
  std::string resume;
  std::string html;
  CiFiles ci;
  std::string out = default_trace_folder;
  OptionTexts options;
  Output output;
};

std::string live_line(const std::string& scenario, const ExploreProgress& progress,
                      const ExploreOptions& options, Clock::time_point started) {
  const double elapsed_s = std::chrono::duration<double>(Clock::now() - started).count();
  const auto transitions = static_cast<double>(progress.transitions.load());
  std::string line = fmt::format(
      "explore {}: {} states, {} transitions ({}/s), depth {}, {} to expand, {}, {:.0f} s so far", scenario,
      with_commas(progress.states), with_commas(progress.transitions), human_count(transitions / elapsed_s),
      progress.depth.load(), with_commas(progress.frontier), human_bytes(progress.memory_bytes), elapsed_s);
  return options.stop->load() ? line + ", stopping (press again to kill)" : line;
}

// Where a frontier that does not fit into memory goes: a folder for temporary files, or else beside the traces.
std::string spill_folder(const std::string& out) {
  const char* temporary = std::getenv("TMPDIR");
  if (temporary != nullptr && *temporary != '\0') return temporary;
  const std::string beside = std::filesystem::path(out).lexically_normal().parent_path().string();
  return beside.empty() ? "." : beside;
}

// The graph, whole where it can be drawn, else its first states; nothing, and why, where there can be none.
std::optional<ScenarioGraph> graph_beside(const Scenario& scenario, const ExploreArguments& arguments,
                                          const ExploreResult& result, std::string& no_graph) {
  GraphOptions options;
  if (arguments.jobs) options.workers = static_cast<unsigned>(*arguments.jobs);
  options.without_histories = true;  // explore has refused them, or was told to leave them out
  try {
    if (!result.complete || result.states <= drawn_states_max) {
      options.states_max = drawn_states_max + 1;
      ScenarioGraph graph = explore_graph(scenario, arguments.options, options);
      if (graph.incomplete_because.empty()) return graph;
    }
    options.states_max = counted_states;
    return explore_graph(scenario, arguments.options, options);
  } catch (const UserError& error) {
    no_graph = error.what();
  }
  return std::nullopt;
}

void write_space_page(const Scenario& scenario, const ExploreArguments& arguments,
                      const ExploreResult& result, const std::vector<std::string>& trace_files) {
  ExploredSpace space{result, nullptr, "", trace_files};
  const std::optional<ScenarioGraph> graph = graph_beside(scenario, arguments, result, space.no_graph);
  if (graph) space.graph = &*graph;
  write_whole_file(arguments.html, "page", space_page(space));
  fmt::print(stderr, "wrote {}\n", arguments.html);
}

int explore_verb(const ExploreArguments& arguments, const std::string& program) {
  required(arguments.scenario,
           fmt::format("explore needs a SCENARIO; `{} list` shows them", shell_command({program})));
  const Scenario& scenario = find_scenario(arguments.scenario);
  check_options(arguments.options, scenario);
  build_world(scenario, arguments.options);

  TraceFolder folder(arguments.out);
  if (!arguments.html.empty()) require_writable(arguments.html, "page");
  require_ci_writable(arguments.ci);
  const std::string checkpoint = arguments.checkpoint.empty() ? arguments.resume : arguments.checkpoint;
  if (!checkpoint.empty()) require_writable(checkpoint, "checkpoint");
  ExploreProgress counters;
  const Interrupt interrupt;
  ExploreOptions options;
  options.progress = &counters;
  options.stop = interrupt.flag();
  if (arguments.jobs) options.workers = static_cast<unsigned>(*arguments.jobs);
  options.states_max = arguments.states_max;
  options.depth_max = arguments.depth_max;
  if (const std::uint64_t machine = machine_memory_bytes(); machine > 0)
    options.memory_max = std::min<std::uint64_t>(options.memory_max, machine / 4 * 3);
  if (arguments.memory_max) options.memory_max = *arguments.memory_max;
  options.time_max = arguments.time;
  options.spill_folder = spill_folder(arguments.out);
  options.exact = arguments.exact;
  options.symmetry = arguments.symmetry;
  if (arguments.bitstate) {
    if (!arguments.memory_max) options.memory_max = bitstate_memory;
    options.bitstate_bytes = options.memory_max / 4 * 3;
  }
  options.without_histories = arguments.without_histories;
  options.fairness = fairness_of(arguments.fairness).value_or(FairnessKind::weak);
  options.keep_going = arguments.keep_going;
  options.checkpoint = checkpoint;
  if (arguments.checkpoint_every) options.checkpoint_every = *arguments.checkpoint_every;
  options.resume = arguments.resume;
  ExploreResult result;
  {
    std::optional<Progress> progress;
    const auto line = [&, started = Clock::now()] {
      return live_line(scenario.name(), counters, options, started);
    };
    if (!arguments.output.quiet) progress.emplace(line, progress_options());
    result = explore(scenario, arguments.options, options);
  }

  SummaryOptions summary;
  summary.program = program;
  summary.trace_files = folder.write(result.violations, scenario.options());
  summary.diagram = !arguments.output.quiet;
  summary.verbose = arguments.output.verbose;
  summary.show = show_options(arguments.output.color);
  say(arguments.output.json ? json_text(result, summary) : summary_text(result, summary));
  if (!checkpoint.empty() && !result.complete && !arguments.output.quiet)
    fmt::print(stderr, "to continue: {} explore {} ... --resume {}\n", shell_command({program}),
               scenario.name(), shell_command({checkpoint}));
  if (!arguments.html.empty()) write_space_page(scenario, arguments, result, summary.trace_files);
  if (arguments.ci.asked())
    write_ci(arguments.ci, "explore", "scenarios",
             {ci_case(scenario, arguments.options, result.violations, summary.trace_files, result.exit_code(),
                      fmt::format("incomplete: {}", result.incomplete_because))});
  return result.exit_code();
}

}  // namespace

Verb add_explore(CLI::App& app, const std::string& program) {
  auto arguments = std::make_shared<ExploreArguments>();
  ExploreArguments& a = *arguments;
  add_positional(app, "SCENARIO", a.scenario, "the scenario; it must consist of value actors");
  add_jobs(app, a.jobs);
  add_number(app, "--max-states", a.states_max, {1, UINT64_MAX}, "stop after about this many states");
  add_bytes(app, "--max-memory", a.memory_max, 1U << 20U,
            "memory limit, such as 512MiB or 6GiB (8GiB, at most three quarters of the machine's); first the "
            "frontier goes to disk, then the search stops");
  add_duration(app, "--time", a.time, "stop after this time, such as 15s or 2m (never)");
  add_number(app, "--max-depth", a.depth_max, {1, UINT32_MAX},
             "maximum number of steps from the initial state");
  add_flag(app, "--exact", a.exact,
           "store whole states instead of fingerprints: more memory, slower, no collisions");
  add_flag(app, "--symmetry", a.symmetry,
           "visit only one of the states that differ by a permutation of group members");
  add_flag(app, "--bitstate", a.bitstate,
           "keep only three bits per state, for very large state spaces; may omit some states (--max-memory: "
           "1GiB)");
  add_flag(app, "--without-histories", a.without_histories,
           "explore a scenario with history properties, and do not check them");
  add_word(
      app, "--fairness", {"weak", "actor", "strong"}, a.fairness,
      "which infinite executions count as fair: an event that stays enabled happens (weak), an actor enabled "
      "infinitely often takes a step (actor), an event enabled infinitely often happens (strong)");
  add_flag(app, "--keep-going", a.keep_going, "do not stop at the first violation");
  add_text(app, "--checkpoint", "FILE", a.checkpoint,
           "keep a checkpoint file for --resume; written periodically and when the search stops");
  add_duration(app, "--checkpoint-every", a.checkpoint_every,
               "time between checkpoints, such as 10s or 5m (1m); they take at most a tenth of the time");
  add_text(app, "--resume", "FILE", a.resume,
           "continue from a checkpoint of the same scenario, options and build, and keep it up to date");
  add_text(app, "--out", "DIR", a.out, "folder for traces (gainsay-traces)");
  add_text(
      app, "--html", "FILE", a.html,
      "also write an HTML page: the state graph if it is small, otherwise depths, branching and coverage");
  add_ci(app, a.ci);
  add_options(app, a.options, "a scenario option; repeatable");
  add_json(app, a.output);
  add_quiet(app, a.output, "print no progress and no diagram");
  add_verbose(app, a.output, "print all numbers, also after a violation");
  add_color(app, a.output);
  return [arguments, program] { return explore_verb(*arguments, program); };
}

}  // namespace gainsay::tools
