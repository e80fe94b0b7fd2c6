#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/base/whole_file.hpp"
#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/explorer/certify.hpp"
#include "gainsay/report/campaign_page.hpp"
#include "gainsay/report/json.hpp"
#include "gainsay/report/progress.hpp"
#include "gainsay/report/summary.hpp"
#include "gainsay/report/trace_page.hpp"
#include "tools/arguments.hpp"
#include "tools/campaign_file.hpp"
#include "tools/campaign_samples.hpp"
#include "tools/check_dependence.hpp"
#include "tools/estimate_hunt.hpp"
#include "tools/hunt_all.hpp"
#include "tools/interrupt.hpp"
#include "tools/supervise.hpp"
#include "tools/terminal.hpp"
#include "tools/trace_folder.hpp"
#include "tools/trace_sight.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds default_time{3};

struct HuntArguments {
  std::string scenario;
  HuntOptions hunt;
  std::string dependence;
  std::string backtracking = "snapshots";
  std::string fairness = "weak";
  std::string suspicions = "tell";
  bool no_memo = false;
  std::string out = default_trace_folder;
  std::string resume;   // a folder
  OptionTexts options;  // of the scenario and of the strategy
  std::string certificate;
  std::string html;
  bool estimate = false;
  std::optional<std::uint64_t> probes;
  bool check_dependence = false;
  bool all = false;
  CiFiles ci;
  Output output;
  std::function<std::vector<std::string>()>
      words{};  // of the command, as far as they say what the campaign is
};

constexpr const char* journal_name = "campaign.journal";

// All that decides the result of a campaign, by name.
CampaignHead campaign_head(const HuntArguments& arguments, const Scenario& scenario,
                           const SplitOptions& split, const HuntOptions& options) {
  CampaignHead head;
  const auto add = [&](std::string name, std::string value) {
    head.facts.emplace_back(std::move(name), std::move(value));
  };
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : std::string{}; };
  add("version", GAINSAY_VERSION);
  add("scenario", scenario.name());
  for (const auto& [name, value] : scenario.complete(split.scenario)) add("option " + name, value);
  add("strategy", options.strategy);
  for (const auto& [name, value] : split.strategy) add("option strategy." + name, value);
  add("seed", std::to_string(options.seed));
  add("--steps", std::to_string(options.steps_max));
  add("--unfair-steps", number(options.unfair_steps_max));
  add("--fair-after", number(options.fair_after));
  add("--temperature", number(options.temperature));
  add("--fairness", arguments.fairness);
  add("--suspicions", arguments.suspicions);
  add("--depth", number(options.depth));
  add("--dependence", arguments.dependence);
  add("--swarm", options.swarm ? "on" : "off");
  add("--keep-going", arguments.hunt.keep_going ? "on" : "off");
  add("--by-cause", options.by_cause ? "on" : "off");
  add("--verify-determinism", options.verify_determinism ? "on" : "off");
  head.words = arguments.words ? arguments.words() : std::vector<std::string>{};
  return head;
}

// What the live line says about a campaign that is under way.
class HuntLine {
 public:
  HuntLine(const HuntOptions& options, const std::string& scenario, const HuntProgress& progress)
      : options_(options), scenario_(scenario), progress_(progress), started_(Clock::now()) {}

  std::string operator()() const {
    const double elapsed_s = std::chrono::duration<double>(Clock::now() - started_).count();
    const auto runs = static_cast<double>(progress_.runs.load());
    const auto steps = static_cast<double>(progress_.steps.load());
    std::string line = fmt::format("hunt {}: {} runs ({}/s), {} steps/s, {} distinct, {} buggy", scenario_,
                                   with_commas(progress_.runs), human_count(runs / elapsed_s),
                                   human_count(steps / elapsed_s), with_commas(progress_.distinct_traces),
                                   with_commas(progress_.buggy_runs));
    if (options_.stop->load()) return line + ", stopping (press again to kill)";
    if (const auto left_s = time_left_s(elapsed_s, runs))
      return line + fmt::format(", {:.0f} s left", *left_s);
    return line + fmt::format(", {:.0f} s so far", elapsed_s);
  }

