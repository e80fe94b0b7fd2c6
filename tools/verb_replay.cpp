#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/model/conform.hpp"
#include "gainsay/report/json.hpp"
#include "gainsay/report/summary.hpp"
#include "gainsay/trace/trace_file.hpp"
#include "tools/arguments.hpp"
#include "tools/recorded_world.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

struct ReplayArguments {
  std::string trace;
  bool json = false;
};

[[noreturn]] void differs(const std::string& file, std::size_t step, const std::string& what) {
  throw UserError(fmt::format("{}: step {} differs: {}; the trace is of another build, scenario or option",
                              file, step + 1, what));
}

// A nondeterminism is repeated if the execution, run twice, differs again, be it elsewhere.
ReplayReport replay_nondeterminism(const std::string& file, const TraceDocument& recorded,
                                   const Blueprint& blueprint, std::size_t steps_max) {
  ReplayReport report{ReplayReport::Outcome::not_repeated, file, recorded, std::nullopt};
  report.violation = find_nondeterminism(blueprint, decisions_of(recorded, blueprint), steps_max);
  if (report.violation) report.outcome = ReplayReport::Outcome::same_violation;
  return report;
}

ReplayReport replay_document(const std::string& file, const TraceDocument& recorded) {
  const Blueprint blueprint = recorded_world(file, recorded);
  const std::size_t steps_max = std::max<std::size_t>(recorded.steps_max, recorded.steps.size());
  if (recorded.violation && recorded.violation->is_nondeterminism()) {
    return replay_nondeterminism(file, recorded, blueprint, steps_max);
  }
  Replay replay = replay_steps(blueprint, decisions_of(recorded, blueprint), steps_max, recorded.violation);
  // A difference from a model is no property of the world: if all steps are as they were, it is there again.
  const bool conformance = recorded.violation && recorded.violation->property == conformance_property;
  TraceDocument expected = recorded;
  if (conformance) {
    expected.violation = replay.document.violation;
    expected.violating_actor = replay.document.violating_actor;
    expected.end = replay.document.end;
  }
  const auto difference = first_difference(expected, replay.document);
  if (difference && (!replay.diverged_at || difference->step < *replay.diverged_at)) {
    differs(file, difference->step, difference->what);
  }
  if (replay.diverged_at) differs(file, *replay.diverged_at, replay.divergence);

  ReplayReport report;
  report.trace_file = file;
  report.violation = replay.outcome.violation;
  if (conformance) report.violation = recorded.violation;
  report.outcome =
      report.violation ? ReplayReport::Outcome::same_violation : ReplayReport::Outcome::no_violation;
  report.document = std::move(replay.document);
  report.document.scenario = recorded.scenario;
  report.document.options = recorded.options;
  return report;
}

int replay(const ReplayArguments& arguments, const std::string& program) {
  required(arguments.trace, "replay needs a TRACE, a file that hunt or explore has written");
  const ReplayReport report = replay_document(arguments.trace, read_trace_file(arguments.trace));
  say(arguments.json ? json_text(report) : summary_text(report, program));
  switch (report.outcome) {
    case ReplayReport::Outcome::same_violation:
      return 1;
    case ReplayReport::Outcome::no_violation:
      return 0;
    case ReplayReport::Outcome::not_repeated:
      return 3;
  }
  return 3;
}

}  // namespace

Verb add_replay(CLI::App& app, const std::string& program) {
  auto arguments = std::make_shared<ReplayArguments>();
  add_positional(app, "TRACE", arguments->trace, "a file that hunt or explore has written");
  add_flag(app, "--json", arguments->json, "one JSON document on stdout");
  return [arguments, program] { return replay(*arguments, program); };
}

}  // namespace gainsay::tools
