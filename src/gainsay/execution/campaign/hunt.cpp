#include "gainsay/execution/campaign/hunt.hpp"

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gainsay/base/check.hpp"
#include "gainsay/execution/campaign/confirm.hpp"
#include "gainsay/execution/campaign/hunt_warnings.hpp"
#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/campaign/together.hpp"
#include "gainsay/execution/run/visibility.hpp"
#include "gainsay/family/coverage.hpp"
#include "gainsay/strategy/around/fair_suffix.hpp"
#include "gainsay/strategy/around/swarm.hpp"

namespace gainsay {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t chunk_runs = 64;
constexpr std::uint64_t no_run = ~std::uint64_t{0};
constexpr std::uint64_t scouts_max = 64;

// Rounds are the chunks 0, 1, 2-3, 4-7, 8-15, ...: all runs before a round teach those in it.
constexpr std::uint64_t first_chunk_of_round(std::uint64_t chunk) { return std::bit_floor(chunk); }
constexpr bool begins_round(std::uint64_t chunk) { return first_chunk_of_round(chunk) == chunk; }

// Sets a flag when the time is up or when somebody outside asks to stop.
class Alarm {
 public:
  Alarm(std::optional<std::chrono::nanoseconds> time, const std::atomic<bool>* outside_stop)
      : thread_([this, time, outside_stop] {
          const Clock::time_point deadline = time ? Clock::now() + *time : Clock::time_point::max();
          std::unique_lock lock(mutex_);
          while (!done_) {
            if (outside_stop != nullptr && outside_stop->load()) {
              interrupted_ = true;
              stop_ = true;
              return;
            }
            if (Clock::now() >= deadline) {
              stop_ = true;
              return;
            }
            changed_.wait_until(lock, std::min(Clock::now() + std::chrono::milliseconds(20), deadline));
          }
        }) {}
  ~Alarm() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  const std::atomic<bool>& flag() const { return stop_; }
  bool interrupted() const { return interrupted_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::atomic<bool> stop_{false};
  std::atomic<bool> interrupted_{false};
  std::thread thread_;
};

ExecutionOptions execution_options(const HuntOptions& options, const std::atomic<bool>& stop) {
  ExecutionOptions e;
  e.steps_max = options.steps_max;
  e.memo = options.memo;
  e.backtracking = options.backtracking;
  e.stop = &stop;
  e.judge_histories = options.judge_histories;
  e.liveness.temperature = options.temperature.value_or(0);
  return e;
}

OptionTexts strategy_options(const HuntOptions& options, const StrategyInfo& info) {
  OptionTexts texts = options.strategy_options;
  if (options.dependence) {
    if (!info.has_option("dependence"))
      throw UserError(
          fmt::format("strategy '{}' reduces nothing: it has no use for --dependence", info.name));
    texts.emplace_back("dependence", *options.dependence);
  }
  if (!options.depth || !info.has_depth()) return texts;
  for (const auto& [name, value] : texts) {
    if (name == info.depth_option)
      throw UserError(fmt::format("the depth is given twice: --depth {} and --option {}={}; leave one out",
                                  *options.depth, name, value));
  }
  texts.emplace_back(info.depth_option, std::to_string(*options.depth));
  return texts;
}

std::unique_ptr<Strategy> make_strategy(const HuntOptions& options) {
  const StrategyInfo& info = find_strategy(options.strategy);
  const OptionTexts texts = strategy_options(options, info);
  std::unique_ptr<Strategy> strategy = info.make(texts);
  const bool search = info.kind_with(texts) == StrategyKind::search;
  if (search && options.swarm)
    throw UserError(fmt::format("swarm mode draws at random; '{}' is a search", info.name));
  if (search && options.fair_after)
    throw UserError(fmt::format("a fair suffix is drawn at random; '{}' is a search", info.name));
  if (options.swarm) strategy = std::make_unique<SwarmStrategy>(std::move(strategy));
  if (options.fair_after) strategy = std::make_unique<FairSuffix>(std::move(strategy), *options.fair_after);
  return strategy;
}

// A handler that cannot be followed twice is a finding of its own.
RunOutcome diverged_outcome(const Execution& execution, const Divergence& divergence) {
  RunOutcome outcome;
  outcome.ending = Ending::violated;
  outcome.steps = execution.steps();
  outcome.violation = Violation{
      "nondeterminism",
      fmt::format("the same prefix of {} steps, executed again, did not offer the same choices; a handler "
                  "depends on something outside its fields and its Context",
                  divergence.step),
      nobody, static_cast<std::uint32_t>(divergence.step)};
  return outcome;
}

// One thread's part of a campaign: an execution, a strategy, and the rule for single runs.
class Worker {
 public:
  Worker(const Blueprint& blueprint, const HuntOptions& options, const std::atomic<bool>& stop)
      : blueprint_(blueprint),
        options_(options),
        execution_(blueprint, execution_options(options, stop)),
        strategy_(make_strategy(options)),
        traits_(traits_of(blueprint)),
        scope_([this] {
          return fmt::format("scenario {}, strategy {}, seed {}, run {}, step {}", blueprint_.scenario,
                             options_.strategy, options_.seed, run_, execution_.steps());
        }) {}