 private:
  std::optional<double> time_left_s(double elapsed_s, double runs) const {
    std::optional<double> left_s;
    if (options_.time) left_s = std::chrono::duration<double>(*options_.time).count() - elapsed_s;
    if (options_.runs && runs > 0) {
      const double by_runs_s = (static_cast<double>(*options_.runs) - runs) * elapsed_s / runs;
      left_s = left_s ? std::min(*left_s, by_runs_s) : by_runs_s;
    }
    if (left_s) left_s = std::max(*left_s, 0.0);
    return left_s;
  }

  const HuntOptions& options_;
  const std::string& scenario_;
  const HuntProgress& progress_;
  Clock::time_point started_;
};

// What was said in words, and what depends on the strategy.
HuntOptions hunt_options(const HuntArguments& arguments, const OptionTexts& strategy_options) {
  HuntOptions options = arguments.hunt;
  options.strategy_options = strategy_options;
  if (!arguments.dependence.empty()) options.dependence = arguments.dependence;
  options.memo = !arguments.no_memo;
  options.fairness = fairness_of(arguments.fairness).value_or(FairnessKind::weak);
  options.suspicions_fail = arguments.suspicions == "fail";
  options.backtracking =
      arguments.backtracking == "snapshots" ? Backtracking::snapshots : Backtracking::reexecution;
  return options;
}

// The hunt, and the certificate of what it found where one is asked for. Nothing is written before all is known.
struct Hunted {
  HuntResult result;
  std::string certificate;  // the file
  bool refused = false;
};

Hunted hunt_and_certify(const HuntArguments& arguments, const Scenario& scenario,
                        const OptionTexts& scenario_options, const HuntOptions& options) {
  if (arguments.certificate.empty()) return {hunt(scenario, scenario_options, options), "", false};
  CertifiedHunt certified = certified_hunt(scenario, scenario_options, options);
  Hunted hunted{std::move(certified.result), "", false};
  if (certified.certificate) {
    certified.certificate->tool = "gainsay " GAINSAY_VERSION;
    write_certificate_file(arguments.certificate, *certified.certificate);
    hunted.certificate = arguments.certificate;
  } else {
    hunted.refused = true;
    hunted.result.warnings.push_back(
        fmt::format("no certificate was written: {}", certified.refused_because));
  }
  return hunted;
}

std::string campaign_index(const std::string& folder) {
  return (std::filesystem::path(folder) / "index.html").string();
}

// The campaign, and beside it each violation's execution.
void write_pages(const std::string& folder, const HuntResult& result, const SummaryOptions& summary,
                 const std::vector<CampaignSample>& samples) {
  std::vector<std::string> pages;
  for (std::size_t i = 0; i < result.violations.size(); ++i) {
    pages.push_back(fmt::format("violation-{}.html", i + 1));
    const std::string file = i < summary.trace_files.size() ? summary.trace_files[i] : "";
    write_whole_file((std::filesystem::path(folder) / pages.back()).string(), "page",
                     trace_page(seen_trace(file, result.violations[i].document)));
  }
  const std::string index = campaign_index(folder);
  write_whole_file(index, "page", campaign_page(result, summary, samples, pages));
  fmt::print(stderr, "wrote {}\n", index);
}

