#include "papers/zoo/measure.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gainsay/base/check.hpp"
#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/explorer/explore.hpp"
#include "papers/zoo/history_census.hpp"

namespace gainsay::tools::zoo {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A hunt, and the processor time that it took: of one thread, and the same whatever else the machine does.
struct Timed {
  HuntResult result;
  double cpu_s = 0;
};

Timed timed_hunt(const Subject& subject, const HuntOptions& how) {
  const std::clock_t started = std::clock();
  HuntResult result = hunt(find_scenario(subject.scenario), subject.all_options(), how);
  return {std::move(result), static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC};
}

bool is_search(const StrategyPlan& strategy) {
  return find_strategy(strategy.strategy).kind_with(strategy.options) == StrategyKind::search;
}

HuntOptions options_of(const StrategyPlan& strategy, const Budget& budget, const std::atomic<bool>* stop) {
  HuntOptions how;
  how.strategy = strategy.strategy;
  how.strategy_options = strategy.options;
  how.runs = budget.runs;
  how.time = budget.time;
  if (budget.steps) how.steps_max = *budget.steps;
  if (!is_search(strategy)) how.fair_after = budget.fair_after;
  how.stop = stop;
  return how;
}

Row new_row(const Table& table, const Subject& subject, const std::string& strategy, const Budget& budget) {
  Row row;
  row.key = key_of(table, subject, strategy, budget);
  row.subject = subject.title;
  row.system = subject.scenario;
  row.bug = subject.bug;
  row.options = subject.options;
  row.strategy = strategy;
  return row;
}

std::string guarantee_of(const HuntResult& result) {
  if (result.complete) {
    const std::string what = result.incomplete_because.empty()
                                 ? "complete"
                                 : fmt::format("complete for {}", fmt::join(result.complete_for, ", "));
    return result.guarantee.within.empty() ? what : what + " within " + result.guarantee.within;
  }
  if (result.search || !result.guarantee.per_run) return "";
  return fmt::format("p >= {:.2g}", *result.guarantee.per_run);
}

void take(Row& row, const Timed& timed) {
  const HuntResult& result = timed.result;
  row.cpu_s = timed.cpu_s;
  row.runs = result.runs;
  row.blocked_runs = result.blocked_runs;
  row.buggy_runs = result.buggy_runs;
  row.steps = result.steps;
  row.steps_max = result.steps_max_seen;
  row.enabled_max = result.enabled_max_seen;
  row.enabled_max_sum = result.enabled_max_sum;
  row.chains_mean = result.guarantee.chains_mean;
  for (const auto& [name, value] : result.guarantee.inputs) {
    if (row.chains_mean && name == "chains") row.chains_max = value;
  }
  row.distinct = result.distinct_traces;
  row.complete = result.complete;
  row.guarantee = guarantee_of(result);
  row.elapsed_s = result.elapsed_s;
}

// Adds up what the hunts of several seeds amounted to.
void add(Row& row, const Timed& timed) {
  const HuntResult& result = timed.result;
  row.cpu_s += timed.cpu_s;
  row.runs += result.runs;
  row.blocked_runs += result.blocked_runs;
  row.buggy_runs += result.buggy_runs;
  row.steps += result.steps;
  row.steps_max = std::max(row.steps_max, result.steps_max_seen);
  row.enabled_max = std::max(row.enabled_max, result.enabled_max_seen);
  row.enabled_max_sum += result.enabled_max_sum;
  row.distinct += result.distinct_traces;
  row.elapsed_s += result.elapsed_s;
}

// Runs up to the first bug, its own run counted, for every seed. False: it was stopped.
bool measure_first_bugs(Row& row, const Subject& subject, HuntOptions how, std::uint64_t seeds) {
  std::vector<std::optional<double>> runs;
  std::vector<std::optional<double>> times_s;
  std::vector<std::optional<double>> steps;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    how.seed = seed;
    const Timed timed = timed_hunt(subject, how);
    const HuntResult& result = timed.result;
    if (result.interrupted) return false;
    add(row, timed);
    const bool found = result.first_bug_run.has_value();
    if (found) ++row.found_by_seeds;
    const auto if_found = [&](auto value) {
      return found ? std::optional(static_cast<double>(value())) : std::nullopt;
    };
    runs.push_back(if_found([&] { return *result.first_bug_run + 1; }));
    times_s.push_back(if_found([&] { return result.elapsed_s; }));
    if (found) steps.emplace_back(result.violations.at(0).document.steps.size());
  }
  row.seeds = seeds;
  row.found = row.found_by_seeds > 0;
  row.runs_to_first_bug = quartiles(runs);
  row.time_to_first_bug_s = quartiles(times_s);
  row.steps_of_first_bug = quartiles(steps);
  return true;
}

// One hunt, with the first seed.
std::optional<Row> measure_share(Row row, const Subject& subject, const HuntOptions& how) {
  const Timed timed = timed_hunt(subject, how);
  const HuntResult& result = timed.result;
  if (result.interrupted) return std::nullopt;
  take(row, timed);
  row.seeds = 1;
  row.found = result.buggy_runs > 0;
  row.found_by_seeds = row.found ? 1 : 0;
  if (result.first_bug_run)
    row.runs_to_first_bug = quartiles({static_cast<double>(*result.first_bug_run + 1)});
  return row;
}

