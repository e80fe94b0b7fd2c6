// What goes wrong, and how it is reported: by whom, when, in which words.
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay::violations_test {
namespace {

using every_run::every_run;
using every_run::OneRun;

struct Go {
  int n = 0;
};
struct Mark {
  int n = 0;
};

struct Sink {
  using Receives = Messages<Mark>;
  int sum = 0;
  void on(const Mark& mark) { sum += mark.n; }
};

// The violation of the only execution of a world.
Violation only_violation(const every_run::Body& body) {
  const auto runs = every_run(body);
  EXPECT_EQ(runs.size(), 1U);
  EXPECT_TRUE(runs.at(0).trace.violation);
  EXPECT_EQ(runs[0].ending, Ending::violated);
  return runs[0].trace.violation.value_or(Violation{});
}

// --- properties of each actor ---

TEST(AlwaysEach, NamesTheActor) {
  const auto violation = only_violation([](World& world) {
    const auto sinks = world.group<Sink>("sink", 3);
    world.order(Delivery::mailbox);
    for (const int n : {1, 5}) world.send(sinks[2], Mark{n});
    world.always_each("little", sinks, [sinks](View v, Ref<Sink> each) -> Complaint {
      if (v[each].sum < 5) return {};
      return "sink " + std::to_string(sinks.index(each)) + " has much";
    });
  });
  EXPECT_EQ(violation.property, "little");
  EXPECT_EQ(violation.message, "sink 2 has much");
  EXPECT_EQ(violation.step, 1U);
}

TEST(AlwaysEach, MayReadOnlyThatActor) {
  const auto violation = only_violation([](World& world) {
    const auto sinks = world.group<Sink>("sink", 2);
    world.send(sinks[1], Mark{1});
    world.always_each("equal", sinks, [sinks](View v, Ref<Sink> each) -> Complaint {
      if (v[each].sum == v[sinks[0]].sum) return {};
      return "unequal";
    });
  });
  EXPECT_THAT(violation.message, testing::HasSubstr("reads sink.0, which is not in its scope"));
}

// --- checks ---

struct Checker {
  using Receives = Messages<Go>;
  Ref<Sink> sink;
  int made = 0;
  void on(const Go& go, Context& ctx) {
    const auto text = [&] {
      ++made;
      return std::string("two, made only now");
    };
    ctx.check(true, "fine");
    ctx.check(true, text);
    ctx.check(go.n != 1, "one");
    ctx.check(go.n != 1, "one again");
    ctx.check(go.n != 2, text);
    ctx.send(sink, Mark{10 + made});
  }
};

every_run::Body checking(int n) {
  return [n](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    world.send(sink, Mark{});
    world.order(Delivery::mailbox);
    world.send(world.spawn("checker", Checker{.sink = sink}), Go{n});
  };
}

// The first failed check counts; the execution ends after the handler.
TEST(Check, EndsTheExecutionAfterTheHandler) {
  for (const OneRun& run : every_run(checking(1))) {
    const auto at = static_cast<std::uint32_t>(run.trace.steps.size() - 1);
    EXPECT_EQ(run.trace.violation, (Violation{"check", "one", ActorId{1}, at}));
    EXPECT_EQ(run.trace.steps.back().event.receiver, ActorId{1});
  }
  EXPECT_EQ(every_run(checking(2))[0].trace.violation.value().message, "two, made only now");
  for (const OneRun& run : every_run(checking(3))) EXPECT_EQ(run.ending, Ending::quiescent);
  // What the handler did after the failed check is written down.
  const Blueprint blueprint = every_run::build(checking(2));
  const auto steps = every_run(blueprint)[0].trace.decisions();
  EXPECT_EQ(replay_steps(blueprint, steps, 200).document.steps.back().sent,
            std::vector<std::string>{"Mark{n: 11} to sink"});
}

// --- exceptions ---

struct Thrower {
  using Receives = Messages<Go>;
  void on_start(Context&) {}
  void on(const Go& go) {
    if (go.n == 1) throw std::runtime_error("out of luck");
    if (go.n == 2) throw 42;
  }
};

struct BadStart {
  using Receives = Messages<>;
  void on_start(Context&) { throw std::logic_error("cannot start"); }
};

TEST(Exception, OutOfAHandlerIsAViolation) {
  const auto throwing = [](int n) {
    return only_violation([n](World& world) { world.send(world.spawn<Thrower>("thrower"), Go{n}); });
  };
  EXPECT_EQ(throwing(1), (Violation{"exception", "thrower threw: out of luck", ActorId{0}, 1}));
  EXPECT_EQ(throwing(2),
            (Violation{"exception", "thrower threw something that is not a std::exception", ActorId{0}, 1}));
  EXPECT_EQ(only_violation([](World& world) { world.spawn<BadStart>("bad"); }),
            (Violation{"exception", "bad threw: cannot start", ActorId{0}, 0}));
}

// --- code of the scenario that is no handler ---

struct BadGate {
  using Receives = Messages<Go>;
  bool accepts(const Go& go) const {
    if (go.n == 1) throw std::runtime_error("the gate is stuck");
    return true;
  }
  void on(const Go&) {}
};

class BadFactory {
 public:
  using Receives = Messages<Go>;
  explicit BadFactory(int n) {
    if (n == 1) throw std::runtime_error("cannot be made");
  }
  void on(const Go&) {}
};

TEST(Exception, OutOfGatesFactoriesAndFaultsIsAViolation) {
  const std::string prefix = "a gate (accepts), a factory or a fault function threw: ";
  const Violation gate =
      only_violation([](World& world) { world.send(world.spawn<BadGate>("gate"), Go{1}); });
  EXPECT_EQ(gate.property, "exception");
  EXPECT_EQ(gate.message, prefix + "the gate is stuck");
  const Violation factory = only_violation([](World& world) { world.wrap<BadFactory>("box", 1); });
  EXPECT_EQ(factory.message, prefix + "cannot be made");
  const auto runs = every_run([](World& world) {
    world.send(world.spawn<Sink>("sink"), Mark{1});
    world.faults().corrupt<Mark>(1, [](const Mark&) -> Mark { throw 7; });
  });
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].trace.violation, std::nullopt);
  EXPECT_EQ(runs[1].trace.violation.value().message, prefix + "something that is not a std::exception");
}