  // Executes run `index`. Nothing: the strategy has nothing left.
  std::optional<RunOutcome> run(std::uint64_t index, bool scout = false) {
    run_ = index;
    const std::optional<Keep> keep =
        strategy_->begin({index, options_.seed, options_.steps_max, scout, traits_});
    if (!keep) return std::nullopt;
    RunOutcome outcome;
    try {
      outcome = execution_.run(*strategy_, *keep);
    } catch (const Divergence& divergence) {
      outcome = diverged_outcome(execution_, divergence);
    }
    strategy_->end({outcome.ending, outcome.steps});
    if (options_.verify_determinism && !scout && outcome.ending != Ending::interrupted) verify(outcome);
    return outcome;
  }
  void tidy() { execution_.tidy(options_.most_bytes); }

  Execution& execution() { return execution_; }
  Strategy& strategy() { return *strategy_; }
  // Of the last run, and of a search that has ended.
  std::optional<std::uint64_t> run_class() {
    return strategy_->reducer() != nullptr ? strategy_->reducer()->run_class() : std::nullopt;
  }
  SearchClaim claim() {
    return strategy_->reducer() != nullptr ? strategy_->reducer()->claim() : SearchClaim{};
  }

 private:
  void verify(RunOutcome& outcome) {
    auto difference = find_nondeterminism(blueprint_, execution_.trace().decisions(), options_.steps_max,
                                          outcome.violation);
    if (!difference) return;
    outcome.ending = Ending::violated;
    outcome.violation = std::move(difference);
  }

  const Blueprint& blueprint_;
  const HuntOptions& options_;
  Execution execution_;
  std::unique_ptr<Strategy> strategy_;
  WorldTraits traits_;
  std::uint64_t run_ = 0;
  CheckScope scope_;
};

// What the worker has seen in all its runs so far.
void note_seen(Tally& tally, Execution& execution) {
  tally.reached = execution.judge().reached();
  tally.notified_monitors = execution.notified_monitors();
  tally.heated_monitors = execution.heated_monitors();
  tally.coverage = execution.kernel().coverage();
}

// Chunks of runs, handed out in order and merged in order.
class Campaign {
 public:
  Campaign(const Blueprint& blueprint, const HuntOptions& options, const Alarm& alarm)
      : blueprint_(blueprint), options_(options), alarm_(alarm) {}

  // Several workers where the search can be split. One that found something is made again by one worker, so that the
  // result is the same.
  void search() {
    const bool whole = !options_.runs && !options_.watch;
    if (options_.jobs < 2 || !whole || !search_together()) search_alone();
  }