std::optional<Row> measure_bugs(Table::Measure measure, Row row, const Subject& subject,
                                const HuntOptions& how, std::uint64_t seeds) {
  HuntOptions whole = how;
  whole.keep_going = true;
  if (measure == Table::Measure::shares) return measure_share(row, subject, whole);
  if (subject.bug == "none") {  // as many runs as a bug gets in all: a false alarm is a defect
    HuntOptions more = how;
    if (more.runs) *more.runs *= seeds;
    if (more.time) *more.time *= seeds;
    return measure_share(row, subject, more);
  }
  if (!measure_first_bugs(row, subject, how, seeds)) return std::nullopt;
  if (measure == Table::Measure::first_bugs) return row;
  const Timed timed = timed_hunt(subject, whole);
  if (timed.result.interrupted) return std::nullopt;
  take(row, timed);
  row.found = row.found || timed.result.buggy_runs > 0;
  return row;
}

std::optional<Row> measure_histories(Row row, const Subject& subject, HuntOptions how, bool search) {
  const Scenario& scenario = find_scenario(subject.scenario);
  const Blueprint blueprint = scenario.build(subject.all_options());
  HistoryCensus census(blueprint);
  HistoryFigures figures;
  const auto started = Clock::now();
  how.keep_going = true;
  how.judge_histories = false;
  how.watch = [&](const Execution& execution, const RunOutcome&) {
    if (census.add(execution.history(), execution) && !figures.to_wrong_s)
      figures.to_wrong_s = seconds_since(started);
  };
  const Timed timed = timed_hunt(subject, how);
  const HuntResult& result = timed.result;
  if (result.interrupted) return std::nullopt;
  take(row, timed);
  row.seeds = 1;
  row.buggy_runs = census.wrong_executions() + result.buggy_runs;
  row.found = row.buggy_runs > 0;
  row.found_by_seeds = row.found ? 1 : 0;
  if (census.executions_before_wrong())
    row.runs_to_first_bug = quartiles({static_cast<double>(*census.executions_before_wrong() + 1)});
  figures.incomplete = census.incomplete();
  figures.unique = census.unique();
  figures.wrong = census.wrong();
  figures.precedence = census.precedence_classes().size();
  figures.wrong_precedence = census.wrong_precedence_classes().size();
  figures.before_wrong = census.unique_before_wrong();
  figures.judging_s = census.judging_s();
  figures.search_s = std::max(0.0, result.elapsed_s - census.judging_s());
  if (search) {
    how.watch = nullptr;
    how.runs = std::max<std::uint64_t>(1, result.runs);
    how.time.reset();
    how.backtracking = Backtracking::reexecution;
    const HuntResult again = hunt(scenario, subject.all_options(), how);
    if (again.interrupted) return std::nullopt;
    figures.stateless_s = again.elapsed_s;
  }
  row.histories = figures;
  return row;
}

}  // namespace

std::string key_of(const Table& table, const Subject& subject, const std::string& strategy,
                   const Budget& budget) {
  std::string options;
  for (const auto& [name, value] : subject.all_options()) options += fmt::format(" {}={}", name, value);
  return fmt::format("{} | {} | {}{} | {} | {}", table.name, subject.title, subject.scenario, options,
                     strategy, budget.text());
}

std::optional<Row> measure(const Table& table, const Subject& subject, const StrategyPlan& strategy,
                           const Budget& budget, const std::atomic<bool>* stop) {
  const bool search = is_search(strategy);
  const HuntOptions how = options_of(strategy, budget, stop);
  Row row = new_row(table, subject, strategy.name(), budget);
  row.paper = strategy.paper;
  if (table.measure == Table::Measure::histories) return measure_histories(row, subject, how, search);
  if (!search) return measure_bugs(table.measure, row, subject, how, budget.seeds.value_or(1));
  (void)find_scenario(subject.scenario).build(subject.all_options());  // an error in the table is the table's
  try {
    return measure_bugs(table.measure, row, subject, how, 1);
  } catch (const UserError&) {
    row.guarantee = "cannot search this world";  // simulated time
    return row;
  }
}

std::optional<Row> measure_states(const Table& table, const Subject& subject, const Budget& budget,
                                  const std::atomic<bool>* stop) {
  ExploreOptions how;
  how.states_max = budget.states;
  how.without_histories = true;
  how.keep_going = true;
  how.stop = stop;
  Row row = new_row(table, subject, "explore", budget);
  try {
    const ExploreResult result = explore(find_scenario(subject.scenario), subject.all_options(), how);
    if (result.interrupted) return std::nullopt;
    row.states = StateFigures{result.states, result.transitions, result.end_states};
    row.found = !result.violations.empty();
    row.complete = result.complete;
    row.elapsed_s = result.elapsed_s;
  } catch (const UserError&) {
    return std::nullopt;  // opaque actors, simulated time
  }
  return row;
}

}  // namespace gainsay::tools::zoo
