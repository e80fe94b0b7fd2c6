#include <memory>
#include <optional>

#include <fmt/format.h>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/adapter/replay_trace.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/report/json.hpp"
#include "gainsay/trace/trace_file.hpp"
#include "tools/arguments.hpp"
#include "tools/terminal.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

struct ReplayArguments {
  std::string trace;
  bool exact = false;
  std::optional<std::uint64_t> until;
  Output output;
};

// Only the first steps, as if the trace ended there.
ReplayReport replay_beginning(const std::string& file, std::uint64_t steps, Following following) {
  TraceDocument recorded = read_trace_file(file);
  if (steps > recorded.steps.size())
    throw UserError(fmt::format("{}: --until {} is after the last step; the trace has {}", file, steps,
                                counted(recorded.steps.size(), "step")));
  const bool whole = steps == recorded.steps.size();
  recorded.steps.resize(steps);
  if (!whole) {
    recorded.violation.reset();
    recorded.violating_actor.clear();
    recorded.steps_max = steps;
  }
  ReplayReport report = replay_trace(file, recorded, recorded_world(file, recorded), following);
  report.notes.push_back(fmt::format("stopped after step {} (--until)", steps));
  return report;
}

int replay(const ReplayArguments& arguments, const std::string& program) {
  required(arguments.trace, "replay needs a TRACE, a file written by hunt or explore");
  const Following following = arguments.exact ? Following::exact : Following::by_meaning;
  const ReplayReport report = arguments.until ? replay_beginning(arguments.trace, *arguments.until, following)
                                              : replay_trace(arguments.trace, following);
  SummaryOptions summary;
  summary.program = program;
  summary.diagram = !arguments.output.quiet;
  summary.verbose = arguments.output.verbose || arguments.until.has_value();
  summary.show = show_options(arguments.output.color);
  say(arguments.output.json ? json_text(report) : summary_text(report, summary));
  return report.exit_code();
}

}  // namespace

Verb add_replay(CLI::App& app, const std::string& program) {
  auto arguments = std::make_shared<ReplayArguments>();
  add_positional(app, "TRACE", arguments->trace, "a trace file written by hunt or explore");
  add_flag(app, "--exact", arguments->exact, "reject any difference: payloads, changes, notes, texts");
  add_number(app, "--until", arguments->until, {1, ~std::uint64_t{0}},
             "execute only this many steps, and draw them");
  add_json(app, arguments->output);
  add_quiet(app, arguments->output, "print only the result");
  add_verbose(app, arguments->output, "also draw the execution");
  add_color(app, arguments->output);
  return [arguments, program] { return replay(*arguments, program); };
}

}  // namespace gainsay::tools
