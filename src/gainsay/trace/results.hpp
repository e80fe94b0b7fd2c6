// Results of campaigns: what a hunt or an exploration found, and what that means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/trace/document.hpp"

namespace gainsay {

// What N clean runs mean. `per_run` is a lower bound on the probability that one run hits a bug of the stated
// kind; it holds for `runs` of the runs, under the assumptions, and has no value where it is void.
struct Guarantee {
  std::string statement = "none known";
  std::optional<double> per_run = std::nullopt;
  std::uint64_t runs = 0;
  std::vector<std::pair<std::string, std::uint64_t>> inputs{};  // what the bound was computed from
  std::vector<std::string> assumptions{};
  std::vector<std::string> voids{};  // why it does not hold, or not for all runs
  std::string within{};              // of searches: what bounds them besides the steps ("at most 2 delays")
  std::string
      shows_when{};  // which bugs `per_run` is about, where it is not those of a depth: "a goal is met"
  std::optional<double> chains_mean{};  // of strategies that cut causes into chains: chains of a run

  // Filled in by the campaign where there is a bound.
  double confidence = 0;                       // that such a bug would have been hit by now
  std::optional<std::uint64_t> runs_for_95{};  // none: more than 2^64
  std::optional<std::uint64_t> runs_for_99{};
};

// The part of one strategy in a campaign of several.
struct StrategyShare {
  std::string strategy;  // with its options: "pctcp depth=2"
  std::uint64_t runs = 0;
  std::uint64_t buggy_runs = 0;
  std::optional<std::uint64_t> first_bug_run;

  friend bool operator==(const StrategyShare&, const StrategyShare&) = default;
};

struct FoundViolation {
  Violation violation;
  std::uint64_t runs = 0;  // how many runs showed it
  std::uint64_t first_run = 0;
  TraceDocument document;  // of the first of these runs
};

// How much of a machine's table was gone through, and what was not.
struct CoveredItems {
  std::uint64_t seen = 0;
  std::uint64_t total = 0;
  std::vector<std::string> never;

  friend bool operator==(const CoveredItems&, const CoveredItems&) = default;
};
struct MachineCoverage {
  std::string machine;
  CoveredItems states;
  CoveredItems transitions;
  CoveredItems events;

  friend bool operator==(const MachineCoverage&, const MachineCoverage&) = default;
};

// How many runs there were and how they went. Counts of consecutive runs add up.
struct RunCounts {
  std::uint64_t runs = 0;          // complete executions (also those cut at a bound)
  std::uint64_t blocked_runs = 0;  // cut by a reduction; 0 for strategies without one
  std::uint64_t buggy_runs = 0;
  std::uint64_t cut_runs = 0;          // reached a bound of steps
  std::uint64_t starved_runs = 0;      // of these, at the bound of unfair schedules
  std::uint64_t fair_runs = 0;         // whose schedule was fair at the end
  std::uint64_t unjudged_runs = 0;     // not known to be right: what clients saw was too much to be judged
  std::uint64_t steps = 0;             // also of blocked runs
  std::uint64_t steps_max_seen = 0;    // of the longest run
  std::uint64_t enabled_max_seen = 0;  // most events that a strategy had to choose among
  std::uint64_t enabled_max_sum = 0;   // of each run the most, summed over runs

