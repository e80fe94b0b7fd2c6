#include "gainsay/adapter/replay_trace.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/execution/run/follow_document.hpp"
#include "gainsay/model/conform.hpp"
#include "gainsay/trace/trace_file.hpp"

namespace gainsay {
namespace {

using Outcome = ReplayReport::Outcome;

[[noreturn]] void differs(const std::string& file, std::size_t step, const std::string& what) {
  throw UserError(
      fmt::format("{}: step {} differs: {}; the trace is from a different build, scenario or option", file,
                  step + 1, what));
}

// A nondeterminism is repeated if the execution, run twice, differs again, be it elsewhere.
void replay_nondeterminism(ReplayReport& report, const TraceDocument& recorded, const Blueprint& blueprint,
                           std::size_t steps_max) {
  report.document = recorded;
  report.violation = find_nondeterminism(blueprint, decisions_of(recorded, blueprint), steps_max);
  report.outcome = report.violation ? Outcome::same_violation : Outcome::not_repeated;
}

void replay_exactly(ReplayReport& report, const TraceDocument& recorded, const Blueprint& blueprint,
                    std::size_t steps_max) {
  Replay replay = replay_steps(blueprint, decisions_of(recorded, blueprint), steps_max, recorded.violation);
  const auto difference = first_difference(recorded, replay.document);
  if (difference && (!replay.diverged_at || difference->step < *replay.diverged_at))
    differs(report.trace_file, difference->step, difference->what);
  if (replay.diverged_at) differs(report.trace_file, *replay.diverged_at, replay.divergence);
  report.violation = replay.outcome.violation;
  report.outcome = report.violation ? Outcome::same_violation : Outcome::no_violation;
  report.document = std::move(replay.document);
}

// A difference from a model is no property of the world: if all steps are as they were, it is there again.
void replay_conformance(ReplayReport& report, const TraceDocument& recorded, const Blueprint& blueprint,
                        std::size_t steps_max) {
  Replay replay = replay_steps(blueprint, decisions_of(recorded, blueprint), steps_max, recorded.violation);
  TraceDocument expected = recorded;
  expected.violation = replay.document.violation;
  expected.violating_actor = replay.document.violating_actor;
  expected.end = replay.document.end;
  const auto difference = first_difference(expected, replay.document);
  if (difference || replay.diverged_at) {
    report.outcome = Outcome::diverged;
    const bool earlier = difference && (!replay.diverged_at || difference->step < *replay.diverged_at);
    report.step = (earlier ? difference->step : *replay.diverged_at) + 1;
    report.divergence = earlier ? difference->what : replay.divergence;
  } else {
    report.outcome = Outcome::same_violation;
    report.violation = recorded.violation;
  }
  report.document = std::move(replay.document);
}

void replay_by_meaning(ReplayReport& report, const TraceDocument& recorded, const Blueprint& blueprint,
                       std::size_t steps_max) {
  FollowedDocument followed = follow_document(blueprint, recorded, steps_max);
  Replay& replay = followed.replay;
  report.violation = replay.outcome.violation;
  if (replay.diverged_at) {
    report.outcome = Outcome::diverged;
    report.step = *replay.diverged_at + 1;
    report.divergence = replay.divergence;
  } else if (report.violation) {
    const bool same = recorded.violation && report.violation->property == recorded.violation->property;
    report.outcome = same ? Outcome::same_violation : Outcome::other_violation;
    if (same && report.violation->message != recorded.violation->message)
      report.notes.push_back(fmt::format("the recorded message was: {}", recorded.violation->message));
    if (!same)
      report.notes.push_back(
          recorded.violation
              ? fmt::format("recorded was: {}: {}", recorded.violation->property, recorded.violation->message)
              : std::string("no violation was recorded"));
  } else {
    report.outcome = recorded.violation ? Outcome::no_longer_violated : Outcome::no_violation;
    if (recorded.violation)
      report.notes.push_back(
          fmt::format("the trace showed: {}: {}", recorded.violation->property, recorded.violation->message));
  }
  if (followed.changed_steps > 0)
    report.notes.push_back(fmt::format("{} {} changed since: {}", counted(followed.changed_steps, "message"),
                                       followed.changed_steps == 1 ? "has" : "have", followed.first_change));
  if (followed.further_steps > 0)
    report.notes.push_back(fmt::format("{} more to the end of the execution, where '{}' is checked",
                                       counted(followed.further_steps, "step"),
                                       recorded.violation->property));
  report.document = std::move(replay.document);
}

}  // namespace

ReplayReport replay_trace(const std::string& file, Following following) {
  const TraceDocument recorded = read_trace_file(file);
  return replay_trace(file, recorded, recorded_world(file, recorded), following);
}

ReplayReport replay_trace(const std::string& file, const TraceDocument& recorded, const Blueprint& blueprint,
                          Following following) {
  const std::size_t steps_max = std::max<std::size_t>(recorded.steps_max, recorded.steps.size());
  ReplayReport report;
  report.trace_file = file;
  report.recorded = recorded.header();
  if (recorded.violation && recorded.violation->is_nondeterminism()) {
    replay_nondeterminism(report, recorded, blueprint, steps_max);
  } else if (recorded.violation && recorded.violation->property == conformance_property) {
    replay_conformance(report, recorded, blueprint, steps_max);
  } else if (following == Following::exact) {
    replay_exactly(report, recorded, blueprint, steps_max);
  } else {
    replay_by_meaning(report, recorded, blueprint, steps_max);
  }
  report.document.scenario = recorded.scenario;
  report.document.options = recorded.options;
  return report;
}

std::vector<std::string> traces_in(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw UserError(fmt::format("{}: expected a folder with trace files", folder));
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() == ".trace") files.push_back(entry.path().string());
  }
  if (error)
    throw UserError(fmt::format("{}: {}; expected a folder with trace files", folder, error.message()));
  if (files.empty())
    throw UserError(fmt::format("{}: no file ends with .trace; nothing was replayed", folder));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace gainsay
