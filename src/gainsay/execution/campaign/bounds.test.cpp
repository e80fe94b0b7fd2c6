// Bounds that are printed, against what is measured: small worlds in which they are tight, or nearly so.
//
// Each world is run 100,000 times. The share of runs that hit the bug must not be significantly below the bound (four
// standard deviations: wrong once in 30,000 worlds), and where the comment says tight, not above twice the bound. The
// arithmetic stands above each world; c is the number of chains, n that of events.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/scenario/world.hpp"
#include "gainsay/strategy/walks/change_points.hpp"

namespace gainsay::bounds_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr std::uint64_t many = 100'000;

struct Measured {
  double share = 0;
  HuntResult result;
};

using Watch = std::function<void(const Execution&, const RunOutcome&)>;

Measured measure(const Scenario& scenario, const std::string& strategy, std::uint64_t depth, Watch watch = {},
                 std::uint64_t runs = many) {
  HuntOptions options;
  options.strategy = strategy;
  options.depth = depth;
  options.runs = runs;
  options.keep_going = true;
  options.watch = std::move(watch);
  Measured measured;
  measured.result = hunt(scenario, {}, options);
  measured.share = static_cast<double>(measured.result.buggy_runs) / static_cast<double>(runs);
  return measured;
}

double deviation(double p, double runs = static_cast<double>(many)) { return std::sqrt(p * (1 - p) / runs); }

// `bound` is what the arithmetic says the printed bound is.
void expect_bound(const Measured& measured, double bound) {
  const Guarantee& guarantee = measured.result.guarantee;
  ASSERT_TRUE(guarantee.per_run) << guarantee.statement;
  EXPECT_NEAR(*guarantee.per_run, bound, bound * 1e-9) << guarantee.statement;
  EXPECT_GE(measured.share, bound - 4 * deviation(bound)) << guarantee.statement;
}
void expect_tight(const Measured& measured, double bound) {
  expect_bound(measured, bound);
  EXPECT_LE(measured.share, 2 * bound + 4 * deviation(bound)) << measured.result.guarantee.statement;
}

struct Hop {
  int left = 0;
};
struct Knock {
  int number = 0;
};
struct Alarm {};
struct Went {
  int what = 0;
};

// Sees an order of things; complains when it is the wanted one.
struct Order {
  using Observes = Messages<Went>;
  std::vector<int> bad;
  std::vector<int> seen;
  void on(const Went& went, MonitorContext& m) {
    seen.push_back(went.what);
    m.check(seen != bad, "the bad order");
  }
};

struct Walker {
  using Receives = Messages<Hop, Knock>;
  int hops = 0;
  void on(const Hop& hop, Context& ctx) {
    ctx.notify<Order>(Went{hops++});
    if (hop.left > 0) ctx.send(ctx.self(*this), Hop{hop.left - 1});
  }
  void on(const Knock& knock, Context& ctx) { ctx.notify<Order>(Went{100 + knock.number}); }
};

// A walk of five hops and a knock that must come after the third: 0 1 2 100.
Scenario knock_in_a_walk(Delivery order, bool apart) {
  return Scenario::of("knock", [=](World& world) {
    world.monitor<Order>("order", Order{{0, 1, 2, 100}, {}});
    const auto walker = world.spawn<Walker>("walker");
    const auto other = apart ? world.spawn<Walker>("other") : walker;
    world.order(order);
    world.send(walker, Hop{4});
    world.send(other, Knock{});
  });
}

// depth 1: one of k messages must come last: its chain is the lowest of c = k. Tight: P = 1/4.
TEST(Bounds, PctcpOneEventLast) {
  const Scenario scenario = Scenario::of("last", [](World& world) {
    world.monitor<Order>("order", Order{{}, {}});
    const auto walker = world.spawn<Walker>("walker");
    for (int i = 0; i < 4; ++i) world.send(walker, Knock{i});
  });
  std::uint64_t last = 0;
  const Measured measured = measure(scenario, "pctcp", 1, [&](const Execution& execution, const RunOutcome&) {
    const StepRecord& record = execution.records().back();
    last += record.id == outside_event_id(EventKind::deliver, ActorId{1}, 0) ? 1 : 0;
  });
  ASSERT_TRUE(measured.result.guarantee.per_run);
  EXPECT_DOUBLE_EQ(*measured.result.guarantee.per_run, 0.25);
  EXPECT_NEAR(static_cast<double>(last) / many, 0.25, 4 * deviation(0.25));
}

// c = 2, n = 6: the walk is above the knock (1/2), and falls below it at its fourth hop (1/6): P = 1/12, tight.
TEST(Bounds, PctcpAKnockInAWalk) {
  const Scenario scenario = knock_in_a_walk(Delivery::unordered, false);
  expect_tight(measure(scenario, "pctcp", 2), 1.0 / 12);
}

