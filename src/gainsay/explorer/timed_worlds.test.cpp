// explore in simulated time: classes of times are values, so states repeat, and what a hunt finds is found.
#include <chrono>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/explorer/enumerate.hpp"
#include "gainsay/explorer/explore.hpp"

namespace gainsay::timed_worlds_test {
namespace {

using std::chrono::milliseconds;

// --- a lease ---

struct Ask {};
struct Grant {
  std::int64_t until_ms = 0;
};
struct LeaseOver {};
struct Done {};

struct Worker;

// Grants a lease of 15 ms to one worker after the other.
struct Server {
  using Receives = Messages<Ask, LeaseOver>;
  Group<Worker> workers;
  bool tells_until = false;
  std::uint32_t next = 0;
  void on(const Ask&, Context& ctx) { grant(ctx); }
  void on(const LeaseOver&, Context& ctx) { grant(ctx); }
  void grant(Context& ctx);
};

// Works for 10 ms from when the grant has come; in the fixed form only if it is over in time.
struct Worker {
  using Receives = Messages<Grant, Done>;
  bool looks_at_clock = false;
  bool working = false;
  void on(const Grant& grant, Context& ctx) {
    if (looks_at_clock && ctx.now() + milliseconds(10) > milliseconds(grant.until_ms)) return;
    working = true;
    ctx.after(milliseconds(10), Done{});
  }
  void on(const Done&) { working = false; }
};

void Server::grant(Context& ctx) {
  if (next == workers.size()) return;
  Grant grant;
  if (tells_until) {
    grant.until_ms = std::chrono::duration_cast<milliseconds>(ctx.now()).count() + 15;
  }
  ctx.send(workers[next++], grant);
  ctx.after(milliseconds(15), LeaseOver{});
}

Scenario lease(bool fixed) {
  return Scenario::of("lease", [fixed](World& world) {
    world.simulated_time();
    const auto workers =
        world.group<Worker>("worker", 2, [&](std::size_t) { return Worker{.looks_at_clock = fixed}; });
    const auto server = world.spawn("server", Server{.workers = workers, .tells_until = fixed});
    world.latency(server, workers, milliseconds(1), milliseconds(30));
    world.send(server, Ask{});
    world.always("one at a time", workers, [workers](View view) -> Complaint {
      if (view[workers[0]].working && view[workers[1]].working) return "both work";
      return {};
    });
  });
}

// A grant takes 1 to 30 ms, work 10, the lease 15: who gets its grant after more than 5 works into the next lease.
TEST(TimedWorlds, AGrantMayBeLate) {
  const ExploreResult all = explore(lease(false), {}, {});
  ASSERT_EQ(all.violations.size(), 1U);
  EXPECT_EQ(all.violations[0].document.violation->property, "one at a time");
  for (const char* strategy : {"dfs", "random", "pctcp", "portfolio"}) {
    HuntOptions options;
    options.strategy = strategy;
    options.runs = 500;
    const HuntResult found = hunt(lease(false), {}, options);
    ASSERT_EQ(found.violations.size(), 1U) << strategy;
    // The printed times are possible: the first grant is 5 ms or more on its way, at most 30, and never negative.
    std::int64_t before = 0;
    for (const DocumentStep& step : found.violations[0].document.steps) {
      EXPECT_GE(step.time_ns, before);
      before = step.time_ns;
    }
    EXPECT_GE(before, 16'000'000) << "the second lease begins at 15, and its grant takes 1";
    EXPECT_LE(before, 45'000'000);
  }
}

TEST(TimedWorlds, WhoLooksAtTheClockIsSafe) {
  const ExploreResult all = explore(lease(true), {}, {});
  EXPECT_TRUE(all.violations.empty());
  EXPECT_TRUE(all.complete) << all.incomplete_because;
  ASSERT_FALSE(all.warnings.empty());
  EXPECT_NE(all.warnings[0].find("only the earliest and the latest value"), std::string::npos);
  HuntOptions options;
  options.strategy = "dfs";
  const HuntResult search = hunt(lease(true), {}, options);
  EXPECT_TRUE(search.complete);
  EXPECT_EQ(search.complete_for.back(), "the earliest and the latest time of every clock that is read");
  EXPECT_EQ(search.guarantee.within, search.complete_for.back());
  options.strategy = "random";
  options.runs = 2'000;
  EXPECT_TRUE(hunt(lease(true), {}, options).violations.empty());
}

// --- states repeat ---

struct Tick {};
struct Metronome {
  using Receives = Messages<Tick>;
  int beat = 0;
  int period_ms = 10;
  int slack_ms = 0;
  bool looks = false;
  void on_start(Context& ctx) { arm(ctx); }
  void on(const Tick&, Context& ctx) {
    beat = (beat + 1) % 3;
    if (looks && ctx.now() > milliseconds(95)) return;
    arm(ctx);
  }
  void arm(Context& ctx) const { ctx.after(milliseconds(period_ms), Tick{}, milliseconds(slack_ms)); }
};

// One that beats every 10 ms: after its start there are three states, and they repeat for ever.
TEST(TimedWorlds, StatesRepeat) {
  const auto scenario = [](int second_ms, int slack_ms, bool looks) {
    return Scenario::of("metronomes", [=](World& world) {
      world.simulated_time();
      world.spawn("a", Metronome{.looks = looks});
      if (second_ms > 0) world.spawn("b", Metronome{.period_ms = second_ms, .slack_ms = slack_ms});
    });
  };
  const ExploreResult one = explore(scenario(0, 0, false), {}, {});
  EXPECT_TRUE(one.complete);
  EXPECT_EQ(one.states, 1U + 3U);
  EXPECT_EQ(one.transitions, 4U);
  // Two of them: by 15 ms later the second beats at 15, 30, ...; the pattern of six beats lasts 30 ms, and counts of
  // beats modulo 3 repeat after 30 ms times 3.
  const ExploreResult two = explore(scenario(15, 0, false), {}, {});
  EXPECT_TRUE(two.complete);
  EXPECT_GT(two.states, 9U);
  EXPECT_LT(two.states, 200U);
  // With slack, whatever it is, the number of classes is finite.
  EXPECT_TRUE(explore(scenario(7, 6, false), {}, {}).complete);
  // Who looks at the clock makes all times different: ten beats, and then no more.
  const ExploreResult looking = explore(scenario(0, 0, true), {}, {});
  EXPECT_TRUE(looking.complete);
  EXPECT_EQ(looking.states, 1U + 11U);
  for (const bool exact : {false, true}) {
    EXPECT_EQ(explore(scenario(7, 6, false), {}, {.exact = exact}).states,
              explore(scenario(7, 6, false), {}, {.workers = 3, .exact = exact}).states);
  }
}

// --- what waits ---

struct Open {};
struct Message {};
// Takes messages when it is open, which it may be again and again, or never.
struct Door {
  using Receives = Messages<Open, Message>;
  bool open = false;
  bool accepts(const Message&) const { return open; }
  void on(const Open&, Context& ctx) {
    open = ctx.choose(2) == 1;
    ctx.after(milliseconds(0), Open{}, milliseconds(30));
  }
  void on(const Message&) {}
};

// How long a message may have waited is forgotten where it may be due: without that the states would not end, because
// nobody knows that any time has passed.
TEST(TimedWorlds, WhatWaitsHasFinitelyManyStates) {
  const ExploreResult all = explore(Scenario::of("door",
                                                 [](World& world) {
                                                   world.simulated_time();
                                                   const auto door = world.spawn<Door>("door");
                                                   world.latency(milliseconds(0), milliseconds(50));
                                                   world.send(door, Open{});
                                                   world.send(door, Message{});
                                                 }),
                                    {}, {.states_max = 100'000});
  EXPECT_TRUE(all.complete) << all.incomplete_because;
  EXPECT_TRUE(all.violations.empty());
}

// --- what is not proved for time is refused ---

TEST(TimedWorlds, WhatIsNotProvedIsRefused) {
  EXPECT_THROW((void)explore(lease(false), {}, {.symmetry = true}), UserError);
  HuntOptions options;
  options.strategy = "dpor";
  EXPECT_THROW((void)hunt(lease(false), {}, options), UserError);
  const Scenario drifting = Scenario::of("drifting", [](World& world) {
    world.simulated_time();
    const auto one = world.spawn("a", Metronome{.looks = true});
    world.clock_drift(one, 100);
  });
  EXPECT_THROW((void)explore(drifting, {}, {}), UserError);
}

// The enumerator and dfs agree on the number of executions.
TEST(TimedWorlds, TheEnumeratorCountsTheSameExecutions) {
  HuntOptions options;
  options.strategy = "dfs";
  options.keep_going = true;
  for (const bool fixed : {false, true}) {
    const Enumeration by_configurations = enumerate(lease(fixed).build());
    const Enumeration one_by_one = enumerate(lease(fixed).build(), {.by = EnumerateOptions::By::executions});
    const HuntResult search = hunt(lease(fixed), {}, options);
    EXPECT_EQ(by_configurations.executions, search.runs);
    EXPECT_EQ(one_by_one.executions, search.runs);
    EXPECT_EQ(by_configurations.violated_executions, search.buggy_runs);
  }
}

}  // namespace
}  // namespace gainsay::timed_worlds_test
