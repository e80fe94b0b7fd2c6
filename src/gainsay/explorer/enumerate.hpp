// enumerate: every execution of a scenario, counted without any reduction: the judge of searches that leave some out.
//
// It shares no code with the search strategies. `configurations` walks breadth first over prefixes of executions, of
// which those are merged that are of one class (trace/trace_order.hpp), lead to the same world, event ids included,
// and have the same history of clients; a number beside each says how many prefixes it stands for. What is merged has
// the same future whatever the relation is, so counts, classes and end states are those of a plain enumeration.
// `executions` is that plain enumeration: one execution after the other, each from the beginning. Worlds with opaque
// actors, which cannot be copied, have only that one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gainsay/base/budget.hpp"
#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/trace/trace_order.hpp"

namespace gainsay {

struct EnumerateOptions {
  enum class By : std::uint8_t { configurations, executions };

  By by = By::configurations;
  Dependent dependent = same_receiver;
  std::size_t steps_max = 10'000;
  std::optional<std::uint64_t> configurations_max;  // of executions, where they are enumerated one by one
  std::optional<std::chrono::nanoseconds> time;
  bool examples = false;                    // keep an execution of every class
  const std::atomic<bool>* stop = nullptr;  // set from outside: end soon
};

struct Enumeration {
  std::uint64_t executions = 0;
  bool executions_are_more = false;  // than fit into 64 bits
  std::uint64_t cut_executions = 0;  // at the step bound
  std::uint64_t violated_executions = 0;
  bool unjudged = false;                     // of some execution, what clients saw was too much to be judged
  std::uint64_t configurations = 0;          // prefixes that were looked at
  std::set<std::uint64_t> classes;           // TraceOrder::hash of executions that ended with no complaint
  std::set<std::uint64_t> violated_classes;  // of those that a violation ended
  // RunOutcome::trace_class of executions with no complaint. REQUIRES: `dependent` separates what same_receiver does.
  std::set<std::uint64_t> trace_classes;
  std::set<std::uint64_t>
      final_states;  // fingerprints of worlds where executions ended with no complaint; untimed only
  std::set<std::uint64_t> histories;  // what clients saw, in its order; where the scenario judges that
  std::set<std::uint64_t>
      precedence_classes;  // what clients saw, and which operation ended before which began
  std::map<std::string, std::uint64_t> violations;          // executions by violation_key
  std::map<std::uint64_t, std::vector<Decision>> examples;  // by class, also of violated ones
  StopReason stopped = StopReason::none;  // the limit that ended it; `steps`: that of configurations

  bool complete() const { return stopped == StopReason::none && cut_executions == 0 && !unjudged; }
  // By the name of the option: "", "--steps", "--max-configurations", "--time", "interrupted"; or "a history that could
  // not be judged".
  std::string incomplete_because() const;
};

Enumeration enumerate(const Blueprint& blueprint, const EnumerateOptions& options = {});

}  // namespace gainsay
