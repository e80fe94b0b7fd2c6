// estimate: how many executions a search would make, before it makes them (Knuth, "Estimating the efficiency of
// backtrack programs", 1975).
//
// A probe walks from the beginning to the end of an execution and decides at random, uniformly. An execution is met
// with probability 1 / product of how many alternatives there were at each decision; so that product, the probe's
// weight, has the number of all executions as its mean: the leaves of the tree that `dfs` walks. Divided by the number
// of executions in the probe's class, its mean is the number of classes: every class contributes as many executions
// as divide it. That is what `odpor` makes, and `sdpor` beside its blocked runs. A class has as many executions as its
// order has schedules (family/extensions.hpp), if the relation is such that every schedule is an execution
// (ReferenceRules::swappable; not in simulated time). Both means are unbiased. `dpor` lies between the two numbers;
// nothing better is known of it.
//
// The interval is mean * exp(+-z s / (mean sqrt(n))): symmetric on a logarithmic scale, because weights are skewed. z
// is the 99.5 % quantile of the normal distribution, which would make it a 99 % interval if weights were tame; it is
// called a 95 % one. Where a few probes carry the mean, no interval can be trusted, and a warning says so.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/trace/trace_order.hpp"

namespace gainsay {

struct EstimateOptions {
  std::uint64_t probes = 1000;
  std::uint64_t seed = 1;
  std::size_t steps_max = 10'000;
  Dependent dependent;              // of the classes; null: they are not counted
  std::size_t ideals_max = 20'000;  // prefixes of one class, up to their order, that may be looked at
  std::optional<std::chrono::nanoseconds> time;
  const std::atomic<bool>* stop = nullptr;
};

// Numbers may be larger than a double: their natural logarithms are given.
struct Interval {
  double ln_mean = 0;
  double ln_low = 0;
  double ln_high = 0;
  double relative_error = 0;  // standard error of the mean, as a part of it
  double largest_share = 0;   // of the heaviest probe in the sum

  bool contains(double number) const;
  bool is_rough() const { return relative_error > 0.25 || (relative_error > 0 && largest_share > 0.2); }
};

struct EstimateResult {
  std::uint64_t probes = 0;
  std::uint64_t seed = 0;
  Interval executions;
  std::optional<Interval> classes;
  std::string no_classes_because;  // where they were asked for
  double steps_mean = 0;           // of an execution that a probe meets
  std::uint64_t violated_probes = 0;
  std::uint64_t cut_probes = 0;  // at the step bound: the tree ends there for a search too
  double elapsed_s = 0;
};

// The mean of weights, given by their logarithms. REQUIRES: at least one.
Interval interval_of(std::span<const double> ln_weights);
// "4,200", "1.3e+25".
std::string count_text(double ln_count);

EstimateResult estimate(const Blueprint& blueprint, const EstimateOptions& options);

// How many executions the class of this one has. `violated`: its last step ended it. Nothing: too many to count.
std::optional<long double> executions_of_class(const TraceOrder& order, bool violated,
                                               std::size_t ideals_max);
// Whether a violation ended the execution at its last step, before it came to its end.
bool ended_by_step(const Blueprint& blueprint, const Violation& violation, const TraceOrder& order);

}  // namespace gainsay