  void search_alone() {
    Worker worker(blueprint_, options_, alarm_.flag());
    Tally tally;
    std::uint64_t index = 0;
    bool stopped_at_bug = false;
    while (true) {
      if (alarm_.flag().load(std::memory_order_relaxed) || (options_.runs && index >= *options_.runs) ||
          stopped_at_bug)
        break;
      const std::optional<RunOutcome> outcome = worker.run(index);
      if (!outcome) {
        exhausted_ = true;
        break;
      }
      if (outcome->ending == Ending::interrupted) break;
      if (outcome->ending == Ending::blocked) {
        ++tally.blocked_runs;
        continue;
      }
      tally.add(index, *outcome, worker.execution());
      if (const auto run_class = worker.run_class()) tally.run_classes.push_back(*run_class);
      if (options_.watch) options_.watch(worker.execution(), *outcome);
      stopped_at_bug = outcome->violation.has_value() &&
                       (!options_.keep_going || outcome->violation->property == "nondeterminism");
      ++index;
      if (index % chunk_runs == 0) {
        flush(tally);
        worker.tidy();
      }
    }
    note_seen(tally, worker.execution());
    flush(tally);
    guarantee_ = worker.strategy().guarantee();
    claim_ = worker.claim();
    handler_calls_ += worker.execution().kernel().handler_calls();
  }

  // False: it cannot be split, or there was a violation.
  bool search_together() {
    const std::unique_ptr<Strategy> tried = make_strategy(options_);
    if (tried->reducer() == nullptr || !tried->reducer()->take_share(0, options_.jobs)) return false;
    std::atomic<bool> violated{false};
    std::atomic<unsigned> done{0};
    claim_ = SearchClaim{};
    run_together(options_.jobs, [&](unsigned share) {
      Worker worker(blueprint_, options_, alarm_.flag());
      Reducer& reducer = *worker.strategy().reducer();
      reducer.take_share(share, options_.jobs);
      Tally tally;
      for (std::uint64_t index = 0; !violated && !alarm_.flag().load(std::memory_order_relaxed); ++index) {
        const std::optional<RunOutcome> outcome = worker.run(index);
        if (!outcome) ++done;
        if (!outcome || outcome->ending == Ending::interrupted) break;
        if (outcome->violation) violated = true;
        if (reducer.owns_run() && outcome->ending == Ending::blocked) {
          ++tally.blocked_runs;
        } else if (reducer.owns_run()) {
          tally.add(index, *outcome, worker.execution());
          if (const auto run_class = reducer.run_class()) tally.run_classes.push_back(*run_class);
        }
        if (index % chunk_runs != chunk_runs - 1) continue;
        const std::lock_guard lock(mutex_);
        flush(tally);
        worker.tidy();
      }
      const std::lock_guard lock(mutex_);
      note_seen(tally, worker.execution());
      flush(tally);
      const SearchClaim claim = reducer.claim();
      if (claim_.complete || claim_.dependence.empty()) claim_ = claim;
      guarantee_ = worker.strategy().guarantee();
      handler_calls_ += worker.execution().kernel().handler_calls();
    });
    exhausted_ = done == options_.jobs;
    if (!violated) return true;
    total = Tally{};
    distinct = DistinctTraces{};
    classes = DistinctTraces{};
    handler_calls_ = 0;
    return false;
  }

  void run_chunks() {
    const Needs needs = make_strategy(options_)->needs();
    if (needs.scout) send_scouts();
    const unsigned jobs = needs.in_order ? 1 : std::max(1U, options_.jobs);
    run_together(jobs, [this](unsigned) {
      try {
        work();
      } catch (...) {
        failed_ = true;
        merged_.notify_all();
        throw;
      }
    });
    // A chunk that nobody began, because the time was up, must not hide what was found in those after it.
    for (const auto& [chunk, results] : waiting_) {
      if (!merged_a_bug()) merge(results);
    }
    const std::unique_ptr<Strategy> strategy = make_strategy(options_);
    if (lessons_) strategy->learner()->learn(*lessons_);
    guarantee_ = strategy->guarantee();
    if (strategy->learner() != nullptr) shares_ = strategy->learner()->shares();
  }

