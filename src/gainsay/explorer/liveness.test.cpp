// Liveness proved or refuted on whole graphs, beside what single executions show.
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/execution/run/lasso.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::liveness_test {
namespace {

struct Wanted {};
struct Served {};
struct Service {
  using Observes = Messages<Wanted, Served>;
  bool wanted = false;
  void on(const Wanted&) { wanted = true; }
  void on(const Served&) { wanted = false; }
  std::string hot() const { return wanted ? "somebody wants in" : ""; }
};

// Two processes want one lock and are too polite: whoever finds the other wanting steps back and tries again.
// The fix: process 0 does not step back.
struct Try {};
struct Ask {};
struct Answer {
  bool wanting = false;
};
struct Process {
  using Receives = Messages<Try, Ask, Answer>;
  Ref<Process> other;
  bool yields = true;
  bool wanting = false;
  bool done = false;
  void on(const Try&, Context& ctx) {
    wanting = true;
    ctx.notify<Service>(Wanted{});
    ctx.send(other, Ask{});
  }
  void on(const Ask&, Context& ctx) { ctx.reply(Answer{wanting}); }
  void on(const Answer& answer, Context& ctx) {
    if (answer.wanting && yields) {
      ctx.send(ctx.self(*this), Try{});
      return;
    }
    wanting = false;
    done = true;
    ctx.notify<Service>(Served{});
  }
};

Scenario polite(bool fixed) {
  return Scenario::of("polite", [fixed](World& world) {
    world.monitor<Service>("service");
    const auto a = world.declare<Process>("a");
    const auto b = world.declare<Process>("b");
    world.init(a, Process{b, !fixed, false, false});
    world.init(b, Process{a, true, false, false});
    world.send(a, Try{});
    world.send(b, Try{});
  });
}

// The one violation of a result, repeated ten times longer than the threshold of the temperature.
void expect_real_loop(const Scenario& scenario, const ExploreResult& result) {
  ASSERT_EQ(result.violations.size(), 1U);
  const FoundViolation& found = result.violations[0];
  EXPECT_EQ(found.violation.property, "service") << found.violation.message;
  ASSERT_NE(found.violation.loop_from, no_step) << found.violation.message;
  ASSERT_TRUE(found.document.violation);
  EXPECT_EQ(*found.document.violation, found.violation);
  const Blueprint blueprint = scenario.build();
  const auto longer = unroll(blueprint, decisions_of(found.document, blueprint), found.violation.loop_from, 2,
                             found.violation.loop_from + 500);
  ASSERT_TRUE(longer);
  Violation hot;
  hot.property = "service";
  hot.hot_from = found.violation.loop_from;
  hot.step = found.violation.loop_from + 449;
  const Replay replay = replay_steps(blueprint, *longer, longer->size() + 1, hot);
  ASSERT_TRUE(replay.outcome.violation);
  EXPECT_EQ(replay.outcome.violation->step, hot.step);
}

TEST(ExploreLiveness, FindsTheLoopOfTwoPoliteProcesses) {
  const Scenario scenario = polite(false);
  const ExploreResult result = explore(scenario, {}, {});
  expect_real_loop(scenario, result);
  EXPECT_TRUE(result.live.empty());
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.verdict(), Verdict::violated);
}

TEST(ExploreLiveness, ProvesTheFixedForm) {
  const ExploreResult result = explore(polite(true), {}, {});
  EXPECT_TRUE(result.violations.empty());
  EXPECT_EQ(result.live, (std::vector<std::string>{"service"}));
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.verdict(), Verdict::ok);
}

TEST(ExploreLiveness, IsTheSameForAnyNumberOfWorkers) {
  const ExploreResult one = explore(polite(false), {}, {.workers = 1});
  const ExploreResult two = explore(polite(false), {}, {.workers = 2});
  ASSERT_EQ(one.violations.size(), 1U);
  ASSERT_EQ(two.violations.size(), 1U);
  EXPECT_EQ(one.violations[0].document, two.violations[0].document);
}

TEST(ExploreLiveness, HuntsAgree) {
  HuntOptions options;
  options.runs = 30;
  options.keep_going = true;
  options.steps_max = 2000;
  const HuntResult buggy = hunt(polite(false), {}, options);
  ASSERT_EQ(buggy.violations.size(), 1U);
  EXPECT_NE(buggy.violations[0].violation.loop_from, no_step);
  const HuntResult fixed =
      hunt(polite(true), {}, options);  // a temperature alarm would be a threshold too low
  EXPECT_TRUE(fixed.violations.empty());
}

// A process that could always act, and never does: not a violation of liveness.
struct Spin {};
struct Spinner {
  using Receives = Messages<Spin>;
  bool began = false;
  void on(const Spin&, Context& ctx) {
    if (!began) ctx.notify<Service>(Wanted{});
    began = true;
    ctx.send(ctx.self(*this), Spin{});
  }
};
struct Server {
  using Receives = Messages<Ask>;
  void on(const Ask&, Context& ctx) { ctx.notify<Service>(Served{}); }
};

