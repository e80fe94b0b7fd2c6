// Simulated time: every event comes in a window, and an order is possible iff some times within the windows allow it;
// the time is a number where somebody asks for it. (tests/twin/timed.test.cpp compares this with all timings.)
#include <chrono>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/strategy/follow/replay.hpp"
#include "gainsay/strategy/walks/random.hpp"

namespace gainsay::simulated_time_test {
namespace {

using every_run::build;
using every_run::counts;
using every_run::every_run;
using every_run::OneRun;
using every_run::texts;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Texts = std::vector<std::string>;

struct Go {
  int n = 0;
};
struct Ring {
  int n = 0;
};

struct Window2 {
  int after_ms = 0;
  int slack_ms = 0;
};

// Arms one timer per window and notes the time of everything.
struct Clock {
  using Receives = Messages<Go, Ring>;
  std::vector<Window2> windows;
  bool looks = true;  // at the time
  std::vector<std::int64_t> times_ms;
  void note(Context& ctx) {
    if (looks) times_ms.push_back(std::chrono::duration_cast<milliseconds>(ctx.now()).count());
  }
  void on(const Go&, Context& ctx) {
    note(ctx);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      ctx.after(milliseconds(windows[i].after_ms), Ring{static_cast<int>(i)},
                milliseconds(windows[i].slack_ms));
    }
  }
  void on(const Ring&, Context& ctx) { note(ctx); }
};

every_run::Body clock_with(std::vector<Window2> windows, bool looks = true) {
  return [=](World& world) {
    world.simulated_time();
    world.send(world.spawn("clock", Clock{.windows = windows, .looks = looks}), Go{});
  };
}

TEST(SimulatedTime, EarlierTimersFireFirst) {
  EXPECT_EQ(texts(clock_with({{30, 0}, {10, 0}, {20, 0}})),
            (Texts{"Go{n: 0}, timer Ring{n: 1}, timer Ring{n: 2}, timer Ring{n: 0}"}));
  // Equal times leave the order open.
  EXPECT_EQ(counts(clock_with({{10, 0}, {10, 0}, {10, 0}})).runs, 6U);
}

// [10, 10 + slack] beside [20, 20]: both orders iff 20 <= 10 + slack.
TEST(SimulatedTime, WindowsThatTouchLeaveTheOrderOpen) {
  EXPECT_EQ(counts(clock_with({{10, 9}, {20, 0}}, false)).runs, 1U);
  EXPECT_EQ(counts(clock_with({{10, 10}, {20, 0}}, false)).runs, 2U);
  EXPECT_EQ(counts(clock_with({{10, 99}, {20, 0}}, false)).runs, 2U);
  // A chain of three: [0, 10] [5, 15] [12, 20]. First: those with lo <= 10, that is 0 or 1. After 0: least hi
  // 15: 1 or 2, 2 ways. After 1: least hi is 10: only 0, then 2: 1 way. In all 3; 2 is never first.
  EXPECT_EQ(counts(clock_with({{0, 10}, {5, 10}, {12, 8}}, false)).runs, 3U);
}

// What each handler saw as `now`, for every execution.
std::vector<std::vector<std::int64_t>> times_of(const every_run::Body& body) {
  const Blueprint blueprint = build(body);
  std::vector<std::vector<std::int64_t>> all;
  for (const OneRun& run : every_run(blueprint)) {
    Execution execution(blueprint, {});
    ReplayStrategy strategy(run.trace.decisions());
    strategy.begin({});
    execution.run(strategy, Keep{});
    all.push_back(View(execution)[Ref<Clock>(ActorId{0})].times_ms);
    std::int64_t before = 0;
    for (const DocumentStep& step : replay_steps(blueprint, run.trace.decisions(), 200).document.steps) {
      EXPECT_GE(step.time_ns, before) << "time runs backwards";
      before = step.time_ns;
    }
  }
  return all;
}

// A search takes the earliest and the latest.
TEST(SimulatedTime, NowIsDecidedWhereItIsRead) {
  EXPECT_EQ(times_of(clock_with({{10, 0}, {20, 5}})),
            (std::vector<std::vector<std::int64_t>>{{0, 10, 20}, {0, 10, 25}}));
  // The later one first: now is 20 and does not go back to 10. The first one at 10 or at 20, and then the other.
  EXPECT_EQ(times_of(clock_with({{10, 10}, {20, 0}})),
            (std::vector<std::vector<std::int64_t>>{{0, 10, 20}, {0, 20, 20}, {0, 20, 20}}));
}

// What was read binds: [0, 10] and [8, 20]. Who reads 10 at the first can read 10 at the second, who reads 0 there
// 8; and whoever saw the second first at 8 sees the first at 8 to 10.
TEST(SimulatedTime, WhatWasReadBinds) {
  EXPECT_EQ(times_of(clock_with({{0, 10}, {8, 12}})),
            (std::vector<std::vector<std::int64_t>>{
                {0, 0, 8}, {0, 0, 20}, {0, 10, 10}, {0, 10, 20}, {0, 8, 8}, {0, 8, 10}, {0, 10, 10}}));
}

// Walks draw from the whole range, and its ends often. Each of 400 runs misses an end with 3/4, and the inner part
// with 1/2: all miss it with at most (3/4)^400 < 1e-49.
TEST(SimulatedTime, WalksDrawAnyTime) {
  const Blueprint blueprint = build(clock_with({{10, 20}}));
  Execution execution(blueprint, {});
  RandomStrategy strategy{RandomOptions{}};
  std::set<std::int64_t> seen;
  for (std::uint64_t run = 0; run < 400; ++run) {
    const auto keep = strategy.begin({run, 1, 100});
    execution.run(strategy, *keep);
    seen.insert(View(execution)[Ref<Clock>(ActorId{0})].times_ms.back());
    const Replay replay = replay_steps(blueprint, execution.trace().decisions(), 100);
    ASSERT_FALSE(replay.diverged_at) << replay.divergence;
    EXPECT_EQ(replay.document.steps.back().choices, execution.trace().steps.back().choices);
  }
  EXPECT_EQ(*seen.begin(), 10);
  EXPECT_EQ(*seen.rbegin(), 30);
  EXPECT_GT(seen.size(), 10U);
}

// A clock that is off by up to a tenth: a timer of 100 takes 90.9 to 111.1, and who reads the clock then reads, of
// what it may show, 81 to 123. A timer of 89 of a sound clock comes first, one of 91 may come later.
TEST(SimulatedTime, ClocksMayDrift) {
  const auto drifting = [](World& world) {
    world.simulated_time();
    const auto clock = world.spawn("clock", Clock{.windows = {{100, 0}}});
    world.clock_drift(clock, 100'000);
    world.send(clock, Go{});
  };
  EXPECT_EQ(times_of(drifting), (std::vector<std::vector<std::int64_t>>{{0, 81}, {0, 122}}));
  const auto beside = [](int other_ms) {
    return counts([=](World& world) {
             world.simulated_time();
             const auto clock = world.spawn("clock", Clock{.windows = {{100, 0}}, .looks = false});
             const auto sound = world.spawn("sound", Clock{.windows = {{other_ms, 0}}, .looks = false});
             world.clock_drift(clock, 100'000);
             world.send(clock, Go{});
             world.send(sound, Go{});
           })
        .runs;
  };
  // The two Go, in either order, and then the timers: 2 runs for each order of those. Go comes at 0, so a timer that
  // comes first in one of them does in the other.
  EXPECT_EQ(beside(90), 2U);
  EXPECT_EQ(beside(91), 4U);
  EXPECT_EQ(beside(111), 4U);
  EXPECT_EQ(beside(112), 2U);
}

TEST(SimulatedTime, ClocksMayBeWrong) {
  const auto with_offset = [](seconds ahead) {
    return [=](World& world) {
      clock_with({{10, 0}})(world);
      world.clock_offset(ActorId{0}, ahead);
    };
  };
  EXPECT_EQ(times_of(with_offset(seconds(1))), (std::vector<std::vector<std::int64_t>>{{1000, 1010}}));
  EXPECT_EQ(times_of(with_offset(seconds(-1))), (std::vector<std::vector<std::int64_t>>{{-1000, -990}}));
}

TEST(SimulatedTime, AnUntimedWorldHasNone) {
  const auto times = times_of([](World& world) {
    world.send(world.spawn("clock", Clock{.windows = {{10, 0}, {20, 0}}}), Go{});
    world.clock_offset(ActorId{0}, seconds(1));
  });
  EXPECT_EQ(times, (std::vector<std::vector<std::int64_t>>{{0, 0, 0}, {0, 0, 0}}));
}

struct Patient {
  using Receives = Messages<Go, Ring>;
  void on(const Go& go, Context& ctx) {
    if (go.n == 0) ctx.after(milliseconds(5), Go{1});
    ctx.after(Duration::max(), Ring{go.n}, Duration::max());
  }
  void on(const Ring&) {}
};

TEST(SimulatedTime, VeryLongIsNotThePast) {
  for (const std::string& text : texts([](World& world) {
         world.simulated_time();
         world.send(world.spawn<Patient>("patient"), Go{});
       })) {
    EXPECT_EQ(text.rfind("Go{n: 0}, timer Go{n: 1}, ", 0), 0U) << text;
  }
}

// --- latency ---

struct Sink {
  using Receives = Messages<Go>;
  std::vector<int> got;
  void on(const Go& go) { got.push_back(go.n); }
};

TEST(SimulatedTime, LatenciesOrderMessages) {
  const auto program = [](int least_a, int most_a, int least_b, int most_b) {
    return counts([=](World& world) {
             world.simulated_time();
             world.latency(milliseconds(1), milliseconds(2));
             const auto c = world.spawn<Sink>("c");
             const auto a = world.spawn<Sink>("a");
             const auto b = world.spawn<Sink>("b");
             world.latency(a, c, milliseconds(least_a), milliseconds(most_a));
             world.latency(b, c, milliseconds(least_b), milliseconds(most_b));
             world.send_from(a, c, Go{1});
             world.send_from(b, c, Go{2});
           })
        .runs;
  };
  EXPECT_EQ(program(1, 5, 6, 9), 1U);
  EXPECT_EQ(program(1, 6, 6, 9), 2U);
  EXPECT_EQ(program(6, 9, 1, 5), 1U);
  EXPECT_EQ(program(3, 3, 3, 3), 2U);
}

// A link without its own latency has the world's: 1 to 2 ms, so Go 1 always comes before Go 2 (3 ms).
TEST(SimulatedTime, LinksHaveTheirOwnLatency) {
  EXPECT_EQ(texts([](World& world) {
              world.simulated_time();
              world.latency(milliseconds(1), milliseconds(2));
              const auto c = world.spawn<Sink>("c");
              const auto a = world.spawn<Sink>("a");
              world.latency(a, c, milliseconds(3), milliseconds(3));
              world.send_from(a, c, Go{2});
              world.send(c, Go{1});
              world.send_from(c, a, Go{0});
              world.latency(c, a, milliseconds(0), milliseconds(0));
            }),
            (Texts{"Go{n: 0}, Go{n: 1}, Go{n: 2}"}));
}

struct Relay {
  using Receives = Messages<Go>;
  Ref<Sink> to;
  void on(const Go&, Context& ctx) {
    ctx.send(to, Go{1});
    ctx.send(to, Go{2});
  }
};

// A queue is a queue: what waits behind a slow message is not deliverable and holds nobody up.
TEST(SimulatedTime, OrderComesBeforeTime) {
  EXPECT_EQ(texts([](World& world) {
              world.simulated_time();
              world.order(Delivery::fifo);
              const auto sink = world.spawn<Sink>("sink");
              const auto relay = world.spawn("relay", Relay{.to = sink});
              world.latency(relay, sink, milliseconds(1), milliseconds(9));
              world.send(relay, Go{0});
            }),
            (Texts{"Go{n: 0}, Go{n: 1}, Go{n: 2}"}));
}

// --- timeouts ---

struct Ask {};
struct Answer {};
struct Timeout {};

struct Server {
  using Receives = Messages<Ask>;
  void on(const Ask&, Context& ctx) { ctx.reply(Answer{}); }
};

struct Client {
  using Receives = Messages<Go, Answer, Timeout>;
  Ref<Server> server;
  int timeout_ms = 0;
  bool answered = false;
  bool gave_up = false;
  void on(const Go&, Context& ctx) {
    ctx.send(server, Ask{});
    ctx.after(milliseconds(timeout_ms), Timeout{});
  }
  void on(const Answer&, Context& ctx) {
    answered = true;
    ctx.cancel<Timeout>();
  }
  void on(const Timeout&) { gave_up = !answered; }
};

// How often, over all executions, the client gave up and how often not. Each way takes [least, most] ms.
std::pair<std::size_t, std::size_t> patience(int timeout_ms, int least_ms, int most_ms) {
  std::size_t gave_up = 0;
  const auto runs = every_run([=](World& world) {
    world.simulated_time();
    const auto server = world.spawn<Server>("server");
    const auto client = world.spawn("client", Client{.server = server, .timeout_ms = timeout_ms});
    world.latency({server, client}, {server, client}, milliseconds(least_ms), milliseconds(most_ms));
    world.send(client, Go{});
    world.finally("patience", [client](View v) -> Complaint {
      if (v[client].gave_up) return "gave up";
      return {};
    });
  });
  for (const OneRun& run : runs) gave_up += run.trace.violation ? 1 : 0;
  return {gave_up, runs.size() - gave_up};
}

TEST(SimulatedTime, TimeoutsThatAlwaysLoseAndAlwaysWin) {
  // Both ways take exactly 10: the answer is there at 20.
  EXPECT_EQ(patience(21, 10, 10), (std::pair<std::size_t, std::size_t>{0, 1}));
  EXPECT_EQ(patience(19, 10, 10), (std::pair<std::size_t, std::size_t>{1, 0}));
  EXPECT_EQ(patience(5, 10, 10), (std::pair<std::size_t, std::size_t>{1, 0}));
  // A draw goes either way.
  EXPECT_EQ(patience(20, 10, 10), (std::pair<std::size_t, std::size_t>{1, 1}));
  // Ask in [0, 10], timeout at 5: before or after the Ask; after it, the Answer is due in [0, 10] again.
  EXPECT_EQ(patience(5, 0, 10), (std::pair<std::size_t, std::size_t>{2, 1}));
}

// Each way takes 1 to 5 ms: the answer is there after 2 to 10, so a timeout of 7 may come first.
TEST(SimulatedTime, MessagesMayBeLate) {
  EXPECT_EQ(patience(7, 1, 5), (std::pair<std::size_t, std::size_t>{1, 1}));
  EXPECT_EQ(patience(11, 1, 5), (std::pair<std::size_t, std::size_t>{0, 1}));
  EXPECT_EQ(patience(1, 1, 5), (std::pair<std::size_t, std::size_t>{2, 0}));
}

// --- what is not deliverable does not hold up time ---

struct Picky {
  using Receives = Messages<Go, Ring>;
  bool open = false;
  bool accepts(const Ring&) const { return open; }
  std::int64_t rung_at_ms = -1;
  void on(const Go& go, Context& ctx) {
    if (go.n == 0) {
      ctx.after(milliseconds(1), Ring{});
      ctx.after(milliseconds(50), Go{1});
    } else {
      open = true;
    }
  }
  void on(const Ring&, Context& ctx) {
    rung_at_ms = std::chrono::duration_cast<milliseconds>(ctx.now()).count();
    ctx.check(rung_at_ms == 50, "late, but not back in time");
  }
};

TEST(SimulatedTime, AClosedGateDoesNotStopTheClock) {
  const auto runs = every_run([](World& world) {
    world.simulated_time();
    world.send(world.spawn<Picky>("picky"), Go{0});
  });
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].trace.steps.size(), 3U);
  EXPECT_EQ(runs[0].trace.violation, std::nullopt);
}

// The bell is due within 50 ms of the beginning and rings when the gate is open, which is after 40 to 60.
struct Gate {
  using Receives = Messages<Go, Ring>;
  bool open = false;
  bool accepts(const Ring&) const { return open; }
  void on(const Go& go, Context& ctx) {
    if (go.n == 0) {
      ctx.after(milliseconds(0), Ring{}, milliseconds(50));
      ctx.after(milliseconds(40), Go{1}, milliseconds(20));
      ctx.after(milliseconds(55), Go{2});
    } else if (go.n == 1) {
      open = true;
      ctx.after(milliseconds(4), Go{3});
    }
  }
  void on(const Ring&) {}
};

// Go 1 until 50: the bell rings until 50, before or after Go 3; Go 2 is last. Go 1 between 50 and 55: the bell is late
// and rings at once, and Go 3 comes before Go 2, or after it if Go 1 came after 51. Go 1 at 55: before or after Go 2,
// and before it the bell may ring after Go 2. That is 1 R 3 2, 1 3 R 2, 1 R 2 3, 1 2 R 3 and 2 1 R 3.
TEST(SimulatedTime, WhatWaitedMayBeLate) {
  const Texts all = texts([](World& world) {
    world.simulated_time();
    world.send(world.spawn<Gate>("gate"), Go{0});
  });
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 5U);
}

// Re-arming sets the time anew.
struct Watchdog {
  using Receives = Messages<Go, Ring>;
  void on(const Go& go, Context& ctx) {
    if (go.n < 3) ctx.after(milliseconds(7), Go{go.n + 1});
    ctx.after(milliseconds(10), Ring{});
  }
  void on(const Ring&, Context& ctx) {
    ctx.check(ctx.now() == milliseconds(31), "barks 10 after the last Go at 21");
  }
};

TEST(SimulatedTime, RearmingSetsTheTimeAnew) {
  const auto runs = every_run([](World& world) {
    world.simulated_time();
    world.send(world.spawn<Watchdog>("dog"), Go{0});
  });
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].trace.steps.size(), 5U);
  EXPECT_EQ(runs[0].trace.violation, std::nullopt);
}

}  // namespace
}  // namespace gainsay::simulated_time_test
