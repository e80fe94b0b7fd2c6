// What a campaign says about the tables of its machines, whoever did the runs.
#include "gainsay/execution/kernel/coverage.hpp"

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"

namespace gainsay::coverage_test {
namespace {

struct A {};
struct B {};

struct Lamp {
  enum class State { off, on };
  using Receives = Messages<A, B>;
  Machine<State> machine{};

  static void table(Table<Lamp>& t) {
    t.start(State::off);
    t.in(State::off).entry(&Lamp::nothing).go_to<A>(State::on).on<B>(&Lamp::nothing);
    t.in(State::on).go_to<A>(State::off).go_to<B>(State::on);
  }
  void nothing() {}
};

struct Picky {
  enum class State { hungry, full };
  using Receives = Messages<A, B>;
  Machine<State> machine{};
  static void table(Table<Picky>& t) {
    t.start(State::hungry);
    t.in(State::hungry).go_to<A>(State::full);
    t.in(State::full).ignore<B>();
  }
};

struct Late {
  enum class State { first, second };
  using Receives = Messages<A>;
  Machine<State> machine{};
  static void table(Table<Late>& t) {
    t.start(State::first);
    t.in(State::first).go_to<A>(State::second);
    t.in(State::second).ignore<A>();
  }
};

struct Maker {
  using Receives = Messages<A>;
  void on(const A&, Context& ctx) { ctx.send(ctx.spawn("late", Late{}), A{}); }
};

HuntResult hunted(std::function<void(World&)> body, HuntOptions options) {
  return hunt(Scenario::of("covered", std::move(body)), {}, options);
}

TEST(MachineCoverage, CountsWhatWasGoneThrough) {
  const HuntResult result = hunted([](World& world) { world.send(world.spawn<Lamp>("m"), A{}); },
                                   {.strategy = "random", .runs = 10});
  ASSERT_EQ(result.coverage.size(), 1U);
  const MachineCoverage& lamp = result.coverage[0];
  EXPECT_EQ(lamp.machine, "Lamp");
  EXPECT_EQ(lamp.states, (CoveredItems{2, 2, {}}));
  EXPECT_EQ(lamp.events, (CoveredItems{1, 2, {"B"}}));
  EXPECT_EQ(lamp.transitions, (CoveredItems{1, 4, {"off on B", "on on A -> off", "on on B -> on"}}));
}

// A machine of the scenario that is never called is covered by nothing; a spawned one is known from its first
// event on.
TEST(MachineCoverage, ListsMachinesThatWereNeverCalled) {
  const HuntResult result = hunted(
      [](World& world) {
        world.spawn<Picky>("picky");
        world.send(world.spawn<Maker>("maker"), A{});
      },
      {.strategy = "random", .runs = 10});
  ASSERT_EQ(result.coverage.size(), 2U);
  EXPECT_EQ(result.coverage[0].machine, "Late");
  EXPECT_EQ(result.coverage[0].transitions.seen, 1U);
  EXPECT_EQ(result.coverage[1].machine, "Picky");
  EXPECT_EQ(result.coverage[1].states.seen, 0U);
  EXPECT_EQ(result.coverage[1].transitions.total, 2U);
}

// Three machines with choices; 64 runs are a chunk, so several chunks go to two workers. The bug of one run
// in 32 or so ends the campaign early: what later runs would cover does not count.
struct Walker {
  enum class State { a, b, c, d };
  using Receives = Messages<A>;
  Machine<State> machine{};
  int steps = 0;
  bool fails = false;
  static void table(Table<Walker>& t) {
    t.start(State::a);
    t.in(State::a, State::b, State::c, State::d)
        .on<A>(&Walker::walk)
        .may_go_to(State::a, State::b, State::c, State::d);
  }
  void walk(Context& ctx) {
    const auto next = static_cast<State>(ctx.choose(4));
    if (++steps < 3) ctx.send(ctx.self(), A{});
    ctx.check(!fails || steps < 3 || next != State::d || machine.state != State::d, "twice in d");
    ctx.go_to(next);
  }
};

TEST(MachineCoverage, DoesNotDependOnJobsOrMemo) {
  for (const bool fails : {false, true}) {
    const auto body = [fails](World& world) { world.send(world.spawn("w", Walker{.fails = fails}), A{}); };
    for (const std::uint64_t runs : {3U, 10U, 400U}) {
      HuntOptions how{.strategy = "random", .runs = runs, .seed = 5};
      const HuntResult one = hunted(body, how);
      how.memo = false;
      EXPECT_EQ(hunted(body, how).coverage, one.coverage);
      how.jobs = 2;
      EXPECT_EQ(hunted(body, how).coverage, one.coverage);
      how.memo = true;
      EXPECT_EQ(hunted(body, how).coverage, one.coverage);
      ASSERT_EQ(one.coverage.size(), 1U);
      EXPECT_EQ(one.coverage[0].transitions.total, 4U + 16U);
    }
  }
}

}  // namespace
}  // namespace gainsay::coverage_test
