// Crashes, and halting: who has halted does not crash.
#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/marks.test.hpp"

namespace gainsay::crash_test {
namespace {

using every_run::Counts;
using every_run::counts;
using every_run::every_run;
using every_run::OneRun;
using every_run::texts;
using fault_worlds::Mark;
using fault_worlds::Sink;
using Texts = std::vector<std::string>;

TEST(Crash, WhatArrivesAtACrashedActorIsLostOrKept) {
  const auto program = [](std::uint32_t restarts, ToCrashed to_crashed) {
    return texts([=](World& world) {
      const auto sink = world.spawn<Sink>("sink");
      world.send(sink, Mark{});
      world.faults().crash(1, sink).restart(restarts);
      world.to_crashed(to_crashed);
    });
  };
  EXPECT_EQ(program(0, ToCrashed::lost),
            (Texts{"Mark{n: 0}, crash sink", "Mark{n: 0}", "crash sink, Mark{n: 0}"}));
  // Kept: not enabled while it is down, so a crash is the end.
  EXPECT_EQ(program(0, ToCrashed::kept), (Texts{"Mark{n: 0}, crash sink", "Mark{n: 0}", "crash sink"}));
  EXPECT_EQ(program(1, ToCrashed::lost),
            (Texts{"Mark{n: 0}, crash sink, restart sink", "Mark{n: 0}, crash sink", "Mark{n: 0}",
                   "crash sink, Mark{n: 0}, restart sink", "crash sink, Mark{n: 0}",
                   "crash sink, restart sink, Mark{n: 0}"}));
  EXPECT_EQ(program(1, ToCrashed::kept),
            (Texts{"Mark{n: 0}, crash sink, restart sink", "Mark{n: 0}, crash sink", "Mark{n: 0}",
                   "crash sink, restart sink, Mark{n: 0}", "crash sink"}));
}

// Two actors, no restart, nothing to deliver: who goes down, in order: none, a, b, ab, ba.
TEST(Crash, TheBudgetIsForAllTogether) {
  const auto program = [](std::uint32_t budget) {
    return counts([=](World& world) { world.faults().crash(budget, world.group<Sink>("sink", 2)); });
  };
  EXPECT_EQ(program(1), (Counts{3, 3}));
  EXPECT_EQ(program(2), (Counts{5, 4}));
  EXPECT_EQ(program(7), (Counts{5, 4}));  // who is down cannot crash
}

TEST(Crash, OnlyWhoIsNamed) {
  const auto runs = every_run([](World& world) {
    const auto sinks = world.group<Sink>("sink", 3);
    world.faults().crash(3, {sinks[0], sinks[2], sinks[0]});  // named twice is named once
  });
  EXPECT_EQ(runs.size(), 5U);
  for (const OneRun& run : runs) {
    for (const Step& step : run.trace.steps) EXPECT_NE(step.event.receiver, ActorId{1});
  }
}

struct Alarm {
  int n = 0;
};

struct Sleeper {
  using Receives = Messages<Mark, Alarm>;
  void on(const Mark& mark, Context& ctx) { ctx.after(Duration(1), Alarm{mark.n}); }
  void on(const Alarm&) {}
};

// Timers die with the actor and stay dead.
TEST(Crash, KillsTimers) {
  EXPECT_EQ(texts([](World& world) {
              const auto sleeper = world.spawn<Sleeper>("sleeper");
              world.send(sleeper, Mark{1});
              world.faults().crash(1, sleeper).restart(1);
            }),
            (Texts{"Mark{n: 1}, timer Alarm{n: 1}, crash sleeper, restart sleeper",
                   "Mark{n: 1}, timer Alarm{n: 1}, crash sleeper", "Mark{n: 1}, timer Alarm{n: 1}",
                   "Mark{n: 1}, crash sleeper, restart sleeper", "Mark{n: 1}, crash sleeper",
                   "crash sleeper, Mark{n: 1}, restart sleeper", "crash sleeper, Mark{n: 1}",
                   "crash sleeper, restart sleeper, Mark{n: 1}, timer Alarm{n: 1}"}));
  // Only its own: the other's alarm still goes off.
  const auto all = texts([](World& world) {
    const auto sleepers = world.group<Sleeper>("s", 2);
    for (const auto sleeper : sleepers) world.send(sleeper, Mark{1});
    world.faults().crash(1, sleepers[0]);
  });
  EXPECT_NE(std::find(all.begin(), all.end(), "Mark{n: 1}, Mark{n: 1}, crash s.0, timer Alarm{n: 1}"),
            all.end());
}

struct Sender {
  using Receives = Messages<Mark>;
  Ref<Sink> sink;
  void on(const Mark& mark, Context& ctx) { ctx.send(sink, mark); }
};

TEST(Crash, WhatWasSentIsStillDelivered) {
  EXPECT_EQ(texts([](World& world) {
              const auto sink = world.spawn<Sink>("sink");
              const auto sender = world.spawn("sender", Sender{.sink = sink});
              world.send(sender, Mark{3});
              world.faults().crash(1, sender);
            }),
            (Texts{"Mark{n: 3}, Mark{n: 3}, crash sender", "Mark{n: 3}, Mark{n: 3}",
                   "Mark{n: 3}, crash sender, Mark{n: 3}", "crash sender, Mark{n: 3}"}));
}

struct Mortal {
  using Receives = Messages<Mark, Alarm>;
  std::vector<int> got;
  void on(const Mark& mark, Context& ctx) {
    got.push_back(mark.n);
    ctx.after(Duration(1), Alarm{mark.n});
    ctx.halt();
  }
  void on(const Alarm& alarm) { got.push_back(100 + alarm.n); }
};

// What still arrives is an event without effect: 0 and 1 in 2 orders, the alarm of the first anywhere after
// it: 2 * 2 executions; the state knows the first message only. A halted actor does not crash.
TEST(Halt, WhatArrivesLaterIsLost) {
  const auto runs = every_run([](World& world) {
    const auto mortal = world.spawn<Mortal>("mortal");
    for (int i = 0; i < 2; ++i) world.send(mortal, Mark{i});
    world.always("once", mortal, [mortal](View v) -> Complaint {
      if (v[mortal].got.size() > 1) return "handled after it halted";
      if (v[mortal].got.size() == 1 && !v.halted(mortal)) return "not halted";
      return {};
    });
  });
  EXPECT_EQ(runs.size(), 4U);
  for (const OneRun& run : runs) EXPECT_EQ(run.trace.violation, std::nullopt);
  EXPECT_EQ(texts([](World& world) {
              const auto mortal = world.spawn<Mortal>("mortal");
              world.send(mortal, Mark{});
              world.faults().crash(1, mortal);
            }),
            (Texts{"Mark{n: 0}, timer Alarm{n: 0}", "crash mortal, Mark{n: 0}"}));
}

}  // namespace
}  // namespace gainsay::crash_test