// The same for actors under mailbox order: two actors, n = 6.
TEST(Bounds, PctAKnockBesideAWalk) {
  const Scenario scenario = knock_in_a_walk(Delivery::mailbox, true);
  expect_tight(measure(scenario, "pct", 2), 1.0 / 12);
}

struct Sender {
  using Receives = Messages<Knock>;
  Ref<Walker> one;
  Ref<Walker> other;
  void on(const Knock&, Context& ctx) {
    ctx.send(one, Knock{0});
    ctx.send(one, Knock{1});
    ctx.send(other, Knock{2});
    ctx.send(other, Knock{3});
  }
};

// Two fifo links: c = 2 and not 4, n = 5. The first link is above the second, and falls before its second message:
// P = 1/2 * 1/5 = 0.1, tight.
TEST(Bounds, PctcpCountsLinksThatKeepAnOrder) {
  for (const Delivery order : {Delivery::fifo, Delivery::causal, Delivery::mailbox}) {
    const Scenario scenario = Scenario::of("links", [order](World& world) {
      world.monitor<Order>("order", Order{{100, 102, 103, 101}, {}});
      const auto walkers = world.group<Walker>("walker", 2);
      const auto sender = world.spawn<Sender>("sender", Sender{walkers[0], walkers[1]});
      world.order(order);
      world.send(sender, Knock{});
    });
    const Measured measured = measure(scenario, "pctcp", 2);
    EXPECT_THAT(measured.result.guarantee.inputs,
                Contains(std::pair<std::string, std::uint64_t>("chains", 2)));
    expect_tight(measured, 0.1);
  }
}

// Messages of the outside to one receiver keep their order, too: c = 2 for two receivers with three each, n = 6. The
// first goes below the second at its second message: P = 1/2 * 1/6.
TEST(Bounds, PctcpCountsOrdersOfTheOutside) {
  const Scenario scenario = Scenario::of("outside", [](World& world) {
    world.monitor<Order>("order", Order{{100, 110, 111, 112, 101}, {}});
    const auto walkers = world.group<Walker>("walker", 2);
    world.order(Delivery::fifo);
    for (int i = 0; i < 3; ++i) {
      world.send(walkers[0], Knock{i});
      world.send(walkers[1], Knock{10 + i});
    }
  });
  expect_tight(measure(scenario, "pctcp", 2), 1.0 / 12);
}

struct Waiter {
  using Receives = Messages<Knock, Alarm>;
  void on_start(Context& ctx) { ctx.after(Duration(1), Alarm{}); }
  void on(const Knock& knock, Context& ctx) { ctx.notify<Order>(Went{knock.number}); }
  void on(const Alarm&, Context& ctx) { ctx.notify<Order>(Went{50}); }
};

// The start's chain goes on with the timer. The knock is above it, and the timer comes last: c = 2 (start and timer;
// knock), P = 1/2.
TEST(Bounds, PctcpATimerLast) {
  const Scenario scenario = Scenario::of("timer", [](World& world) {
    world.monitor<Order>("order", Order{{1, 50}, {}});
    const auto waiter = world.spawn<Waiter>("waiter");
    world.send(waiter, Knock{1});
  });
  const Measured measured = measure(scenario, "pctcp", 1);
  ASSERT_TRUE(measured.result.guarantee.per_run);
  expect_tight(measured, 0.5);
}

struct Parent {
  using Receives = Messages<Knock>;
  void on(const Knock& knock, Context& ctx) {
    ctx.notify<Order>(Went{knock.number});
    if (knock.number != 0) return;
    const auto child = ctx.spawn("child", Walker{});
    ctx.send(child, Knock{7});
  }
};

// The spawning message goes on in its chain to the child's. The other is above it: 9 0 107, P = 1/2; c = 2.
TEST(Bounds, PctcpASpawnedActorLast) {
  const Scenario scenario = Scenario::of("spawn", [](World& world) {
    world.monitor<Order>("order", Order{{9, 0, 107}, {}});
    const auto parent = world.spawn<Parent>("parent");
    world.send(parent, Knock{0});
    world.send(parent, Knock{9});
  });
  expect_tight(measure(scenario, "pctcp", 1), 0.5);
}

// The same for actors: the start and the timer are one actor's, the knock another's. P = 1/2, tight.
TEST(Bounds, PctATimerLast) {
  const Scenario scenario = Scenario::of("timer", [](World& world) {
    world.monitor<Order>("order", Order{{101, 50}, {}});
    world.spawn<Waiter>("waiter");
    world.order(Delivery::mailbox);
    world.send(world.spawn<Walker>("walker"), Knock{1});
  });
  expect_tight(measure(scenario, "pct", 1), 0.5);
}