// --- messages nobody wants ---

struct Rude {
  using Receives = Messages<Go>;
  ActorId to = nobody;
  void on(const Go& go, Context& ctx) { ctx.send(to, go); }
};

TEST(Unhandled, IsAViolationOfTheReceiver) {
  EXPECT_EQ(only_violation([](World& world) {
              const auto sink = world.spawn<Sink>("sink");
              world.send(world.spawn("rude", Rude{.to = sink}), Go{1});
            }),
            (Violation{"unhandled message", "sink does not receive Go (sent by rude)", ActorId{0}, 1}));
}

struct BadMemory {
  using Receives = Messages<Go>;
  void on(const Go&, Context& ctx) {
    ctx.persist(Mark{1});
    ctx.recover<Go>();
  }
};

TEST(Recover, OfAnotherTypeIsAViolation) {
  const Violation violation =
      only_violation([](World& world) { world.send(world.spawn<BadMemory>("m"), Go{}); });
  EXPECT_EQ(violation.property, "bad recover");
  EXPECT_EQ(violation.message, "m persisted a Mark and recovers a Go");
}

// --- invariants ---

// Two sinks get 1 and 2 each, in any order; the invariant complains when the sums are 1 and 2, whoever came
// last.
every_run::Body two_sums(const std::function<void(World&, Group<Sink>)>& properties) {
  return [=](World& world) {
    const auto sinks = world.group<Sink>("sink", 2);
    for (const auto sink : sinks) {
      world.send(sink, Mark{1});
      world.send(sink, Mark{2});
    }
    properties(world, sinks);
  };
}

Complaint unequal(View v, Group<Sink> sinks) {
  if (v[sinks[0]].sum == 1 && v[sinks[1]].sum == 2) return "one and two";
  return {};
}

// With the scope of both, without a scope, and the number of executions that see it: a1 before b2 or b2
// before a1, nothing in between, then it ends: the two orders of the first two steps.
TEST(Always, IsFoundWhoeverChanges) {
  for (const bool scoped : {true, false}) {
    const auto runs = every_run(two_sums([scoped](World& world, Group<Sink> sinks) {
      const auto check = [sinks](View v) { return unequal(v, sinks); };
      if (scoped) {
        world.always("unequal", sinks, check);
      } else {
        world.always("unequal", check);
      }
    }));
    std::size_t violated = 0;
    std::set<std::uint64_t> last;
    for (const OneRun& run : runs) {
      if (!run.trace.violation) continue;
      ++violated;
      EXPECT_EQ(*run.trace.violation, (Violation{"unequal", "one and two", nobody, 1}));
      last.insert(run.trace.steps.back().event.receiver.raw);
    }
    EXPECT_EQ(violated, 2U);
    EXPECT_EQ(last.size(), 2U) << "found after a step of either";
    // 4! executions without the property; two of them share each cut prefix of two steps: 24 - 2 * 2 + 2.
    EXPECT_EQ(runs.size(), 22U);
  }
}

