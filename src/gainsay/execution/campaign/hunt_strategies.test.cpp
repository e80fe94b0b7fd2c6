// Hunts under the strategies that learn, promise and combine: rounds, scouts, bounds, fair suffixes, swarms.
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/campaign/tally.hpp"

namespace gainsay::hunt_strategies_test {
namespace {

struct Hop {
  std::uint32_t left = 0;
  std::uint32_t chain = 0;
};
struct Arrived {
  std::uint32_t chain = 0;
};

struct Receiver {
  using Receives = Messages<Arrived>;
  std::vector<std::uint32_t> order{};
  std::vector<std::uint32_t> wrong{};  // the order that is a bug
  void on(const Arrived& arrived, Context& ctx) {
    order.push_back(arrived.chain);
    ctx.check(wrong.empty() || order != wrong, "a bad order of arrival");
  }
};

struct Relay {
  using Receives = Messages<Hop>;
  Ref<Receiver> receiver{};
  void on(const Hop& hop, Context& ctx) {
    if (hop.left == 0) {
      ctx.send(receiver, Arrived{hop.chain});
    } else {
      ctx.send(ctx.self(*this), Hop{hop.left - 1, hop.chain});
    }
  }
};

// Chains of hops that end at one receiver.
Scenario chains(const std::vector<std::uint32_t>& hops, const std::vector<std::uint32_t>& wrong = {},
                Delivery order = Delivery::unordered) {
  return Scenario::of("chains", [hops, wrong, order](World& world) {
    world.order(order);
    const auto receiver = world.spawn("receiver", Receiver{.wrong = wrong});
    for (std::uint32_t i = 0; i < hops.size(); ++i) {
      const auto relay = world.spawn("relay" + std::to_string(i), Relay{.receiver = receiver});
      world.send(relay, Hop{hops[i] - 1, i});
    }
  });
}

const std::vector<std::pair<std::string, OptionTexts>> all_random = {
    {"random", {}},
    {"random", {{"over", "chains"}}},
    {"pct", {}},
    {"pctcp", {}},
    {"pctcp", {{"depth", "3"}}},
    {"pctcp", {{"order", "happened_before"}}},
    {"pos", {}},
    {"surw", {}},
    {"delay", {{"randomised", "true"}, {"delays", "9"}}},
    {"portfolio", {}},
    {"qlearning", {}},
    {"portfolio", {{"members", "qlearning; pctcp"}}}};

TEST(HuntStrategies, TheResultDoesNotDependOnJobs) {
  for (const auto& [name, texts] : all_random) {
    for (const bool keep_going : {false, true}) {
      SCOPED_TRACE(testing::Message() << name << ", keep going " << keep_going);
      HuntOptions options{.strategy = name, .strategy_options = texts, .runs = 700, .seed = 5};
      options.keep_going = keep_going;
      const Scenario scenario = chains({1, 4, 6}, {2, 1, 0});
      const HuntResult one = hunt(scenario, {}, options);
      EXPECT_GT(one.runs, 0U);
      if (keep_going) {
        EXPECT_EQ(one.runs, 700U);
      }
      for (const unsigned jobs : {2U, 3U}) {
        options.jobs = jobs;
        const HuntResult many = hunt(scenario, {}, options);
        EXPECT_EQ(one.runs, many.runs);
        EXPECT_EQ(one.buggy_runs, many.buggy_runs);
        EXPECT_EQ(one.first_bug_run, many.first_bug_run);
        EXPECT_EQ(one.steps, many.steps);
        EXPECT_EQ(one.distinct_traces, many.distinct_traces);
        EXPECT_EQ(one.traces_seen_once, many.traces_seen_once);
        EXPECT_EQ(one.guarantee.statement, many.guarantee.statement);
        EXPECT_EQ(one.guarantee.runs, many.guarantee.runs);
        EXPECT_EQ(one.guarantee.voids, many.guarantee.voids);
        EXPECT_EQ(one.shares, many.shares);
      }
    }
  }
}

TEST(HuntStrategies, SaysWhatCleanRunsOfPctcpMean) {
  const HuntResult result = hunt(chains({2, 2}), {}, {.strategy = "pctcp", .depth = 2, .runs = 100});
  // Two chains, 2 * 3 events: 1/(2 * 6). 1 - (11/12)^100 = 0.99983; 35 runs make 95 %, 53 make 99 %.
  ASSERT_TRUE(result.guarantee.per_run);
  EXPECT_DOUBLE_EQ(*result.guarantee.per_run, 1.0 / 12);
  EXPECT_EQ(result.guarantee.runs, 100U);
  EXPECT_NEAR(result.guarantee.confidence, 0.99983, 1e-5);
  EXPECT_EQ(result.guarantee.runs_for_95, 35U);
  EXPECT_EQ(result.guarantee.runs_for_99, 53U);
}

TEST(HuntStrategies, PctHasABoundUnderMailboxOrderOnly) {
  const auto bound = [](Delivery order) {
    return hunt(chains({2, 2}, {}, order), {}, {.strategy = "pct", .runs = 50}).guarantee.per_run;
  };
  EXPECT_FALSE(bound(Delivery::unordered));
  EXPECT_FALSE(bound(Delivery::fifo));
  ASSERT_TRUE(bound(Delivery::mailbox));
  EXPECT_DOUBLE_EQ(*bound(Delivery::mailbox), 1.0 / (3 * 6));  // receiver and two relays, six steps
}

TEST(HuntStrategies, AnNThatIsTooSmallIsSaid) {
  const HuntResult result = hunt(
      chains({2, 2}), {}, {.strategy = "pctcp", .strategy_options = {{"n", "3"}}, .depth = 2, .runs = 10});
  EXPECT_FALSE(result.guarantee.per_run);
  ASSERT_EQ(result.guarantee.voids.size(), 1U);
  EXPECT_NE(result.guarantee.voids[0].find("had more than n=3 events (the longest had 6)"),
            std::string::npos);
}

TEST(HuntStrategies, AFairSuffixIsFairAndVoidsTheBound) {
  const HuntResult cut = hunt(chains({5, 5}), {}, {.strategy = "pctcp", .fair_after = 4, .runs = 40});
  EXPECT_FALSE(cut.guarantee.per_run);
  ASSERT_FALSE(cut.guarantee.voids.empty());
  EXPECT_NE(cut.guarantee.voids.back().find("40 of 40 runs do not count: they ended with a fair suffix"),
            std::string::npos);
  const HuntResult whole = hunt(chains({5, 5}), {}, {.strategy = "pctcp", .fair_after = 500, .runs = 40});
  EXPECT_TRUE(whole.guarantee.per_run);
}

TEST(HuntStrategies, SearchesTakeNoSuffixAndNoSwarm) {
  for (const char* name : {"dfs", "delay"}) {
    EXPECT_THROW(hunt(chains({1}), {}, {.strategy = name, .fair_after = 4}), UserError);
    EXPECT_THROW(hunt(chains({1}), {}, {.strategy = name, .swarm = true}), UserError);
  }
}

TEST(HuntStrategies, ADepthThatMeansNothingIsWarnedAbout) {
  const HuntResult result = hunt(chains({1}), {}, {.strategy = "pos", .depth = 3, .runs = 3});
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_EQ(result.warnings[0], "strategy 'pos' has no depth: --depth has no effect");
  EXPECT_THROW(hunt(chains({1}), {},
                    {.strategy = "pctcp", .strategy_options = {{"depth", "2"}}, .depth = 3, .runs = 3}),
               UserError);
  EXPECT_THROW(hunt(chains({1}), {}, {.strategy = "pctcp", .depth = 0, .runs = 3}), UserError);
}

TEST(HuntStrategies, DelaysBoundASearch) {
  // Two events at once at two steps... all executions of chains of 2 and 1 hops, by their delays: the oldest
  // first costs nothing.
  const HuntResult all = hunt(chains({2, 1}), {}, {.strategy = "dfs", .keep_going = true});
  std::uint64_t before = 0;
  for (const std::uint64_t delays : {0U, 1U, 2U, 100U}) {
    const HuntResult some = hunt(
        chains({2, 1}), {},
        {.strategy = "delay", .strategy_options = {{"delays", std::to_string(delays)}}, .keep_going = true});
    EXPECT_TRUE(some.complete);
    EXPECT_TRUE(some.search);
    EXPECT_GT(some.runs, before);
    before = delays < 2 ? some.runs : 0;
    if (delays == 0) {
      EXPECT_EQ(some.runs, 1U);
    }
    if (delays == 100) {
      EXPECT_EQ(some.runs, all.runs);
    }
    EXPECT_NE(some.guarantee.within, "");
  }
}

TEST(HuntStrategies, APortfolioSaysWhoFoundIt) {
  const HuntResult result =
      hunt(chains({1, 4, 6}, {2, 1, 0}), {}, {.strategy = "portfolio", .runs = 800, .keep_going = true});
  ASSERT_EQ(result.shares.size(), 8U);
  std::uint64_t runs = 0;
  std::uint64_t buggy = 0;
  for (const StrategyShare& share : result.shares) {
    EXPECT_EQ(share.runs, 100U);
    runs += share.runs;
    buggy += share.buggy_runs;
  }
  EXPECT_EQ(runs, result.runs);
  EXPECT_EQ(buggy, result.buggy_runs);
  EXPECT_GT(buggy, 0U);
}

TEST(HuntStrategies, SwarmIsDeterministicToo) {
  HuntOptions options{.strategy = "portfolio", .swarm = true, .runs = 300, .keep_going = true};
  const HuntResult one = hunt(chains({1, 4, 6}, {2, 1, 0}), {}, options);
  options.jobs = 3;
  const HuntResult many = hunt(chains({1, 4, 6}, {2, 1, 0}), {}, options);
  EXPECT_EQ(one.buggy_runs, many.buggy_runs);
  EXPECT_EQ(one.distinct_traces, many.distinct_traces);
}

// --- Good and Turing ---

TEST(DistinctTraces, CountsWhatWasSeenOnce) {
  DistinctTraces traces;
  const std::vector<std::uint64_t> first = {1, 2, 3, 2};
  const std::vector<std::uint64_t> second = {3, 4, 3, 2};
  traces.add(first);
  EXPECT_EQ(traces.seen_once(), 2U);
  traces.add(second);
  EXPECT_EQ(traces.count(), 4U);
  EXPECT_EQ(traces.seen_once(), 2U);  // 1 and 4
}

TEST(HuntStrategies, EstimatesHowMuchIsUnseen) {
  // 3! orders of arrival: after 2,000 runs none is new. Eight messages, 8! orders: nearly all are.
  const HuntResult few = hunt(chains({1, 1, 1}), {}, {.strategy = "random", .runs = 2'000});
  EXPECT_EQ(few.traces_seen_once, 0U);
  EXPECT_EQ(few.unseen_probability(), 0.0);
  const HuntResult many = hunt(chains({1, 1, 1, 1, 1, 1, 1, 1}), {}, {.strategy = "random", .runs = 2'000});
  EXPECT_GT(many.unseen_probability().value(), 0.9);
  EXPECT_FALSE(hunt(chains({1}), {}, {.strategy = "dfs"}).unseen_probability());
}

}  // namespace
}  // namespace gainsay::hunt_strategies_test
