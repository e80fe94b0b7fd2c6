#include "gainsay/adapter/verdicts.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/adapter/replay_trace.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/trace/trace_file.hpp"
#include "gainsay/trace/trace_file_name.hpp"

namespace gainsay {
namespace {

constexpr std::uint64_t default_runs = 10'000;

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

HuntOptions hunt_options(const HuntTest& how) {
  HuntOptions options;
  options.strategy = how.strategy;
  options.strategy_options = how.strategy_options;
  options.depth = how.depth;
  options.dependence = how.dependence;
  options.fair_after = how.fair_after;
  options.swarm = how.swarm;
  options.runs = how.runs;
  options.time = how.time;
  options.steps_max = how.steps_max;
  options.seed = how.seed;
  options.jobs = how.jobs;
  options.temperature = how.temperature;
  options.fairness = how.fairness;
  options.verify_determinism = how.verify_determinism;
  const bool random = find_strategy(how.strategy).kind_with(how.strategy_options) == StrategyKind::random;
  if (random && !options.runs && !options.time) options.runs = default_runs;
  return options;
}

// Where the trace is, and what to do with it.
std::string trace_text(const TraceDocument& document, const Scenario& scenario, const HuntTest& how,
                       const std::string& again) {
  const std::string chosen = from_environment("GAINSAY_TRACES");
  const std::filesystem::path folder(chosen.empty() ? how.traces : chosen);
  std::string file;
  try {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    file = write_trace_file((folder / (trace_file_name(document, scenario.options()) + ".trace")).string(),
                            document);
  } catch (const UserError& error) {
    // The finding matters more than its file.
    return fmt::format("the trace was not written: {}\n", error.what());
  }
  std::string text = fmt::format("trace:    {}\n", file);
  if (!again.empty()) text += fmt::format("replay:   GAINSAY_REPLAY={} {}\n", shell_command({file}), again);
  return text + fmt::format("as test:  GAINSAY_REPLAYS(\"{}\");\n", file);
}

std::string failure_text(const HuntResult& result, const Scenario& scenario, const HuntTest& how,
                         const std::string& again) {
  std::string text;
  if (result.violations.empty())
    text = fmt::format("scenario {}: undecided after {} with strategy {} (seed {})\n", result.scenario,
                       counted(result.runs, "run"), result.strategy, result.seed);
  for (const FoundViolation& found : result.violations) {
    text += fmt::format("scenario {} is {}: {}: {}\n(strategy {}, seed {}, run {})\n\n{}\n", result.scenario,
                        found.violation.is_suspicion() ? "suspected" : "violated", found.violation.property,
                        found.violation.message, result.strategy, result.seed, found.first_run,
                        space_time_diagram(found.document));
    text += trace_text(found.document, scenario, how, again);
  }
  for (const std::string& warning : result.warnings) text += fmt::format("warning: {}\n", warning);
  return text;
}

// A trace that can no longer be followed says nothing about the program.
TestReport report_of(const ReplayReport& replayed) {
  if (replayed.exit_code() == 0) return {true, ""};
  SummaryOptions summary;
  summary.verbose = true;
  std::string text = summary_text(replayed, summary);
  if (replayed.outcome == ReplayReport::Outcome::diverged)
    text +=
        "\nThe trace can no longer be followed, so it tests nothing: hunt again and keep the new trace.\n";
  return {false, std::move(text)};
}

std::optional<TestReport> asked_replay(const Scenario& scenario) {
  const std::string file = from_environment("GAINSAY_REPLAY");
  if (file.empty()) return std::nullopt;
  const TraceDocument recorded = read_trace_file(file);
  if (recorded.scenario != scenario.name()) return std::nullopt;
  return report_of(
      replay_trace(file, recorded, build_world(scenario, recorded.options), Following::by_meaning));
}

}  // namespace

TestReport hunt_as_test(const Scenario& scenario, const OptionTexts& scenario_options, const HuntTest& how,
                        const std::string& again) {
  try {
    if (auto replayed = asked_replay(scenario)) return std::move(*replayed);
    const HuntOptions options = hunt_options(how);
    (void)build_world(scenario, scenario_options);
    const HuntResult result = hunt(scenario, scenario_options, options);
    if (result.verdict() == Verdict::ok) return {true, ""};
    return {false, failure_text(result, scenario, how, again)};
  } catch (const UserError& error) {
    return {false, error.what()};
  }
}

TestReport replay_as_test(const std::string& path, const std::string& source) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::string place = path;
  if (!fs::exists(place, error)) {
    const fs::path beside = fs::path(source).parent_path() / path;
    if (fs::exists(beside, error)) place = beside.string();
  }
  TestReport report{true, ""};
  try {
    const bool folder = fs::is_directory(place, error);
    for (const std::string& file : folder ? traces_in(place) : std::vector<std::string>{place}) {
      const TestReport one = report_of(replay_trace(file, Following::by_meaning));
      if (one.passed) continue;
      report.passed = false;
      report.text += one.text;
    }
  } catch (const UserError& wrong) {
    return {false, report.text + wrong.what()};
  }
  return report;
}

}  // namespace gainsay
