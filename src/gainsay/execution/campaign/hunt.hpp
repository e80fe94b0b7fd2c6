// hunt: a campaign of executions of one scenario under one strategy, on one or several threads.
//
// The result does not depend on `jobs`: run i depends on (seed, i) and on what all runs before its round
// taught (rounds.hpp). Searches that cannot be split, and strategies that learn from every run, use one worker.
// Every violation is executed again, live and three times, before it is reported (confirm.hpp).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/execution/run/execution.hpp"
#include "gainsay/scenario/registry.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

// Counters that a watcher may read while the campaign runs.
struct HuntProgress {
  std::atomic<std::uint64_t> runs{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint64_t> buggy_runs{0};
  std::atomic<std::uint64_t> distinct_traces{0};
};

// Where a campaign of random runs writes down what it has done, so that another process can go on with it: records,
// each whole or not there at all. It is called by one thread at a time.
class CampaignJournal {
 public:
  virtual ~CampaignJournal() = default;
  // Of those who worked before.
  virtual std::vector<std::string> records() = 0;
  virtual void append(const std::string& record) = 0;
};

struct HuntOptions {
  std::string strategy = "random";
  OptionTexts strategy_options;
  std::optional<std::uint64_t> depth;  // of the bugs looked for, where the strategy has such an option
  std::optional<std::string>
      dependence;  // of searches that reduce (strategy/dependence.hpp); none: automatic
  std::optional<std::size_t> fair_after;  // from this step on uniformly random, among ordinary events only
  bool swarm = false;                     // fault budgets and weights of events are drawn for every run
  std::optional<std::uint64_t> runs;      // none: until `time`, or, for searches, until complete
  std::optional<std::chrono::nanoseconds> time;
  std::size_t steps_max = 10'000;
  // From this step on a schedule that is not fair ends where it starves somebody; none: learned from a few fair runs
  // (scouts.hpp). Of searches, and where `fair_after` is given, there is no such bound.
  std::optional<std::size_t> unfair_steps_max{};
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  bool keep_going = false;
  bool by_cause =
      false;  // findings are shrunk, and those that seem to be one defect are one (group_causes.hpp)
  bool memo = true;
  Backtracking backtracking = Backtracking::snapshots;
  std::optional<std::size_t> temperature{};        // fair rounds in which a monitor is hot that are too many
  FairnessKind fairness = FairnessKind::weak;      // of loops
  bool suspicions_fail = false;                    // a monitor that was hot for too long is a violation
  bool verify_determinism = false;                 // run every execution twice more, live, and compare
  std::size_t most_bytes = std::size_t{1} << 30U;  // of interned states per worker, between runs
  // Called after every run that counts, in the order of the runs, while its execution can still be read.
  // Only with one job.
  std::function<void(const Execution&, const RunOutcome&)> watch{};
  bool judge_histories = true;  // false: `watch` judges them
  // Called for every violation as soon as it is confirmed, in the order of the result; by one thread at a time.
  std::function<void(const FoundViolation&)> found{};
  // Runs that are in the journal are not made again, and what is made is entered about twice a second. Searches, and
  // strategies that must make all runs in their order, enter nothing.
  CampaignJournal* journal = nullptr;
  HuntProgress* progress = nullptr;
  const std::atomic<bool>* stop = nullptr;  // set from outside: end soon and report what there is
};

// Throws UserError for options that do not fit.
HuntResult hunt(const Scenario& scenario, const OptionTexts& scenario_options, const HuntOptions& options);

}  // namespace gainsay
