#include "gainsay/explorer/estimate.hpp"

#include <algorithm>
#include <cmath>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "gainsay/base/budget.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/execution/run/order_recorder.hpp"
#include "gainsay/family/extensions.hpp"

namespace gainsay {
namespace {

constexpr double z = 2.5758;  // the 99.5 % quantile

class Probe final : public Strategy {
 public:
  explicit Probe(std::uint64_t seed) : seed_(seed), rng_(seed) {}

  std::optional<Keep> begin(const RunInfo& run) override {
    rng_ = Rng(seed_, run.index);
    ln_weight_ = 0;
    return Keep{};
  }
  std::size_t choose(const ChoicePoint& point) override {
    ln_weight_ += std::log(static_cast<double>(point.size()));
    return rng_.below(point.size());
  }
  double ln_weight() const { return ln_weight_; }

 private:
  std::uint64_t seed_;
  Rng rng_;
  double ln_weight_ = 0;
};

// How many executions the classes of probes have; each class is counted once.
class ClassSizes {
 public:
  ClassSizes(const Blueprint& blueprint, const EstimateOptions& options)
      : blueprint_(blueprint), options_(options) {}

  // Its natural logarithm; nothing: too many to count.
  std::optional<double> ln_size(const TraceOrder& order, const std::optional<Violation>& violation) {
    const bool violated = violation && ended_by_step(blueprint_, *violation, order);
    const auto [known, fresh] = known_.try_emplace(mix(order.hash(), violated ? 1 : 2), 0.0);
    if (fresh) {
      const auto size = executions_of_class(order, violated, options_.ideals_max);
      if (!size) return std::nullopt;
      known->second = static_cast<double>(std::log(*size));
    }
    return known->second;
  }

 private:
  const Blueprint& blueprint_;
  const EstimateOptions& options_;
  boost::unordered_flat_map<std::uint64_t, double> known_;
};

}  // namespace

bool Interval::contains(double number) const {
  // Sums of logarithms are not exact; what they stand for is a whole number.
  const double ln = std::log(number);
  constexpr double slack = 1e-9;
  return ln_low - slack <= ln && ln <= ln_high + slack;
}

Interval interval_of(std::span<const double> ln_weights) {
  const double largest = *std::max_element(ln_weights.begin(), ln_weights.end());
  const auto n = static_cast<double>(ln_weights.size());
  double sum = 0;
  for (const double each : ln_weights) sum += std::exp(each - largest);
  const double mean = sum / n;
  double squares = 0;
  for (const double each : ln_weights) squares += std::pow(std::exp(each - largest) - mean, 2);
  Interval interval;
  interval.ln_mean = largest + std::log(mean);
  interval.largest_share = 1 / sum;
  interval.relative_error = n < 2 ? 1 : std::sqrt(squares / (n - 1) / n) / mean;
  if (interval.relative_error < 1e-9) interval.relative_error = 0;  // all alike, up to rounding
  interval.ln_low = std::max(0.0, interval.ln_mean - z * interval.relative_error);
  interval.ln_high = interval.ln_mean + z * interval.relative_error;
  return interval;
}

std::string count_text(double ln_count) {
  const double log10 = ln_count / std::log(10.0);
  if (log10 < 15) return with_commas(static_cast<std::uint64_t>(std::llround(std::exp(ln_count))));
  double exponent = std::floor(log10);
  double digits = std::round(std::pow(10.0, log10 - exponent) * 10) / 10;
  if (digits >= 10) {
    digits = 1;
    ++exponent;
  }
  return fmt::format("{:.1f}e+{:.0f}", digits, exponent);
}

bool ended_by_step(const Blueprint& blueprint, const Violation& violation, const TraceOrder& order) {
  if (order.size() == 0) return false;
  if (order.events().back()->violated || violation.kind() == ViolationKind::exception) return true;
  return std::any_of(blueprint.properties.begin(), blueprint.properties.end(), [&](const Property& property) {
    return property.kind == Property::Kind::always && property.name == violation.property;
  });
}

std::optional<long double> executions_of_class(const TraceOrder& order, bool violated,
                                               std::size_t ideals_max) {
  std::vector<std::vector<std::uint64_t>> pasts = order.pasts();
  if (violated && !pasts.empty()) pasts.pop_back();
  if (pasts.size() > family::Poset::size_max) return std::nullopt;
  std::vector<family::Relation> relations;
  for (family::Element later = 0; later < pasts.size(); ++later) {
    for (family::Element earlier = 0; earlier < later; ++earlier) {
      if ((pasts[later][earlier / 64] >> (earlier % 64) & 1U) != 0) relations.push_back({earlier, later});
    }
  }
  return family::count_schedules(family::Poset(pasts.size(), relations), ideals_max);
}

EstimateResult estimate(const Blueprint& blueprint, const EstimateOptions& options) {
  if (options.probes == 0) throw UserError("an estimate needs at least one probe");
  const Budget budget(options.time);
  EstimateResult result;
  result.seed = options.seed;
  ExecutionOptions how;
  how.steps_max = options.steps_max;
  how.stop = options.stop;
  Execution execution(blueprint, how);
  OrderRecorder recorder(options.dependent);
  ClassSizes sizes(blueprint, options);
  bool counts_classes = options.dependent != nullptr;
  if (counts_classes && blueprint.timed) {
    counts_classes = false;
    result.no_classes_because = "in simulated time not every order of independent events is an execution";
  }
  if (counts_classes && traits_of(blueprint).queues) {
    counts_classes = false;
    result.no_classes_because = "under queue order not every order of independent events is an execution";
  }
  if (counts_classes) execution.observe(&recorder);
  Probe probe(options.seed);
  std::vector<double> executions;
  std::vector<double> classes;
  double steps = 0;
  for (std::uint64_t index = 0; index < options.probes; ++index) {
    if (index > 0 && budget.is_over()) break;
    const auto keep = probe.begin({index, options.seed, options.steps_max});
    const RunOutcome outcome = execution.run(probe, *keep);
    if (outcome.ending == Ending::interrupted) break;
    ++result.probes;
    steps += static_cast<double>(outcome.steps);
    result.violated_probes += outcome.violation ? 1 : 0;
    result.cut_probes += outcome.ending == Ending::step_bound || outcome.cut ? 1 : 0;
    executions.push_back(probe.ln_weight());
    if (!counts_classes) continue;
    if (const auto ln_size = sizes.ln_size(recorder.order_of(execution), outcome.violation)) {
      classes.push_back(probe.ln_weight() - *ln_size);
    } else {
      counts_classes = false;
      result.no_classes_because =
          fmt::format("a class has more than {} prefixes up to their order; its executions were not counted",
                      options.ideals_max);
      execution.observe(nullptr);
    }
  }
  if (result.probes > 0) {
    result.executions = interval_of(executions);
    if (counts_classes) result.classes = interval_of(classes);
    result.steps_mean = steps / static_cast<double>(result.probes);
  }
  result.elapsed_s = budget.elapsed_s();
  return result;
}

}  // namespace gainsay