  Tally total;
  DistinctTraces distinct;
  DistinctTraces classes;  // under the strategy's own dependence, where it has one
  const SearchClaim& claim() const { return claim_; }
  bool exhausted() const { return exhausted_; }
  const Guarantee& guarantee() const { return guarantee_; }
  const std::vector<StrategyShare>& shares() const { return shares_; }
  std::uint64_t handler_calls() const { return handler_calls_; }

 private:
  // What one chunk came to.
  struct Results {
    Tally tally;
    std::unique_ptr<Lessons> lessons;
  };

  // Runs before the first one, so that the first one has learned something too; numbered from the other end.
  void send_scouts() {
    Worker worker(blueprint_, options_, alarm_.flag());
    for (std::uint64_t index = no_run; worker.strategy().needs().scout && no_run - index < scouts_max;
         --index) {
      const std::optional<RunOutcome> outcome = worker.run(index, true);
      if (!outcome || outcome->ending == Ending::interrupted) break;
      Learner* const learner = worker.strategy().learner();
      if (learner == nullptr) break;
      std::unique_ptr<Lessons> lessons = learner->take_lessons();
      if (lessons_) {
        lessons_->merge(*lessons);
      } else {
        lessons_ = std::move(lessons);
      }
      learner->learn(*lessons_);
    }
    known_ = lessons_ ? lessons_->clone() : nullptr;
    handler_calls_ += worker.execution().kernel().handler_calls();
  }

  // Waits until all runs before the round of `chunk` are merged, and teaches the worker. False: there is
  // nothing left to do.
  bool enter_round(Worker& worker, std::uint64_t chunk) {
    std::unique_lock lock(mutex_);
    while (merged_chunks_ < first_chunk_of_round(chunk)) {
      if (alarm_.flag().load(std::memory_order_relaxed) || failed_ || chunk * chunk_runs > first_bug_.load())
        return false;
      merged_.wait_for(lock, std::chrono::milliseconds(20));
    }
    if (known_) worker.strategy().learner()->learn(*known_);
    return true;
  }

  // Folds what has been tallied so far into the total; keeps memory flat in long searches.
  void flush(Tally& tally) {
    distinct.add(tally.trace_classes);
    classes.add(tally.run_classes);
    total += tally;
    tally = Tally{};
    publish();
  }

  void publish() {
    if (options_.progress == nullptr) return;
    options_.progress->runs = total.runs;
    options_.progress->steps = total.steps;
    options_.progress->buggy_runs = total.buggy_runs;
    options_.progress->distinct_traces = distinct.count();
  }

  void work() {
    Worker worker(blueprint_, options_, alarm_.flag());
    const bool learns = worker.strategy().learner() != nullptr;
    std::optional<std::uint64_t> round;  // the first chunk of the worker's
    while (true) {
      const std::uint64_t chunk = next_chunk_.fetch_add(1);
      const std::uint64_t first = chunk * chunk_runs;
      if (options_.runs && first >= *options_.runs) break;
      if (alarm_.flag().load(std::memory_order_relaxed)) break;
      if (first > first_bug_.load()) break;
      if (round != first_chunk_of_round(chunk)) {
        round = first_chunk_of_round(chunk);
        if (learns && !enter_round(worker, chunk)) break;
      }
      const bool whole = run_chunk(worker, chunk);
      if (!whole) break;
      worker.tidy();
    }
    const std::lock_guard lock(mutex_);
    handler_calls_ += worker.execution().kernel().handler_calls();
  }