// Hunts in one scenario; what is printed goes to `tell`.
int hunt_in(const Scenario& scenario, const HuntArguments& arguments, const std::string& program,
            const HuntEars& ears) {
  const StrategyInfo& strategy = find_strategy(arguments.hunt.strategy);
  const SplitOptions split = split_options(arguments.options, scenario, strategy);
  HuntOptions options = hunt_options(arguments, split.strategy);
  (void)strategy.make(split.strategy);
  build_world(scenario, split.scenario);
  if (arguments.probes && !arguments.estimate)
    throw UserError("--probes is the number of probes for --estimate; add --estimate");
  if (arguments.estimate) {
    const Interrupt interrupt;
    options.stop = interrupt.flag();
    EstimateArguments estimate;
    estimate.probes = arguments.probes;
    estimate.dependence = asked_dependence(options);
    estimate.json = arguments.output.json;
    return estimate_hunt(scenario, split.scenario, options, estimate);
  }

  if (arguments.check_dependence) {
    const Interrupt interrupt;
    options.stop = interrupt.flag();
    const std::string policy = asked_dependence(options);
    if (policy != "keyed" && policy != "automatic")
      throw UserError(fmt::format(
          "--check-dependence tests the keys of a scenario; dependence '{}' does not use keys", policy));
    return check_dependence(
        scenario, split.scenario, options,
        {find_strategy(options.strategy).unlisted_is_free, arguments.out, program, arguments.output.json});
  }

  // A search ends by itself; random runs need an end.
  const bool random = strategy.kind_with(split.strategy) == StrategyKind::random;
  if (random && !options.runs && !options.time) options.time = default_time;
  if (!random && !arguments.resume.empty())
    throw UserError(fmt::format("--resume works with random strategies; '{}' is a search", strategy.name));
  const Attempt attempt = current_attempt();
  TraceFolder folder(arguments.resume.empty() ? arguments.out : arguments.resume);
  std::optional<CampaignFile> journal;
  if (!arguments.resume.empty()) {
    journal.emplace((std::filesystem::path(arguments.resume) / journal_name).string(),
                    campaign_head(arguments, scenario, split, options));
  } else if (random && attempt.journal >= 0) {
    journal.emplace(attempt.journal, campaign_head(arguments, scenario, split, options));
  }
  if (journal) options.journal = &*journal;
  // After a crash of the code under test the work goes on, and has time to come to the same call again. What is not in
  // a journal is done again, however long it takes this time.
  if (options.time && attempt.deaths > 0) {
    const std::chrono::nanoseconds again = 3 * attempt.longest;
    options.time = journal ? std::max(*options.time - attempt.spent,
                                      std::min<std::chrono::nanoseconds>(again, std::chrono::seconds(2)))
                           : std::max(*options.time, again);
  }
  if (attempt.last) options.keep_going = false;
  if (!arguments.certificate.empty()) require_writable(arguments.certificate, "certificate");
  HuntProgress counters;
  options.progress = &counters;
  // What was found is on the disk before anything else can go wrong.
  options.found = [&](const FoundViolation& found) { folder.write(found, scenario.options()); };
  const Interrupt interrupt;
  options.stop = interrupt.flag();
  Hunted hunted;
  std::optional<CampaignSamples> samples;
  const std::string pages = arguments.all && !arguments.html.empty()
                                ? (std::filesystem::path(arguments.html) / scenario.name()).string()
                                : arguments.html;
  if (!pages.empty()) {
    require_writable(campaign_index(pages), "page");
    samples.emplace(counters);
  }
  {
    std::optional<Progress> progress;
    if (!arguments.output.quiet)
      progress.emplace(HuntLine(options, scenario.name(), counters), progress_options());
    hunted = hunt_and_certify(arguments, scenario, split.scenario, options);
  }
  const HuntResult& result = hunted.result;

  SummaryOptions summary;
  summary.program = program;
  summary.trace_files = folder.write(result.violations, scenario.options());
  summary.certificate = hunted.certificate;
  summary.diagram = !arguments.output.quiet;
  summary.verbose = arguments.output.verbose;
  summary.numbers = !arguments.all;
  summary.determinism_checked = options.verify_determinism;
  summary.show = show_options(arguments.output.color);
  ears.tell(arguments.output.json ? json_text(result, summary) : summary_text(result, summary));
  if (samples) write_pages(pages, result, summary, samples->take(result));
  const int code = hunted.refused && result.exit_code() == 0 ? 3 : result.exit_code();
  ears.report(ci_case(scenario, split.scenario, result.violations, summary.trace_files, code,
                      result.incomplete_because.empty() ? "unknown" : result.incomplete_because));
  return code;
}

