// Delivery orders where there are, or were, more events than a word has bits: gaps are closed, and room is made.
#include <chrono>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/execution/world/receivers.test.hpp"

namespace gainsay::many_events_test {
namespace {

using std::chrono::milliseconds;

using every_run::Counts;
using every_run::counts;

using receivers::all_orders;
using receivers::Mark;
using receivers::Sink;

// Sends so many at once that there is no place for them yet.
struct Crier {
  using Receives = Messages<Mark>;
  Ref<Sink> sink;
  void on(const Mark&, Context& ctx) {
    for (int i = 0; i < 150; ++i) ctx.send(sink, Mark{i});
  }
};

// All of one sender to one receiver: where there is an order there is one execution.
TEST(ManyEvents, WhatOneStepSendsKeepsItsOrder) {
  for (const Delivery order : {Delivery::fifo, Delivery::causal, Delivery::queue, Delivery::mailbox}) {
    EXPECT_EQ(counts([order](World& world) {
                world.order(order);
                const auto sink = world.spawn<Sink>("sink");
                world.send(world.spawn("crier", Crier{sink}), Mark{1});
              }),
              (Counts{1, 1}));
  }
}

// On its first message it sends what it was told to send.
struct Relay {
  using Receives = Messages<Mark>;
  std::vector<std::pair<ActorId, int>> sends;
  void on(const Mark&, Context& ctx) {
    for (const auto& [to, n] : sends) ctx.send(to, Mark{n});
    sends.clear();
  }
};

// Counts down, alone; then the others begin.
struct Countdown {
  using Receives = Messages<Mark>;
  std::vector<Ref<Relay>> others;
  void on(const Mark& mark, Context& ctx) {
    if (mark.n > 0) {
      ctx.send(ctx.self(), Mark{mark.n - 1});
    } else {
      for (const auto other : others) ctx.send(other, Mark{0});
    }
  }
};

// A sends 1 to C and 2 to D, B sends 3 to D and 4 to C, after so many steps of somebody else.
Counts after_steps(int steps, Delivery order, bool timed) {
  return counts([=](World& world) {
    world.order(order);
    if (timed) {
      world.simulated_time();
      world.latency(milliseconds(1), milliseconds(3));
    }
    const auto c = world.spawn<Sink>("c");
    const auto d = world.spawn<Sink>("d");
    const auto a = world.spawn("a", Relay{.sends = {{c, 1}, {d, 2}}});
    const auto b = world.spawn("b", Relay{.sends = {{d, 3}, {c, 4}}});
    world.send(world.spawn("countdown", Countdown{{a, b}}), Mark{steps});
  });
}

void expect_same_after_steps(Delivery order, bool timed) {
  const Counts expected = after_steps(0, order, timed);
  for (int steps = 46; steps <= 58; ++steps)
    EXPECT_EQ(after_steps(steps, order, timed), expected) << steps << ' ' << static_cast<int>(order);
}

// Gaps are closed after some 57 events, that is at any moment of what A and B do.
TEST(ManyEvents, ThatAreOverChangeNothing) {
  for (const Delivery order : all_orders) expect_same_after_steps(order, false);
  // As in DeliveryOrder.QueuesAgreeOnWhoSentFirst.
  EXPECT_EQ(after_steps(0, Delivery::causal, false).runs, 80U);
  EXPECT_EQ(after_steps(0, Delivery::queue, false).runs, 62U);
}

// In time, of an actor that is executed in place and sends more than there are places for: each of them comes once.
struct LiveCrier {
  using Receives = Messages<Mark>;
  explicit LiveCrier(Ref<Sink> to) : sink(std::make_unique<Ref<Sink>>(to)) {}
  std::unique_ptr<Ref<Sink>> sink;
  void on(const Mark&, Context& ctx) {
    for (int i = 0; i < 150; ++i) ctx.send(*sink, Mark{i});
  }
};

TEST(ManyEvents, OfOneStepInTimeComeOnce) {
  HuntOptions options;
  options.strategy = "random";
  options.runs = 10;
  const HuntResult result = hunt(Scenario::of("crier",
                                              [](World& world) {
                                                world.simulated_time();
                                                world.latency(milliseconds(1), milliseconds(5));
                                                const auto sink = world.spawn<Sink>("sink");
                                                world.send(world.wrap<LiveCrier>("crier", sink), Mark{1});
                                              }),
                                 {}, options);
  EXPECT_EQ(result.runs, 10U);
  EXPECT_EQ(result.steps, 10U * 151U);
}

// In a mailbox some events wait while time passes.
TEST(ManyEvents, ThatAreOverChangeNothingInTime) {
  for (const Delivery order : {Delivery::unordered, Delivery::mailbox}) expect_same_after_steps(order, true);
}

}  // namespace
}  // namespace gainsay::many_events_test