  // False: it was cut short.
  bool run_chunk(Worker& worker, std::uint64_t chunk) {
    const std::uint64_t first = chunk * chunk_runs;
    const std::uint64_t end =
        options_.runs ? std::min(*options_.runs, first + chunk_runs) : first + chunk_runs;
    Results results;
    Tally& tally = results.tally;
    bool whole = true;
    for (std::uint64_t index = first; index < end; ++index) {
      if (alarm_.flag().load(std::memory_order_relaxed)) {
        whole = false;
        break;
      }
      const std::optional<RunOutcome> outcome = worker.run(index);
      if (!outcome || outcome->ending == Ending::interrupted) {
        whole = false;
        break;
      }
      tally.add(index, *outcome, worker.execution());
      if (options_.watch) options_.watch(worker.execution(), *outcome);
      if (outcome->violation && !options_.keep_going) {
        lower_first_bug(index);
        break;
      }
    }
    note_seen(tally, worker.execution());
    if (Learner* const learner = worker.strategy().learner()) results.lessons = learner->take_lessons();
    hand_in(chunk, std::move(results));
    return whole;
  }

  void lower_first_bug(std::uint64_t index) {
    std::uint64_t known = first_bug_.load();
    while (index < known && !first_bug_.compare_exchange_weak(known, index)) {
    }
  }

  void hand_in(std::uint64_t chunk, Results results) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(chunk, std::move(results));
    while (!waiting_.empty() && waiting_.begin()->first == merged_chunks_ && !merged_a_bug()) {
      merge(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      ++merged_chunks_;
      if (begins_round(merged_chunks_)) {
        if (lessons_) known_ = lessons_->clone();
        merged_.notify_all();
      }
    }
    publish();
  }
  void merge(const Results& results) {
    distinct.add(results.tally.trace_classes);
    total += results.tally;
    if (!results.lessons) return;
    if (lessons_) {
      lessons_->merge(*results.lessons);
    } else {
      lessons_ = results.lessons->clone();
    }
  }
  bool merged_a_bug() const { return !options_.keep_going && total.buggy_runs > 0; }