// What is about one scenario does not go with all of them.
void refuse_mixtures(const HuntArguments& arguments) {
  const StrategyInfo& strategy = find_strategy(arguments.hunt.strategy);
  const auto refuse = [](bool given, const char* what) {
    if (given) throw UserError(fmt::format("{} cannot be used with --all", what));
  };
  refuse(!arguments.scenario.empty(), "a SCENARIO");
  refuse(!arguments.certificate.empty(), "--certificate");
  refuse(!arguments.resume.empty(), "--resume");
  refuse(arguments.estimate, "--estimate");
  refuse(arguments.check_dependence, "--check-dependence");
  for (const auto& [name, value] : arguments.options) {
    const std::string bare = name.starts_with("strategy.") ? name.substr(9) : name;
    const bool known = std::any_of(strategy.options.begin(), strategy.options.end(),
                                   [&](const OptionInfo& info) { return info.name == bare; });
    if (!known)
      throw UserError(fmt::format("--option {}: with --all, only strategy options are allowed; '{}' has {}",
                                  name, strategy.name, strategy.options.empty() ? "none" : "no such option"));
  }
}

// Options of the strategy, whatever the options of the scenarios are called.
HuntArguments for_all(HuntArguments arguments) {
  for (auto& [name, value] : arguments.options) {
    if (!name.starts_with("strategy.")) name = "strategy." + name;
  }
  return arguments;
}

void add_hunt_arguments(CLI::App& app, HuntArguments& a);
int hunt_verb(const HuntArguments& arguments, const std::string& program, const Supervise& supervise);

// `hunt --resume DIR` alone: the campaign that is there, as it was begun.
int resume_verb(const HuntArguments& arguments, const std::string& program, const Supervise& supervise) {
  const std::shared_ptr<CLI::App> app = make_app();
  const auto again = std::make_shared<HuntArguments>();
  add_hunt_arguments(*app, *again);
  parse_words(*app, campaign_words((std::filesystem::path(arguments.resume) / journal_name).string()),
              fmt::format("{}: the campaign was started by another version", arguments.resume));
  again->resume = arguments.resume;
  again->html = arguments.html;
  again->output = arguments.output;
  if (arguments.hunt.jobs > 1) again->hunt.jobs = arguments.hunt.jobs;
  if (arguments.hunt.runs) again->hunt.runs = arguments.hunt.runs;
  if (arguments.hunt.time) again->hunt.time = arguments.hunt.time;
  return hunt_verb(*again, program, supervise);
}

int hunt_verb(const HuntArguments& arguments, const std::string& program, const Supervise& supervise) {
  if (arguments.all) {
    refuse_mixtures(arguments);
    const HuntArguments each = for_all(arguments);
    const AllHunts how{arguments.output.json, arguments.ci};
    return hunt_all(how, [&](const Scenario& scenario, const HuntEars& ears) {
      return supervise([&] { return hunt_in(scenario, each, program, ears); });
    });
  }
  require_ci_writable(arguments.ci);
  if (arguments.scenario.empty() && !arguments.resume.empty())
    return resume_verb(arguments, program, supervise);
  return supervise([&] {
    required(arguments.scenario,
             fmt::format("hunt needs a SCENARIO or --all; `{} list` shows them", shell_command({program})));
    const HuntEars ears{say,
                        [&](const CiCase& each) { write_ci(arguments.ci, "hunt", "scenarios", {each}); }};
    return hunt_in(find_scenario(arguments.scenario), arguments, program, ears);
  });
}

// The words of a command, without those that do not say what the campaign is.
std::vector<std::string> campaign_words_of(const CLI::App& app) {
  return parsed_words(app, {"--resume", "--out", "--html", "--json", "--quiet", "--verbose", "--color",
                            "--help", "--in-process", "--max-memory", "--handler-timeout"});
}

