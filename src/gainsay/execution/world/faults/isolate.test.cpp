#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/marks.test.hpp"

namespace gainsay::isolate_test {
namespace {

using every_run::every_run;
using every_run::OneRun;
using every_run::texts;
using fault_worlds::Mark;
using fault_worlds::Sink;
using Texts = std::vector<std::string>;

// One step: x crosses, y comes from outside. As a partition between a and b would be.
//   x first: y, then the isolation or not (one that leaves nothing to do ends at once) | the isolation, then y   3
//   y first: x, then the isolation or not | the isolation, which leaves nothing to do, then x                     3
//   the isolation first: only y, after which it has ended, then x                                               1
TEST(Isolate, HoldsMessagesForSoManySteps) {
  const std::string alone = "isolate for 1 step";
  const std::string x = "Mark{n: 0}";
  const std::string y = "Mark{n: 9}";
  const std::string comma = ", ";
  EXPECT_EQ(texts([](World& world) {
              const auto a = world.spawn<Sink>("a");
              const auto b = world.spawn<Sink>("b");
              world.send_from(a, b, Mark{});
              world.send(b, Mark{9});
              world.faults().isolate(1, b, 1);
            }),
            (Texts{x + comma + y + comma + alone, x + comma + y, x + comma + alone + comma + y,
                   y + comma + x + comma + alone, y + comma + x, y + comma + alone + comma + x,
                   alone + comma + y + comma + x}));
}

// Both directions, whoever the other is; not the outside, and not oneself.
TEST(Isolate, CutsOffFromAllOthers) {
  const every_run::Body body = [](World& world) {
    const auto sinks = world.group<Sink>("s", 3);
    world.send_from(sinks[0], sinks[1], Mark{1});
    world.send_from(sinks[2], sinks[0], Mark{2});
    world.send_from(sinks[1], sinks[2], Mark{3});
    world.send(sinks[0], Mark{4});
    world.send_from(sinks[0], sinks[0], Mark{5});
    world.faults().isolate(1, sinks[0], 5, /*drops=*/true);
  };
  bool early = false;
  for (const OneRun& run : every_run(body)) {
    std::size_t lost = 0;
    for (const Step& step : run.trace.steps) {
      if (step.event.kind != EventKind::lost) continue;
      ++lost;
      EXPECT_NE(step.event.sender, outside);
      EXPECT_NE(step.event.sender == ActorId{0}, step.event.receiver == ActorId{0});
    }
    if (run.trace.steps[0].event.kind != EventKind::isolate) continue;
    early = true;
    EXPECT_EQ(lost, 2U);
  }
  EXPECT_TRUE(early);
}

TEST(Isolate, WhatItLosesSaysSo) {
  const Blueprint blueprint = every_run::build([](World& world) {
    const auto a = world.spawn<Sink>("a");
    const auto b = world.spawn<Sink>("b");
    world.send_from(a, b, Mark{});
    world.faults().isolate(1, a, 3, true);
  });
  bool seen = false;
  for (const OneRun& run : every_run(blueprint)) {
    for (const DocumentStep& step : replay_steps(blueprint, run.trace.decisions(), 100).document.steps) {
      if (step.kind == EventKind::isolate) {
        EXPECT_EQ(step.to, "a");
      }
      if (step.kind != EventKind::lost) continue;
      seen = true;
      EXPECT_EQ(step.cut, "isolation of a");
    }
  }
  EXPECT_TRUE(seen);
}

TEST(Isolate, NotWhileAnotherCutIsInForce) {
  for (const OneRun& run : every_run([](World& world) {
         const auto a = world.spawn<Sink>("a");
         const auto b = world.spawn<Sink>("b");
         world.send_from(a, b, Mark{});
         world.faults().partition("cut", {a, b}).isolate(1, a, 1);
       })) {
    bool cut = false;
    for (const Step& step : run.trace.steps) {
      if (step.event.kind == EventKind::partition) cut = true;
      if (step.event.kind == EventKind::heal) cut = false;
      if (step.event.kind == EventKind::isolate) {
        EXPECT_FALSE(cut);
      }
    }
  }
}

}  // namespace
}  // namespace gainsay::isolate_test