  RunCounts& operator+=(const RunCounts& later);
  friend bool operator==(const RunCounts&, const RunCounts&) = default;
};

// How many different behaviours were seen.
struct TraceCounts {
  std::uint64_t distinct_traces = 0;
  bool distinct_is_lower_bound = false;
  std::uint64_t traces_seen_once = 0;  // trace classes that exactly one run showed
  std::uint64_t classes = 0;  // distinct trace classes under the strategy's dependence; else distinct_traces
  std::uint64_t trace_set_hash = 0;  // sum of scramble(trace class) over the distinct_traces: names the set
};

// What a search that ends by itself has done. In a result: what the whole campaign may claim.
struct SearchClaim {
  bool complete = true;                     // it left nothing out
  std::string incomplete_because{};         // why it does not claim everything, in words
  bool heuristic = false;                   // it never claims to be complete, by its nature
  std::string dependence{};                 // the policy in force (strategy/dependence.hpp); empty: none
  std::vector<std::string> complete_for{};  // kinds of properties; empty: all
  std::vector<std::string> notes{};         // what else the reader should know
};

// Runs before the first: they say how long executions are, and count for nothing.
struct ScoutReport {
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  std::uint64_t fair_steps_max = 0;  // of the longest fair one; 0: none was made
  double elapsed_s = 0;
  std::optional<std::uint64_t> unfair_steps_max{};  // the bound of unfair schedules; none: there is no other
};

// How endless executions were judged.
struct LivenessReport {
  bool asked = false;  // the scenario has a liveness monitor or property
  FairnessKind fairness = FairnessKind::weak;
  std::uint64_t temperature = 0;  // fair rounds
  bool suspicions_fail = false;   // a suspicion counts as a violation
};

// What a hunt found. It is a header, counts and a claim, each filled in as a whole by the part of the campaign that
// knows it.
struct HuntResult : RunHeader, RunCounts, TraceCounts, SearchClaim {
  HuntResult() { complete = false; }

  bool search = false;
  std::optional<std::uint64_t> first_bug_run;  // from 0
  std::uint64_t handler_calls = 0;
  double elapsed_s = 0;
  bool interrupted = false;
  ScoutReport scouts;
  LivenessReport liveness;
  std::vector<FoundViolation> violations;
  Guarantee guarantee;
  std::vector<StrategyShare> shares;      // of a portfolio
  std::vector<MachineCoverage> coverage;  // of the machines, by name
  std::vector<std::string> warnings;
  std::vector<std::string> unreached_goals;

  // Good and Turing: an estimate of the probability that the next run shows a trace class never seen before.
  // Nothing where classes were not all counted, or where runs are not drawn at random.
  std::optional<double> unseen_probability() const;
  Verdict verdict() const;
  // 0 nothing wrong found (searches: complete), 1 violation found, 3 unknown, incomplete or only suspected.
  int exit_code() const;
};

// One level of a breadth-first search: the states at this depth, and the steps out of them.
struct LevelCount {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;

  friend bool operator==(const LevelCount&, const LevelCount&) = default;
};

struct ExploreResult {
  std::string scenario;
  std::vector<std::pair<std::string, std::string>> options;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t end_states = 0;    // quiescent
  std::uint64_t depth = 0;         // of the breadth-first search: the longest shortest path
  std::vector<LevelCount> levels;  // by depth
  std::uint64_t handler_calls = 0;
  bool complete = false;
  std::string
      incomplete_because;  // "", "--max-states", "--max-memory", "--time", "interrupted", "a violation was found", ...
  bool interrupted = false;
  bool exact = false;  // whole states were stored; else fingerprints
  std::uint64_t symmetries =
      0;                  // permutations under which states were merged, the identity among them; 0: none
  std::string symmetric;  // which members were exchanged, in words
  bool bitstate = false;  // a table of bits was used: some states were omitted
  double expected_omissions = 0;     // how many, directly
  std::uint64_t frontier = 0;        // states that were found and not expanded
  std::uint64_t disk_bytes = 0;      // of the frontier, written in all
  double collision_probability = 0;  // fingerprint mode: that any state was taken for another
  std::uint64_t memory_bytes = 0;    // the largest amount used by states and tables
  unsigned workers = 1;
  double elapsed_s = 0;
  std::vector<FoundViolation> violations;      // each with a shortest execution that leads to it
  FairnessKind fairness = FairnessKind::weak;  // of executions that count
  std::vector<std::string> live;  // liveness monitors and properties that no fair execution violates: proved
  std::vector<MachineCoverage> coverage;  // of the machines, by name
  std::vector<std::string> warnings;
  std::vector<std::string> unreached_goals;

  Verdict verdict() const;
  int exit_code() const;
  // That any state was omitted directly, if each is by itself.
  double omission_probability() const;
};

}  // namespace gainsay