void add_hunt_arguments(CLI::App& app, HuntArguments& a) {
  a.words = [&app] { return campaign_words_of(app); };
  HuntOptions& h = a.hunt;
  h.strategy = "portfolio";
  add_positional(app, "SCENARIO", a.scenario, "the scenario; `list` shows all");
  add_flag(app, "--all", a.all, "hunt every scenario, one after the other; --time and --runs apply to each");
  add_text(app, "--strategy", "NAME", h.strategy,
           "decides which event is next (portfolio); `list --strategies` shows all. Complete searches: "
           "sdpor, odpor, dpor, dfs");
  add_number(
      app, "--depth", h.depth, {1, 1000},
      "bug depth for pct, pctcp and portfolio; number of delays for delay; number of steps for searches");
  add_word(app, "--dependence",
           {"automatic", "receiver", "properties", "linearizability", "keyed", "semantic"}, a.dependence,
           "which events are dependent, for reducing searches (automatic: derived from the properties)");
  add_number(app, "--fair-after", h.fair_after, {0, 1'000'000'000},
             "from this step on, choose events uniformly and without faults (for liveness)");
  add_flag(app, "--swarm", h.swarm, "draw new fault budgets and event weights for every run");
  add_number(app, "--runs", h.runs, {1, 1'000'000'000'000'000}, "maximum number of runs, numbered from 0");
  add_duration(app, "--time", h.time,
               "stop after this time, such as 500ms, 15s or 2m (random: 3s, unless --runs is given)");
  add_number(app, "--steps", h.steps_max, {1, 1'000'000'000}, "maximum number of steps in a run (10000)");
  add_number(app, "--unfair-steps", h.unfair_steps_max, {1, 1'000'000'000},
             "from this step on, cut off unfair runs that starve an actor (learned from a few fair runs; the "
             "value of --steps turns it off)");
  add_number(app, "--temperature", h.temperature, {1, 1'000'000'000},
             "suspect a monitor that is hot for this many fair rounds in a row (100)");
  add_word(
      app, "--fairness", {"weak", "actor", "strong"}, a.fairness,
      "which infinite executions count as fair: an event that stays enabled happens (weak), an actor enabled "
      "infinitely often takes a step (actor), an event enabled infinitely often happens (strong)");
  add_word(
      app, "--suspicions", {"tell", "fail"}, a.suspicions,
      "tell: report a suspicion as not proved (exit code 3); fail: report it as a violation (exit code 1)");
  add_number(app, "--seed", h.seed, {0, UINT64_MAX}, "random seed (1); the same seed gives the same result");
  add_number(
      app, "--jobs", h.jobs, {1, 1024},
      "threads (1); the result does not depend on it; the only search that uses more than one is sdpor");
  add_flag(app, "--keep-going", h.keep_going, "do not stop at the first violation");
  add_flag(app, "--by-cause", h.by_cause,
           "shrink violations and report those of the same shape once (with --keep-going)");
  add_text(app, "--out", "DIR", a.out, "folder for traces (gainsay-traces)");
  add_text(app, "--resume", "DIR", a.resume,
           "continue the campaign in DIR, or start one there; traces are written there too");
  add_options(
      app, a.options,
      "an option of the scenario, or else of the strategy (strategy.NAME: only the strategy's); repeatable");
  add_word(app, "--backtracking", {"snapshots", "reexecution"}, a.backtracking,
           "how searches backtrack (snapshots)");
  add_flag(app, "--no-memo", a.no_memo, "call every handler instead of memoising its results");
  add_flag(app, "--verify-determinism", h.verify_determinism, "execute every run two more times and compare");
  add_text(app, "--certificate", "FILE", a.certificate,
           "write a certificate of a complete search, for `verify`; uses one job");
  add_flag(app, "--estimate", a.estimate, "only estimate the number of executions, from random probes");
  add_number(app, "--probes", a.probes, {1, 1'000'000'000}, "number of probes for --estimate (1000)");
  add_flag(app, "--check-dependence", a.check_dependence,
           "only test the scenario's keys: execute pairs of supposedly independent events in both orders");
  add_text(app, "--html", "DIR", a.html,
           "write HTML pages: DIR/index.html for the campaign, and one page for each violation");
  add_ci(app, a.ci);
  add_json(app, a.output);
  add_quiet(app, a.output, "print no progress and no diagram");
  add_verbose(app, a.output,
              "print all numbers, also after a violation, and the results of each portfolio member");
  add_color(app, a.output);
}

}  // namespace

Verb add_hunt(CLI::App& app, const std::string& program, Supervise supervise) {
  auto arguments = std::make_shared<HuntArguments>();
  add_hunt_arguments(app, *arguments);
  return [arguments, program, supervise = std::move(supervise)] {
    return hunt_verb(*arguments, program, supervise);
  };
}

}  // namespace gainsay::tools
