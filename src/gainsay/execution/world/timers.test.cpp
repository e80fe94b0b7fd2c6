// Timers of untimed worlds: they fire at any moment, unless they are replaced, cancelled or out of budget.
#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay::timers_test {
namespace {

using every_run::Counts;
using every_run::counts;
using every_run::every_run;
using every_run::OneRun;
using every_run::texts;
using Texts = std::vector<std::string>;

struct Arm {
  int n = 0;
};
struct Disarm {};
struct Ring {
  int n = 0;
};
struct Beat {
  int n = 0;
};

// Arms what it is told to, and keeps what happens.
struct Clock {
  using Receives = Messages<Arm, Disarm, Ring, Beat>;
  std::vector<int> rung;
  void on(const Arm& arm, Context& ctx) { ctx.after(Duration(1), Ring{arm.n}); }
  void on(const Disarm&, Context& ctx) { ctx.cancel<Ring>(); }
  void on(const Ring& ring, Context& ctx) {
    const bool is_timer = ring.n < 9;
    ctx.check((ctx.sender() == ctx.self()) == is_timer, "a timer comes from oneself");
    rung.push_back(ring.n);
  }
  void on(const Beat& beat, Context& ctx) { ctx.after(Duration(1), Beat{beat.n}); }
};

// The timer after its Arm, the other message anywhere: 3.
TEST(Timers, FireAtAnyMoment) {
  EXPECT_EQ(texts([](World& world) {
              const auto clock = world.spawn<Clock>("clock");
              world.send(clock, Arm{1});
              world.send(clock, Disarm{});
            }),
            (Texts{"Arm{n: 1}, Disarm", "Arm{n: 1}, timer Ring{n: 1}, Disarm",
                   "Disarm, Arm{n: 1}, timer Ring{n: 1}"}));
}

// Arms itself twice while it rings, three times: the second arming replaces the first, so nothing can be swapped.
struct Stutterer {
  using Receives = Messages<Arm, Beat>;
  int left = 3;
  void on(const Arm&, Context& ctx) { ctx.after(Duration(1), Beat{}); }
  void on(const Beat&, Context& ctx) {
    if (--left == 0) return;
    ctx.after(Duration(1), Beat{});
    ctx.after(Duration(1), Beat{});
  }
};

TEST(Timers, ATimerThatArmsItselfTwiceIsPendingOnce) {
  EXPECT_EQ(texts([](World& world) { world.send(world.spawn<Stutterer>("clock"), Arm{}); }),
            (Texts{"Arm{n: 0}, timer Beat{n: 0}, timer Beat{n: 0}, timer Beat{n: 0}"}));
}

// Two Arms of equal timers: the second replaces the first, unless it has rung: Arm Arm Ring, Arm Ring Arm
// Ring; times 2 for which Arm is first. Of different timers: two independent pairs, 4!/(2! 2!) = 6.
TEST(Timers, AnEqualTimerIsReplaced) {
  const auto program = [](int second) {
    return counts([=](World& world) {
      const auto clock = world.spawn<Clock>("clock");
      world.send(clock, Arm{1});
      world.send(clock, Arm{second});
    });
  };
  EXPECT_EQ(program(1), (Counts{4, 4}));
  EXPECT_EQ(program(2), (Counts{6, 6}));
  // Equal timers of two actors are two timers.
  EXPECT_EQ(counts([](World& world) {
              for (const auto clock : world.group<Clock>("clock", 2)) world.send(clock, Arm{1});
            }),
            (Counts{6, 1}));
}

// Cancelling disarms all of one's own timers of the type, and no other's.
struct Busy {
  using Receives = Messages<Arm, Disarm, Ring, Beat>;
  int left = 0;
  void on(const Arm&, Context& ctx) {
    ctx.after(Duration(1), Ring{1});
    ctx.after(Duration(1), Ring{2});
    ctx.after(Duration(1), Beat{3});
    left = 3;
  }
  void on(const Disarm&, Context& ctx) {
    ctx.cancel<Ring>();
    left = 0;
  }
  void on(const Ring&, Context& ctx) { ctx.check(left > 0, "a cancelled timer rings"); }
  void on(const Beat&) {}
};

// Arm first; then a Disarm among three timers. Beat always fires; r of the two Rings fire before the Disarm:
//   r = 0: Disarm and Beat in 2 orders                       2
//   r = 1: 2 choices, before Disarm, Beat anywhere: 3 orders  6
//   r = 2: 2 orders, before Disarm, Beat anywhere: 4 places   8
// Disarm first: Arm, then 3! = 6.
TEST(Timers, CancelDisarmsAllOfItsType) {
  const auto runs = every_run([](World& world) {
    const auto busy = world.spawn<Busy>("busy");
    world.send(busy, Arm{});
    world.send(busy, Disarm{});
  });
  EXPECT_EQ(runs.size(), 2U + 6U + 8U + 6U);
  for (const OneRun& run : runs) EXPECT_EQ(run.trace.violation, std::nullopt);
  EXPECT_EQ(counts([](World& world) {
              const auto clocks = world.group<Clock>("clock", 2);
              world.order(Delivery::mailbox);
              world.send(clocks[0], Arm{1});
              world.send(clocks[1], Disarm{});
            }).runs,
            3U);  // the other's Disarm anywhere beside Arm before Ring
}

// Within one handler the calls count in their order.
struct Hesitant {
  using Receives = Messages<Arm, Disarm, Ring>;
  void on(const Arm&, Context& ctx) {
    ctx.after(Duration(1), Ring{1});
    ctx.cancel<Ring>();
    ctx.after(Duration(1), Ring{2});
    ctx.after(Duration(1), Ring{2});
  }
  void on(const Disarm&, Context& ctx) {
    ctx.after(Duration(1), Ring{3});
    ctx.cancel<Ring>();
  }
  void on(const Ring&) {}
};

TEST(Timers, ArmAndCancelCountInTheirOrder) {
  EXPECT_EQ(texts([](World& world) { world.send(world.spawn<Hesitant>("hesitant"), Arm{}); }),
            (Texts{"Arm{n: 0}, timer Ring{n: 2}"}));
  EXPECT_EQ(texts([](World& world) { world.send(world.spawn<Hesitant>("hesitant"), Disarm{}); }),
            (Texts{"Disarm"}));
}

// --- budgets ---

// A heart that beats for ever stops after its budget, at whichever actor it was spent.
TEST(Timers, ABudgetIsForItsType) {
  EXPECT_EQ(texts([](World& world) {
              world.send(world.spawn<Clock>("clock"), Beat{1});
              world.timer_budget<Beat>(2);
            }),
            (Texts{"Beat{n: 1}, timer Beat{n: 1}, timer Beat{n: 1}"}));
  EXPECT_EQ(texts([](World& world) {
              world.send(world.spawn<Clock>("clock"), Beat{1});
              world.timer_budget<Beat>(0);
            }),
            (Texts{"Beat{n: 1}"}));
  // Two hearts, two messages (2 orders, in each of which the first may beat once or more in between), three
  // beats in all: a word of three letters over two hearts, the second message put in where the first word has
  // no letter of its heart yet. With k beats of the first heart before the second message, the rest are free:
  // 2^(3-k) words: 8 + 4 + 2 + 1 = 15; times 2 for which message is first.
  EXPECT_EQ(counts([](World& world) {
              for (const auto clock : world.group<Clock>("clock", 2)) world.send(clock, Beat{1});
              world.timer_budget<Beat>(3);
            }).runs,
            30U);
  // Another type has no part in it.
  EXPECT_EQ(texts([](World& world) {
              world.send(world.spawn<Clock>("clock"), Arm{1});
              world.timer_budget<Beat>(0);
            }),
            (Texts{"Arm{n: 1}, timer Ring{n: 1}"}));
}

// A message that looks like the timer is not one: 3! orders.
TEST(Timers, ABudgetDoesNotConcernMessages) {
  EXPECT_EQ(counts([](World& world) {
              const auto clock = world.spawn<Clock>("clock");
              for (int i = 9; i < 12; ++i) world.send(clock, Ring{i});
              world.timer_budget<Ring>(0);
            }).runs,
            6U);
}

// --- what keeps an execution alive ---

TEST(Timers, MayLeaveAnExecutionQuiescent) {
  const auto program = [](bool keep_alive) {
    return texts([=](World& world) {
      world.send(world.spawn<Clock>("clock"), Beat{1});
      world.timer_budget<Beat>(2);
      world.timers_keep_alive(keep_alive);
    });
  };
  EXPECT_EQ(program(true), (Texts{"Beat{n: 1}, timer Beat{n: 1}, timer Beat{n: 1}"}));
  EXPECT_EQ(program(false), (Texts{"Beat{n: 1}, timer Beat{n: 1}, timer Beat{n: 1}",
                                   "Beat{n: 1}, timer Beat{n: 1}", "Beat{n: 1}"}));
}

// Without a budget it beats to the step bound; with timers that do not keep it alive every shorter execution
// is there as well, and only the longest one is cut.
TEST(Timers, ForeverEndsAtTheStepBound) {
  for (const bool keep_alive : {true, false}) {
    const auto runs = every_run(
        [=](World& world) {
          world.send(world.spawn<Clock>("clock"), Beat{1});
          world.timers_keep_alive(keep_alive);
        },
        5);
    ASSERT_EQ(runs.size(), keep_alive ? 1U : 5U);
    EXPECT_EQ(runs[0].trace.steps.size(), 5U);
    if (keep_alive) {
      EXPECT_EQ(runs[0].ending, Ending::step_bound);
    } else {
      for (const OneRun& run : runs) EXPECT_EQ(run.ending, Ending::quiescent);
    }
  }
}

// A message keeps it alive whatever the timers do: stop is offered only when timers are all that is left.
TEST(Timers, MessagesKeepAnExecutionAlive) {
  EXPECT_EQ(texts([](World& world) {
              const auto clock = world.spawn<Clock>("clock");
              world.send(clock, Arm{1});
              world.send(clock, Ring{9});
              world.timers_keep_alive(false);
            }),
            (Texts{"Arm{n: 1}, Ring{n: 9}, timer Ring{n: 1}", "Arm{n: 1}, Ring{n: 9}",
                   "Arm{n: 1}, timer Ring{n: 1}, Ring{n: 9}", "Ring{n: 9}, Arm{n: 1}, timer Ring{n: 1}",
                   "Ring{n: 9}, Arm{n: 1}"}));
}

// --- mistakes ---

struct Forgetful {
  using Receives = Messages<Arm>;
  int hours = 0;
  void on(const Arm&, Context& ctx) { ctx.after(std::chrono::hours(hours), Ring{1}); }
};

TEST(Timers, OfATypeThatIsNotReceivedAreAViolation) {
  const auto runs = every_run([](World& world) { world.send(world.spawn<Forgetful>("forgetful"), Arm{}); });
  ASSERT_EQ(runs.size(), 1U);
  ASSERT_TRUE(runs[0].trace.violation);
  EXPECT_EQ(runs[0].trace.violation->property, "unhandled message");
  EXPECT_EQ(runs[0].trace.violation->step, 1U);
}

TEST(Timers, InThePastAreAViolation) {
  const auto runs =
      every_run([](World& world) { world.send(world.spawn("forgetful", Forgetful{.hours = -1}), Arm{}); });
  ASSERT_EQ(runs.size(), 1U);
  ASSERT_TRUE(runs[0].trace.violation);
  EXPECT_EQ(runs[0].trace.violation->property, "bad timer");
}

struct Gated {
  using Receives = Messages<Arm, Disarm, Ring>;
  bool open = false;
  bool accepts(const Ring&) const { return open; }
  void on(const Arm&, Context& ctx) { ctx.after(Duration(1), Ring{1}); }
  void on(const Disarm&) { open = true; }
  void on(const Ring&) {}
};

TEST(Timers, AreGatedLikeMessages) {
  EXPECT_EQ(texts([](World& world) {
              const auto gated = world.spawn<Gated>("gated");
              world.send(gated, Arm{});
              world.send(gated, Disarm{});
            }),
            (Texts{"Arm{n: 0}, Disarm, timer Ring{n: 1}", "Disarm, Arm{n: 0}, timer Ring{n: 1}"}));
}

}  // namespace
}  // namespace gainsay::timers_test
