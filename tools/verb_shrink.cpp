#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/base/whole_file.hpp"
#include "gainsay/execution/campaign/confirm.hpp"
#include "gainsay/execution/campaign/simplify.hpp"
#include "gainsay/report/json.hpp"
#include "gainsay/report/trace_page.hpp"
#include "gainsay/report/trace_summary.hpp"
#include "gainsay/trace/trace_file.hpp"
#include "tools/arguments.hpp"
#include "tools/terminal.hpp"
#include "tools/trace_sight.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

constexpr std::chrono::seconds shrink_time{8};

struct ShrinkArguments {
  std::string trace;
  std::string out;
  std::string html;
  bool keep_cuts = false;
  bool simplify = false;
  std::optional<std::chrono::nanoseconds> time;
  Output output;
};

std::string default_output(const std::string& trace) {
  const std::filesystem::path path(trace);
  return (path.parent_path() / (path.stem().string() + ".small.trace")).string();
}

int shrink_trace(const ShrinkArguments& arguments, const std::string& program) {
  required(arguments.trace, "shrink needs a TRACE, a file written by hunt or explore");
  const TraceDocument recorded = read_trace_file(arguments.trace);
  if (!recorded.violation || recorded.violation->is_nondeterminism()) {
    throw UserError(
        fmt::format("{}: nothing to shrink: the trace has no repeatable violation", arguments.trace));
  }
  const Blueprint blueprint = recorded_world(arguments.trace, recorded);
  const std::size_t steps_max = std::max<std::size_t>(recorded.steps_max, recorded.steps.size());
  const Replay replay =
      replay_steps(blueprint, decisions_of(recorded, blueprint), steps_max, recorded.violation);
  if (replay.diverged_at || !replay.outcome.violation ||
      replay.outcome.violation->property != recorded.violation->property) {
    throw UserError(fmt::format(
        "{}: the violation of this trace does not show in this program; `replay` says where it differs",
        arguments.trace));
  }
  const ShrinkOptions how{.cuts = arguments.keep_cuts ? Cutbacks::keep_cuts : Cutbacks::any,
                          .budget = Budget(arguments.time.value_or(shrink_time))};
  Simplified smallest{
      recorded.options,
      {},
      shrink_violation(blueprint, decisions_of(recorded, blueprint), *replay.outcome.violation, how)};
  if (arguments.simplify)
    smallest = simplify(find_scenario(recorded.scenario), recorded.options, std::move(smallest.result), how);
  const auto& [shrunk, violation] = smallest.result;
  const Blueprint world = build_world(find_scenario(recorded.scenario), smallest.options);
  FoundViolation found = confirm(world, violation, shrunk.decisions(), steps_max);
  TraceDocument small = std::move(found.document);
  small.set_header(recorded.header());
  small.options = smallest.options;
  small.run = recorded.run;
  ShrinkReport report;
  report.trace_file = arguments.trace;
  report.small_file =
      write_trace_file(arguments.out.empty() ? default_output(arguments.trace) : arguments.out, small);
  report.steps_before = recorded.steps.size();
  report.attempts = shrunk.attempts;
  report.simpler = smallest.lower;
  report.document = std::move(small);
  SummaryOptions summary;
  summary.program = program;
  summary.diagram = !arguments.output.quiet;
  summary.show = show_options(arguments.output.color);
  say(arguments.output.json ? json_text(report) : summary_text(report, summary));
  if (!arguments.html.empty()) {
    write_whole_file(arguments.html, "page", trace_page(seen_trace(report.small_file, report.document)));
    fmt::print(stderr, "wrote {}\n", arguments.html);
  }
  return 0;
}

}  // namespace

Verb add_shrink(CLI::App& app, const std::string& program) {
  auto arguments = std::make_shared<ShrinkArguments>();
  add_positional(app, "TRACE", arguments->trace, "a trace file written by hunt or explore");
  add_text(app, "--out", "FILE", arguments->out,
           "file for the shorter trace (default: TRACE with .small.trace)");
  add_duration(app, "--time", arguments->time, "time limit for the search, such as 500ms, 15s or 2m (8s)");
  add_text(app, "--html", "FILE", arguments->html, "also write the shorter trace as an HTML page");
  add_flag(app, "--simplify", arguments->simplify,
           "also lower numeric scenario options and use fewer actors");
  add_flag(app, "--keep-cuts", arguments->keep_cuts, "do not remove partitions and isolations");
  add_json(app, arguments->output);
  add_quiet(app, arguments->output, "no diagram");
  add_color(app, arguments->output);
  set_footer(
      app,
      "Exit codes: 0 the trace was written (even if no step could be removed),\n            2 bad usage, or "
      "the violation does not show in this program, 3 unknown");
  return [arguments, program] { return shrink_trace(*arguments, program); };
}

}  // namespace gainsay::tools