// A spawned actor and its parent are above the other: 1 0 107 105, and 1 before 0 follows from the mailbox. c = 3,
// P = 1/3, tight.
TEST(Bounds, PctASpawnedActorLast) {
  const Scenario scenario = Scenario::of("spawn", [](World& world) {
    world.monitor<Order>("order", Order{{1, 0, 107, 105}, {}});
    const auto parent = world.spawn<Parent>("parent");
    world.order(Delivery::mailbox);
    world.send(parent, Knock{1});
    world.send(parent, Knock{0});
    world.send(world.spawn<Walker>("walker"), Knock{5});
  });
  expect_tight(measure(scenario, "pct", 1), 1.0 / 3);
}

struct Chooser {
  using Receives = Messages<Knock>;
  void on(const Knock& knock, Context& ctx) {
    if (knock.number == 0) ctx.notify<Order>(Went{static_cast<int>(ctx.choose(4))});
  }
};

// The bound is about bugs that need no answer, and says so; one that needs one of four has a quarter of it.
TEST(Bounds, ADataChoiceIsACondition) {
  const Scenario scenario = Scenario::of("choice", [](World& world) {
    world.monitor<Order>("order", Order{{3}, {}});
    world.order(Delivery::mailbox);
    world.send(world.spawn<Chooser>("chooser"), Knock{0});
  });
  for (const char* strategy : {"pct", "pctcp"}) {
    const Measured measured = measure(scenario, strategy, 1);
    const Guarantee& guarantee = measured.result.guarantee;
    EXPECT_THAT(guarantee.assumptions, Contains(std::string(assumes_no_answers()))) << strategy;
    EXPECT_DOUBLE_EQ(*guarantee.per_run, 1.0);
    EXPECT_NEAR(measured.share * 4, *guarantee.per_run, 16 * deviation(0.25)) << strategy;
  }
}

// Ten hops, each of which may be dropped: c = 1, and nothing is drawn at ten steps: P = (15/16)^10, tight.
TEST(Bounds, FaultsThatAreDrawnAreInTheBound) {
  const Scenario scenario = Scenario::of("drops", [](World& world) {
    world.monitor<Order>("order", Order{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {}});
    world.order(Delivery::mailbox);
    world.send(world.spawn<Walker>("walker"), Hop{9});
    world.faults().drop(1);
  });
  for (const char* strategy : {"pct", "pctcp"}) {
    const Measured measured = measure(scenario, strategy, 1);
    EXPECT_THAT(measured.result.guarantee.statement, HasSubstr("0.9375^10 (no fault is drawn)"));
    EXPECT_THAT(measured.result.guarantee.assumptions, Contains(std::string(assumes_no_drawn_faults())));
    expect_tight(measured, std::pow(15.0 / 16, 10));
  }
}

// A cut can be drawn where nothing else is left, so what shows at the end needs the run to stop there (1/2).
TEST(Bounds, AFaultThatMayComeLastHalvesTheBound) {
  const Scenario scenario = Scenario::of("cut", [](World& world) {
    world.monitor<Order>("order", Order{{-1}, {}});
    const auto walkers = world.group<Walker>("walker", 2);
    world.send(walkers[0], Hop{1});
    world.faults().partition("cut", {{walkers[0]}, {walkers[1]}}, 0, false);
    world.faults().partitions(1);
  });
  // Every run ends; those that were never cut are what the bound is about.
  std::uint64_t uncut = 0;
  const Measured measured = measure(scenario, "pctcp", 1, [&](const Execution& execution, const RunOutcome&) {
    const auto& records = execution.records();
    uncut += std::none_of(records.begin(), records.end(),
                          [](const StepRecord& record) { return record.kind == EventKind::partition; })
                 ? 1
                 : 0;
  });
  // Two steps of the walk, and one more in runs that were cut: where they could be healed.
  const double bound = std::pow(15.0 / 16, 3) / 2;
  const double uncut_share = std::pow(15.0 / 16, 2) / 2;
  ASSERT_TRUE(measured.result.guarantee.per_run);
  EXPECT_NEAR(*measured.result.guarantee.per_run, bound, 1e-9) << measured.result.guarantee.statement;
  EXPECT_NEAR(static_cast<double>(uncut) / many, uncut_share, 4 * deviation(uncut_share));
}