// Nobody looks at a property when only others change, so one that reads others is told of, where it is first looked at.
TEST(Properties, ReadNothingButTheirScope) {
  using Kind = Property::Kind;
  for (const Kind kind : {Kind::always, Kind::reached, Kind::always_eventually, Kind::eventually_always}) {
    const Blueprint blueprint = every_run::build(two_sums([kind](World& world, Group<Sink> sinks) {
      const auto check = [sinks](View v) { return unequal(v, sinks); };
      const auto holds = [sinks](View v) { return v[sinks[0]].sum + v[sinks[1]].sum == 100; };
      if (kind == Kind::always) world.always("unequal", sinks[0], check);
      if (kind == Kind::reached) world.reached("unequal", sinks[0], holds);
      if (kind == Kind::always_eventually) world.always_eventually("unequal", sinks[0], check);
      if (kind == Kind::eventually_always) world.eventually_always("unequal", sinks[0], check);
    }));
    for (const auto& mode : every_run::modes) {
      std::size_t violated = 0;
      for (const OneRun& run : every_run::runs_in(blueprint, mode)) {
        if (!run.trace.violation) continue;
        ++violated;
        EXPECT_NE(run.trace.violation->message.find("which is not in its scope"), std::string::npos)
            << run.trace.violation->message;
      }
      EXPECT_GT(violated, 0U) << static_cast<int>(kind);
    }
  }
}

TEST(Always, IsLookedAtBeforeTheFirstStep) {
  EXPECT_EQ(only_violation(two_sums([](World& world, Group<Sink>) {
              world.always("never", [](View) -> Complaint { return "wrong from the start"; });
            })),
            (Violation{"never", "wrong from the start", nobody, no_step}));
}

TEST(Always, AFailedCheckComesFirst) {
  EXPECT_EQ(only_violation([](World& world) {
              const auto thrower = world.spawn<Thrower>("thrower");
              world.send(thrower, Go{1});
              world.order(Delivery::fifo);
              world.always("too", {thrower}, [](View) -> Complaint { return {}; });
            }).property,
            "exception");
}

// --- the end ---

TEST(Finally, IsLookedAtWhereNothingIsLeft) {
  const every_run::Body body = two_sums([](World& world, Group<Sink> sinks) {
    world.finally("total", [sinks](View v) -> Complaint {
      if (v[sinks[0]].sum + v[sinks[1]].sum == 6) return "six";
      return {};
    });
  });
  const auto runs = every_run(body);
  EXPECT_EQ(runs.size(), 24U);
  for (const OneRun& run : runs) EXPECT_EQ(run.trace.violation, (Violation{"total", "six", nobody, 3}));
  // Not at a step bound, where more would have happened.
  for (const OneRun& run : every_run(body, 3)) {
    EXPECT_EQ(run.ending, Ending::step_bound);
    EXPECT_EQ(run.trace.violation, std::nullopt);
  }
  // A bound that is never met is no bound.
  for (const OneRun& run : every_run(body, 4)) EXPECT_EQ(run.ending, Ending::violated);
}

TEST(Finally, IsLookedAtInAWorldWhereNothingHappens) {
  EXPECT_EQ(only_violation([](World& world) {
              world.spawn<Sink>("sink");
              world.finally("something", [](View) -> Complaint { return "nothing"; });
            }),
            (Violation{"something", "nothing", nobody, no_step}));
}

TEST(Properties, ThatThrowAreViolationsThemselves) {
  EXPECT_EQ(only_violation([](World& world) {
              const auto sink = world.spawn<Sink>("sink");
              world.send(sink, Mark{1});
              world.always("fragile", sink, [sink](View v) -> Complaint {
                if (v[sink].sum > 0) throw std::runtime_error("broke");
                return {};
              });
            }),
            (Violation{"fragile", "the property threw: broke", nobody, 0}));
}

}  // namespace
}  // namespace gainsay::violations_test
