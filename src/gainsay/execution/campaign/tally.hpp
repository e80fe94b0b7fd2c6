// Tally: what a number of runs amounted to. Tallies of consecutive parts of a campaign merge with +=.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/execution/kernel/coverage.hpp"
#include "gainsay/execution/run/execution.hpp"

namespace gainsay {

struct TalliedViolation {
  std::string key;  // runs with the same key show the same violation
  Violation violation;
  std::uint64_t runs = 0;
  std::uint64_t first_run = 0;
  std::vector<Decision> steps;  // of the first run
};

// A timer that fired again and again until the run was cut.
struct RestlessTimer {
  std::string actor;
  std::string timer;  // the type of its message
  std::uint64_t fired = 0;
};

// Which runs show one and the same finding.
enum class OneFinding : std::uint8_t {
  by_property,  // violation_key
  by_text,      // symptom_key
};

struct Tally {
  RunCounts counts;
  std::vector<TalliedViolation> violations;  // in the order of their first run
  std::vector<std::uint64_t> trace_classes;  // one per run
  std::vector<std::uint64_t> run_classes;    // likewise, under the strategy's own dependence, if it has one
  std::vector<RestlessTimer> restless;       // of the first run that was cut and had any, the busiest first
  std::vector<bool> reached;                 // goals seen so far by the worker that did these runs
  std::vector<bool> notified_monitors;       // likewise
  std::vector<bool> heated_monitors;         // likewise
  bool checked = false;                      // likewise: some handler called Context::check
  Coverage coverage;                         // likewise, of machines
  std::set<std::string> warnings;            // likewise, of what handlers do

  // `steps_max`: the bound of fair runs.
  void add(std::uint64_t run, const RunOutcome& outcome, const Execution& execution, std::size_t steps_max,
           OneFinding one = OneFinding::by_property);
  // What the execution has seen in all its runs so far.
  void note_seen(Execution& execution);
  Tally& operator+=(const Tally& later);

 private:
  TalliedViolation* find(const std::string& key);
};

// Violations with the same key are one finding: by property, and for checks and unhandled messages also by
// their text.
std::string violation_key(const Violation& violation);
// By property and by what the message says, without numbers; what is wrong with a history is always one.
std::string symptom_key(const Blueprint& blueprint, const Violation& violation);

// How many different trace classes were seen, and how many of them once; exact up to `most`, then lower
// bounds.
class DistinctTraces {
 public:
  static constexpr std::size_t most = std::size_t{1} << 24U;

  void add(std::span<const std::uint64_t> classes);
  std::uint64_t count() const { return seen_.size(); }
  std::uint64_t seen_once() const { return once_; }
  bool is_lower_bound() const { return full_; }
  // Names the set: the sum of scramble(class).
  std::uint64_t set_hash() const { return set_hash_; }

 private:
  struct Identity {
    using is_avalanching = void;
    std::size_t operator()(std::uint64_t x) const { return x; }
  };
  boost::unordered_flat_map<std::uint64_t, bool, Identity> seen_;  // whether again
  std::uint64_t once_ = 0;
  std::uint64_t set_hash_ = 0;
  bool full_ = false;
};

}  // namespace gainsay