// Two crashes that share a budget of one, and a knock: c = 3. That crash 0 comes last takes all three in one order,
// 1/6, and not 1/3. The bound is under the condition that no other crash comes, which has probability 1/2.
TEST(Bounds, CrashesThatShareABudgetAreACondition) {
  const Scenario scenario = Scenario::of("crash", [](World& world) {
    world.monitor<Order>("order", Order{{-1}, {}});
    const auto walkers = world.group<Walker>("walker", 2);
    const auto other = world.spawn<Walker>("other");
    world.send(other, Knock{1});
    world.faults().crash(1, walkers);
  });
  std::uint64_t hit = 0;
  std::uint64_t spoiled = 0;
  const Measured measured = measure(scenario, "pctcp", 1, [&](const Execution& execution, const RunOutcome&) {
    std::string order;
    for (const StepRecord& record : execution.records())
      order += record.kind == EventKind::crash ? std::to_string(record.target - 1) : "k";
    hit += order == "k0" ? 1 : 0;
    spoiled += order.find('1') != std::string::npos ? 1 : 0;
  });
  const Guarantee& guarantee = measured.result.guarantee;
  ASSERT_TRUE(guarantee.per_run);
  EXPECT_DOUBLE_EQ(*guarantee.per_run, 1.0 / 3);
  EXPECT_THAT(guarantee.assumptions, Contains(std::string(assumes_no_other_crashes())));
  const auto counted = static_cast<double>(many - spoiled);
  EXPECT_GE(static_cast<double>(hit) / counted, 1.0 / 3 - 4 * deviation(1.0 / 3, counted));
}

struct Fickle {
  using Receives = Messages<Knock>;
  Ref<Walker> to;
  int knocks = 0;
  void on(const Knock& knock, Context& ctx) {
    if (knock.number != 0) {
      ++knocks;
      return;
    }
    // What it has seen decides which of two messages is its first effect.
    ctx.send(to, Knock{knocks == 2 ? 1 : 2});
    ctx.send(to, Knock{knocks == 2 ? 2 : 1});
  }
};

TEST(Bounds, AChainThatDependsOnStateIsACondition) {
  const Scenario scenario = Scenario::of("fickle", [](World& world) {
    world.monitor<Order>("order", Order{{-1}, {}});
    const auto walker = world.spawn<Walker>("walker");
    const auto fickle = world.spawn<Fickle>("fickle", Fickle{walker, 0});
    for (const int each : {0, 5, 6}) world.send(fickle, Knock{each});
  });
  const Measured measured = measure(scenario, "pctcp", 1, {}, 1000);
  EXPECT_THAT(measured.result.guarantee.assumptions, Contains(std::string(assumes_fixed_chains())));
  // Where every step has one effect at most there is nothing to assume.
  const Measured plain = measure(knock_in_a_walk(Delivery::unordered, false), "pctcp", 1, {}, 1000);
  EXPECT_THAT(plain.result.guarantee.assumptions,
              testing::Not(Contains(std::string(assumes_fixed_chains()))));
}

// 2 chains * 6 places of the change point = 12 indices, each once; one of them is the bug's.
TEST(Bounds, AllScheduleIndicesMakeItCertain) {
  HuntOptions options;
  options.strategy = "pctcp";
  options.strategy_options = {{"exhaustive", "true"}};
  options.keep_going = true;
  options.depth = 2;
  const Scenario scenario = knock_in_a_walk(Delivery::unordered, false);
  for (const unsigned jobs : {1U, 2U}) {
    options.jobs = jobs;
    const HuntResult result = hunt(scenario, {}, options);
    EXPECT_EQ(result.buggy_runs, 1U);
    EXPECT_EQ(
        result.guarantee.statement,
        "12 of 12 schedule indices of depth 2 are done: a bug of depth 2 would have been hit for certain");
    EXPECT_EQ(result.guarantee.confidence, 1.0);
  }
  options.jobs = 1;
  options.runs = 5;
  const HuntResult some = hunt(scenario, {}, options);
  EXPECT_EQ(some.guarantee.statement, "not yet: 5 of 12 schedule indices of depth 2 are done");
  EXPECT_FALSE(some.guarantee.per_run);
}

// Every order of four messages in which some two are as late as possible: 4 * 4 indices, in all orders of pairs.
TEST(Bounds, AllScheduleIndicesHitEveryPair) {
  const Scenario scenario = Scenario::of("pairs", [](World& world) {
    world.monitor<Order>("order", Order{{-1}, {}});
    const auto walker = world.spawn<Walker>("walker");
    for (int i = 0; i < 4; ++i) world.send(walker, Knock{i});
  });
  std::set<std::pair<std::uint64_t, std::uint64_t>> last_two;
  HuntOptions options;
  options.strategy = "pctcp";
  options.strategy_options = {{"exhaustive", "true"}};
  options.depth = 2;
  options.watch = [&](const Execution& execution, const RunOutcome&) {
    const auto& records = execution.records();
    last_two.emplace(records[2].id.raw, records[3].id.raw);
  };
  const HuntResult result = hunt(scenario, {}, options);
  EXPECT_EQ(result.runs, 16U);
  EXPECT_EQ(last_two.size(), 12U) << "4 * 3 ordered pairs";
}

}  // namespace
}  // namespace gainsay::bounds_test