  const Blueprint& blueprint_;
  const HuntOptions& options_;
  const Alarm& alarm_;
  std::atomic<std::uint64_t> next_chunk_{0};
  std::atomic<std::uint64_t> first_bug_{no_run};
  std::mutex mutex_;
  std::condition_variable merged_;  // a round has become possible
  std::atomic<bool> failed_{false};
  std::map<std::uint64_t, Results> waiting_;
  std::uint64_t merged_chunks_ = 0;
  std::unique_ptr<Lessons> lessons_;  // of all merged runs
  std::unique_ptr<Lessons> known_;    // of those before the current round
  bool exhausted_ = false;
  Guarantee guarantee_;
  SearchClaim claim_;
  std::vector<StrategyShare> shares_;
  std::uint64_t handler_calls_ = 0;
};

FoundViolation report(const Blueprint& blueprint, const TalliedViolation& tallied, const HuntOptions& options,
                      const HuntResult& result) {
  FoundViolation found = confirm(blueprint, tallied.violation, tallied.steps, options.steps_max);
  found.runs = tallied.runs;
  found.first_run = tallied.first_run;
  TraceDocument& document = found.document;
  document.scenario = result.scenario;
  document.options = result.options;
  document.strategy = result.strategy;
  document.seed = result.seed;
  document.run = found.first_run;
  document.steps_max = options.steps_max;
  return found;
}

// How sure one may be after the clean runs, and how many more runs would make one surer.
void add_confidence(Guarantee& guarantee) {
  if (!guarantee.per_run) return;
  guarantee.confidence = family::confidence_after_runs(*guarantee.per_run, guarantee.runs);
  const auto runs_for = [&](double confidence) -> std::optional<std::uint64_t> {
    const std::uint64_t runs = family::runs_for_confidence(*guarantee.per_run, confidence);
    if (runs == family::too_many) return std::nullopt;
    return runs;
  };
  guarantee.runs_for_95 = runs_for(0.95);
  guarantee.runs_for_99 = runs_for(0.99);
}

// What the scenario asks and a complete search under this dependence does not decide, in words; "" for nothing.
std::string undecided(const WorldTraits& world, const HuntResult& result) {
  const auto decides = [&](const char* kind) {
    return std::find(result.complete_for.begin(), result.complete_for.end(), kind) !=
           result.complete_for.end();
  };
  std::vector<std::string> kinds;
  if (world.global_properties && !decides("invariants")) kinds.emplace_back("properties of several actors");
  if (world.histories && !decides("histories")) kinds.emplace_back("what clients see");
  if (kinds.empty()) return {};
  return fmt::format(
      "dependence '{}' does not decide {}, which the scenario asks (--dependence automatic does)",
      result.dependence, fmt::join(kinds, " and "));
}

}  // namespace

HuntResult hunt(const Scenario& scenario, const OptionTexts& scenario_options, const HuntOptions& options) {
  const auto started = Clock::now();
  const StrategyInfo& info = find_strategy(options.strategy);
  (void)make_strategy(options);  // complains about its options before any work is done
  if (options.steps_max == 0) throw UserError("--steps must be at least 1");
  if (options.temperature && *options.temperature == 0) throw UserError("--temperature must be at least 1");
  GAINSAY_CHECK(!options.watch || options.jobs <= 1, "runs are watched one after the other: one job");
  const Blueprint blueprint = scenario.build(scenario_options);

  HuntResult result;
  result.scenario = scenario.name();
  result.options = scenario.complete(scenario_options);
  result.strategy = options.strategy;
  result.seed = options.seed;
  result.steps_bound = options.steps_max;
  result.search = info.kind_with(strategy_options(options, info)) == StrategyKind::search;
  if (options.depth && !info.has_depth())
    result.warnings.push_back(fmt::format("strategy '{}' has no depth: --depth changes nothing", info.name));

  std::optional<std::chrono::nanoseconds> time = options.time;
  if (!result.search && !options.runs && !time) time = std::chrono::seconds(3);
  const Alarm alarm(time, options.stop);
  Campaign campaign(blueprint, options, alarm);
  if (result.search) {
    campaign.search();
  } else {
    campaign.run_chunks();
  }

  const Tally& total = campaign.total;
  result.runs = total.runs;
  result.blocked_runs = total.blocked_runs;
  result.buggy_runs = total.buggy_runs;
  result.steps = total.steps;
  result.steps_max_seen = total.steps_max;
  result.enabled_max_seen = total.enabled_max;
  result.enabled_max_sum = total.enabled_max_sum;
  result.cut_runs = total.cut_runs;
  result.distinct_traces = campaign.distinct.count();
  result.distinct_is_lower_bound = campaign.distinct.is_lower_bound();
  result.trace_set_hash = campaign.distinct.set_hash();
  result.classes = campaign.classes.count() > 0 ? campaign.classes.count() : campaign.distinct.count();
  result.traces_seen_once = campaign.distinct.seen_once();
  result.handler_calls = campaign.handler_calls();
  result.guarantee = campaign.guarantee();
  add_confidence(result.guarantee);
  result.shares = campaign.shares();
  result.coverage = total.coverage.report(blueprint);
  result.interrupted = alarm.interrupted();
  for (const TalliedViolation& violation : total.violations) {
    result.violations.push_back(report(blueprint, violation, options, result));
    if (!result.first_bug_run) result.first_bug_run = violation.first_run;
  }
  const SearchClaim& claim = campaign.claim();
  result.dependence = claim.dependence;
  result.heuristic = claim.heuristic;
  result.notes = claim.notes;
  result.incomplete_because = claim.because;
  result.complete = result.search && campaign.exhausted() && result.cut_runs == 0 && claim.complete;
  if (result.complete) {
    result.complete_for = claim.complete_for;
    if (result.complete_for.empty())
      result.complete_for = {"checks",    "invariants", "goals",     "monitors",
                             "histories", "deadlock",   "end states"};
    result.incomplete_because = undecided(traits_of(blueprint), result);
    if (!result.violations.empty() && !options.keep_going) result.complete = false;
  }
  add_warnings(result, blueprint, total);
  result.elapsed_s = std::chrono::duration<double>(Clock::now() - started).count();
  return result;
}

}  // namespace gainsay