Scenario spin_and_serve(bool with_server) {
  return Scenario::of("spin", [with_server](World& world) {
    world.monitor<Service>("service");
    const auto spinner = world.spawn<Spinner>("spinner");
    world.send(spinner, Spin{});
    if (with_server) world.send(world.spawn<Server>("server"), Ask{});
  });
}

TEST(ExploreLiveness, AnUnfairLoopIsNone) {
  const ExploreResult alone = explore(spin_and_serve(false), {}, {});
  expect_real_loop(spin_and_serve(false), alone);
  // With the server one loop remains: it served before anybody wanted anything.
  const ExploreResult served = explore(spin_and_serve(true), {}, {});
  ASSERT_EQ(served.violations.size(), 1U);
  EXPECT_EQ(served.violations[0].document.steps[0].to, "server");
}

struct Asker {
  using Receives = Messages<Ask>;
  void on(const Ask&, Context& ctx) { ctx.notify<Service>(Wanted{}); }
};

TEST(ExploreLiveness, HotEndsAreViolations) {
  const ExploreResult result = explore(Scenario::of("end",
                                                    [](World& world) {
                                                      world.monitor<Service>("service");
                                                      world.send(world.spawn<Asker>("asker"), Ask{});
                                                    }),
                                       {}, {});
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].violation.message,
            "nothing can happen any more, but the monitor is hot: somebody wants in");
  EXPECT_TRUE(result.live.empty());
}

struct Quiet {
  using Receives = Messages<Ask>;
  void on(const Ask&) {}
};

TEST(ExploreLiveness, AMonitorThatNobodyNotifiesIsNamed) {
  const ExploreResult result = explore(Scenario::of("quiet",
                                                    [](World& world) {
                                                      world.monitor<Service>("service");
                                                      world.send(world.spawn<Quiet>("quiet"), Ask{});
                                                    }),
                                       {}, {});
  EXPECT_EQ(result.warnings,
            (std::vector<std::string>{
                "monitor 'service' was never notified, so it could not fail (ctx.notify<Service>)"}));
}

// --- random systems: hunts and exploration must not contradict each other ---

struct Token {
  int n = 0;
};
struct Node {
  using Receives = Messages<Token>;
  std::uint64_t seed = 0;
  std::uint32_t id = 0;
  Group<Node> all{};
  std::uint32_t state = 0;
  void on(const Token& token, Context& ctx) {
    std::uint64_t h = scramble(mix(mix(seed, id * 4 + state), static_cast<std::uint64_t>(token.n)));
    if (h % 5 == 0) h = mix(h, ctx.flip() ? 1 : 2);
    if (h % 7 == 0) h = mix(h, ctx.choose(2));
    state = (h >> 8U) % 2;
    if ((h >> 16U) % 5 == 0) ctx.notify<Service>(Wanted{});
    if ((h >> 16U) % 5 == 1) ctx.notify<Service>(Served{});
    if ((h >> 24U) % 12 != 0) ctx.send(all[(h >> 32U) % all.count], Token{static_cast<int>((h >> 40U) % 2)});
  }
};

Scenario random_system(std::uint64_t seed) {
  return Scenario::of("random", [seed](World& world) {
    world.monitor<Service>("service");
    const Delivery orders[] = {Delivery::unordered, Delivery::fifo, Delivery::causal, Delivery::mailbox,
                               Delivery::queue};
    world.order(orders[seed % 5]);
    const auto nodes = world.group<Node>("node", 2, [&](std::size_t i, Group<Node> all) {
      return Node{seed, static_cast<std::uint32_t>(i), all, 0};
    });
    world.send(nodes[0], Token{0});
    world.send(nodes[1], Token{1});
  });
}

TEST(ExploreLiveness, AgreesWithHuntsOnRandomSystems) {
  int live = 0;
  int loops = 0;
  int loops_hunted = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Scenario scenario = random_system(seed);
    const ExploreResult explored = explore(scenario, {}, {.keep_going = true});
    HuntOptions options;
    options.runs = 12;
    options.seed = seed;
    options.keep_going = true;
    options.steps_max = 400;
    options.temperature = 100'000;
    const HuntResult hunted = hunt(scenario, {}, options);
    bool explored_hot = false;
    for (const FoundViolation& found : explored.violations) {
      ASSERT_EQ(found.violation.property, "service") << found.violation.message;
      explored_hot = true;
      if (found.violation.loop_from != no_step) ++loops;
    }
    for (const FoundViolation& found : hunted.violations) {
      ASSERT_EQ(found.violation.property, "service") << found.violation.message;
      EXPECT_TRUE(explored_hot) << found.violation.message;
      if (found.violation.loop_from != no_step) ++loops_hunted;
    }
    if (!explored.live.empty()) ++live;
  }
  // Neither answer is rare.
  EXPECT_GT(live, 10);
  EXPECT_GT(loops, 10);
  EXPECT_GT(loops_hunted, 10);
}

}  // namespace
}  // namespace gainsay::liveness_test
