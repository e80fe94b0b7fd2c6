#include "gainsay/explorer/estimate.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "gainsay/execution/run/order_recorder.hpp"
#include "gainsay/explorer/enumerate.hpp"
#include "gainsay/explorer/random_system.test.hpp"
#include "gainsay/explorer/reference_dependence.hpp"
#include "gainsay/strategy/searches/dfs.hpp"

namespace gainsay::estimate_test {
namespace {

struct Hop {
  int left = 0;
};
struct Relay {
  using Receives = Messages<Hop>;
  void on(const Hop& hop, Context& ctx) {
    if (hop.left > 1) ctx.send(ctx.self(*this), Hop{hop.left - 1});
  }
};

Blueprint chains(const std::vector<int>& lengths) {
  World world("chains");
  const Group<Relay> relays = world.group<Relay>("relay", lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) world.send(relays[i], Hop{lengths[i]});
  return world.take();
}

Dependent swappable(const Blueprint& blueprint) {
  ReferenceRules rules = rules_of(blueprint);
  rules.swappable = true;
  return reference_dependence(blueprint, rules);
}

// --- arithmetic ---

TEST(Estimate, IntervalsOfKnownWeights) {
  // 2, 4, 6: mean 4, variance 4, standard error 2/sqrt(3), relative 0.2887.
  const std::vector<double> weights = {std::log(2.0), std::log(4.0), std::log(6.0)};
  const Interval interval = interval_of(weights);
  EXPECT_NEAR(std::exp(interval.ln_mean), 4, 1e-9);
  EXPECT_NEAR(interval.relative_error, 1 / (2 * std::sqrt(3.0)), 1e-9);
  EXPECT_NEAR(interval.largest_share, 0.5, 1e-9);
  EXPECT_NEAR(interval.ln_high, std::log(4.0) + 2.5758 * interval.relative_error, 1e-9);
  EXPECT_TRUE(interval.is_rough());
  EXPECT_TRUE(interval.contains(4));
  EXPECT_FALSE(interval.contains(40));
  const Interval exact = interval_of(std::vector<double>(7, std::log(720.0)));
  EXPECT_TRUE(exact.contains(720));
  EXPECT_FALSE(exact.contains(721));
  EXPECT_FALSE(exact.is_rough());
  // Far beyond a double: nothing overflows.
  const Interval huge = interval_of(std::vector<double>{5000.0, 5000.0});
  EXPECT_NEAR(huge.ln_mean, 5000, 1e-9);
}

TEST(Estimate, CountsAsText) {
  EXPECT_EQ(count_text(std::log(4200.0)), "4,200");
  EXPECT_EQ(count_text(0), "1");
  EXPECT_EQ(count_text(80 * std::log(10.0) + std::log(2.5)), "2.5e+80");
  EXPECT_EQ(count_text(1000 * std::log(10.0)), "1.0e+1000");
}

// --- the mean is right, exactly ---

// An execution is met with probability 1 / weight, so the mean number of classes is the sum of 1 / (executions in its
// class) over all executions: it must be the number of classes, in every kind of world.
TEST(Estimate, ClassesAreUnbiasedOnRandomSystems) {
  constexpr std::uint64_t systems = 200;
  std::uint64_t compared = 0;
  for (std::uint64_t number = 1000; number < 1000 + systems; ++number) {
    const random_system::Features features = random_system::draw(number);
    SCOPED_TRACE(random_system::text(features));
    const Blueprint blueprint = random_system::build(features);
    const Dependent dependent = swappable(blueprint);
    const Enumeration all = enumerate(blueprint, {.dependent = dependent, .configurations_max = 1'500});
    if (!all.complete() || all.executions > 1'000) continue;
    ++compared;
    Execution execution(blueprint, {});
    OrderRecorder recorder(dependent);
    execution.observe(&recorder);
    DfsStrategy dfs;
    std::map<std::uint64_t, long double> executions_of;  // by class
    std::map<std::uint64_t, long double> met;
    while (const auto keep = dfs.begin({})) {
      const RunOutcome outcome = execution.run(dfs, *keep);
      const TraceOrder& order = recorder.order_of(execution);
      const bool violated = outcome.violation && ended_by_step(blueprint, *outcome.violation, order);
      met[order.hash()] += 1;
      if (executions_of.contains(order.hash())) continue;
      const auto size = executions_of_class(order, violated, 100'000);
      ASSERT_TRUE(size.has_value());
      executions_of[order.hash()] = *size;
    }
    for (const auto& [hash, size] : executions_of) ASSERT_EQ(met.at(hash), size);
  }
  EXPECT_GT(compared, systems / 3);
}

// --- the interval holds what it says ---

struct Hits {
  int executions = 0;
  int classes = 0;
};

Hits hits(const Blueprint& blueprint, double executions, double classes, int seeds, std::uint64_t probes) {
  Hits hits;
  for (int seed = 1; seed <= seeds; ++seed) {
    const EstimateResult result = estimate(
        blueprint,
        {.probes = probes, .seed = static_cast<std::uint64_t>(seed), .dependent = swappable(blueprint)});
    EXPECT_EQ(result.probes, probes);
    hits.executions += result.executions.contains(executions) ? 1 : 0;
    hits.classes += result.classes && result.classes->contains(classes) ? 1 : 0;
  }
  return hits;
}

// 10! / (3! 3! 4!) = 4,200 executions of one class. Were every interval right with probability 0.95, 100 seeds would
// give fewer than 88 hits with probability 0.002; were it right with 0.99, as its quantile says, fewer than 95 with
// probability 0.0005.
TEST(Estimate, MultinomialsAreInTheInterval) {
  const Hits tree = hits(chains({3, 3, 4}), 4200, 1, 100, 200);
  EXPECT_GE(tree.executions, 95);
  EXPECT_GE(tree.classes, 95);
  const Hits other = hits(chains({2, 2, 2, 2}), 2520, 1, 100, 200);
  EXPECT_GE(other.executions, 95);
  EXPECT_GE(other.classes, 95);
}

// The same on random systems, each with 20 seeds: of all intervals together at least 95 in 100. Systems with a rough
// interval say so and are left out; most are not.
TEST(Estimate, RandomSystemsAreInTheInterval) {
  int intervals = 0;
  int right = 0;
  int rough = 0;
  for (std::uint64_t number = 2000; number < 2050; ++number) {
    const random_system::Features features = random_system::draw(number);
    const Blueprint blueprint = random_system::build(features);
    const Dependent dependent = swappable(blueprint);
    const Enumeration all = enumerate(blueprint, {.dependent = dependent, .configurations_max = 1'000});
    if (!all.complete()) continue;
    const auto classes = static_cast<double>(all.classes.size() + all.violated_classes.size());
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const EstimateResult result =
          estimate(blueprint, {.probes = 300, .seed = seed, .dependent = dependent});
      ASSERT_TRUE(result.classes.has_value()) << result.no_classes_because;
      for (const auto& [interval, truth] : {std::pair{result.executions, static_cast<double>(all.executions)},
                                            std::pair{*result.classes, classes}}) {
        rough += interval.is_rough() ? 1 : 0;
        if (interval.is_rough()) continue;
        ++intervals;
        right += interval.contains(truth) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(intervals, 500);
  EXPECT_LT(rough, intervals / 10);
  EXPECT_GE(right * 100, intervals * 95);
}

// --- limits ---

TEST(Estimate, SaysWhatItCannotCount) {
  const Blueprint wide = chains(std::vector<int>(20, 1));  // one class with 2^20 prefixes
  const EstimateResult result = estimate(wide, {.probes = 10, .dependent = same_receiver});
  EXPECT_FALSE(result.classes.has_value());
  EXPECT_NE(result.no_classes_because.find("20000 prefixes"), std::string::npos) << result.no_classes_because;
  double factorial = 1;
  for (int i = 2; i <= 20; ++i) factorial *= i;
  EXPECT_TRUE(result.executions.contains(factorial));  // every probe says so
  EXPECT_EQ(result.executions.relative_error, 0);
  EXPECT_THROW(estimate(wide, {.probes = 0}), UserError);
  EXPECT_EQ(estimate(wide, {.probes = 5, .steps_max = 3}).cut_probes, 5U);
  World world("timed");
  world.simulated_time();
  world.send(world.spawn<Relay>("relay"), Hop{1});
  const EstimateResult timed = estimate(world.take(), {.probes = 3, .dependent = same_receiver});
  EXPECT_FALSE(timed.classes.has_value());
  EXPECT_FALSE(timed.no_classes_because.empty());
}

TEST(Estimate, IsDeterministic) {
  const Blueprint blueprint = chains({3, 3, 4});
  const auto one = estimate(blueprint, {.probes = 50, .seed = 7});
  const auto two = estimate(blueprint, {.probes = 50, .seed = 7});
  const auto three = estimate(blueprint, {.probes = 50, .seed = 8});
  EXPECT_EQ(one.executions.ln_mean, two.executions.ln_mean);
  EXPECT_NE(one.executions.ln_mean, three.executions.ln_mean);
  EXPECT_FALSE(one.classes.has_value());
}

}  // namespace
}  // namespace gainsay::estimate_test
