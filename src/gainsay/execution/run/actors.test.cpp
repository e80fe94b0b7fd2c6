// Lives of actors: starts, spawning, gates, waiting, opaque actors, replies.
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/strategy/follow/replay.hpp"

namespace gainsay::actors_test {
namespace {

using every_run::build;
using every_run::Counts;
using every_run::counts;
using every_run::every_run;
using every_run::factorial;
using every_run::OneRun;
using every_run::texts;
using Texts = std::vector<std::string>;

struct Go {
  int n = 0;
};
struct Mark {
  int n = 0;
};

struct Sink {
  using Receives = Messages<Mark>;
  std::vector<int> got;
  void on(const Mark& mark) { got.push_back(mark.n); }
};

// --- starts ---

struct Starter {
  using Receives = Messages<Mark>;
  bool started = false;
  void on_start(Context&) { started = true; }
  void on(const Mark&, Context& ctx) { ctx.check(started, "a message before the start"); }
};

// n starts in any order. A message waits for the start of its receiver only: with one message for each of two
// actors, start before message twice: 4!/(2! 2!) = 6.
TEST(Start, ComesBeforeMessages) {
  for (std::size_t n = 1; n <= 4; ++n) {
    EXPECT_EQ(counts([n](World& world) { world.group<Starter>("starter", n); }), (Counts{factorial(n), 1}));
  }
  const auto runs = every_run([](World& world) {
    for (const auto starter : world.group<Starter>("starter", 2)) world.send(starter, Mark{});
  });
  EXPECT_EQ(runs.size(), 6U);
  for (const OneRun& run : runs) EXPECT_EQ(run.trace.violation, std::nullopt);
  // Whoever has no on_start has no start event.
  EXPECT_EQ(texts([](World& world) { world.send(world.spawn<Sink>("sink"), Mark{1}); }),
            (Texts{"Mark{n: 1}"}));
}

// --- spawning ---

struct Child {
  using Receives = Messages<Mark>;
  int started = 0;
  std::vector<int> got;
  void on_start(Context&) { ++started; }
  void on(const Mark& mark, Context& ctx) {
    ctx.check(started == 1, "a message before the start");
    got.push_back(mark.n);
  }
};

struct Parent {
  using Receives = Messages<Go>;
  std::vector<Ref<Child>> children;
  void on(const Go& go, Context& ctx) {
    const auto child = ctx.spawn("child", Child{});
    children.push_back(child);
    ctx.send(child, Mark{go.n});
  }
};

// A spawned actor can be sent to at once; its start comes first.
TEST(Spawn, StartsBeforeItsMessages) {
  EXPECT_EQ(texts([](World& world) { world.send(world.spawn<Parent>("parent"), Go{1}); }),
            (Texts{"Go{n: 1}, start parent/child.0, Mark{n: 1}"}));
}

// Go before start before Mark, twice: 6!/(3! 3!) = 20, times nothing for the Gos, which are different events
// of one parent: they are the heads of the two chains. Children are named by the parent's counter: the first
// child in time is child 0, whichever Go made it.
TEST(Spawn, IdsAreMadeFromCreatorAndCounter) {
  const Blueprint blueprint = build([](World& world) {
    const auto parent = world.spawn<Parent>("parent");
    world.send(parent, Go{1});
    world.send(parent, Go{2});
  });
  const auto runs = every_run(blueprint);
  EXPECT_EQ(runs.size(), 20U);
  EXPECT_EQ(every_run::classes_of(runs, 1), 2U);
  for (const OneRun& run : runs) {
    Execution execution(blueprint, {});
    ReplayStrategy strategy(run.trace.decisions());
    strategy.begin({});
    execution.run(strategy, Keep{});
    const View view(execution);
    const Parent& parent = view[Ref<Parent>(ActorId{0})];
    ASSERT_EQ(parent.children.size(), 2U);
    for (std::uint32_t k = 0; k < 2; ++k) {
      EXPECT_EQ(parent.children[k], spawned_id(ActorId{0}, k, "child"));
      EXPECT_EQ(execution.name(parent.children[k]), "parent/child." + std::to_string(k));
      EXPECT_TRUE(view.alive(parent.children[k]));
      EXPECT_EQ(view[parent.children[k]].got.size(), 1U);
    }
    EXPECT_FALSE(view.exists(spawned_id(ActorId{0}, 2, "child")));
  }
}

// Two parents: which of their children is met first differs from schedule to schedule; ids, classes and
// replays do not (every_run replays each in a fresh kernel and compares classes). Chains of three at two
// parents: 6!/(3! 3!) = 20.
TEST(Spawn, DoesNotDependOnWhatWasMetBefore) {
  EXPECT_EQ(counts([](World& world) {
              for (const auto parent : world.group<Parent>("parent", 2)) world.send(parent, Go{1});
            }),
            (Counts{20, 1}));
  // The same with a cut, which stands in the sequence of every actor that is there.
  const auto runs = every_run([](World& world) {
    const auto parents = world.group<Parent>("parent", 2);
    for (const auto parent : parents) world.send(parent, Go{1});
    world.faults().partition("cut", {parents[0], parents[1]});
  });
  EXPECT_GT(runs.size(), 100U);
}

struct Grandparent {
  using Receives = Messages<Go>;
  void on(const Go& go, Context& ctx) { ctx.send(ctx.spawn(Parent{}), go); }
};

TEST(Spawn, OfTheSpawned) {
  EXPECT_EQ(texts([](World& world) { world.send(world.spawn<Grandparent>("top"), Go{1}); }),
            (Texts{"Go{n: 1}, Go{n: 1}, start top/Parent.0/child.0, Mark{n: 1}"}));
}

// The counter outlives a crash: a child made after the restart is another one.
TEST(Spawn, TheCounterSurvivesACrash) {
  const auto all = texts([](World& world) {
    const auto parent = world.spawn<Parent>("parent");
    world.send(parent, Go{1});
    world.send(parent, Go{2});
    world.faults().crash(1, parent).restart(1);
  });
  EXPECT_NE(
      std::find(all.begin(), all.end(),
                "Go{n: 1}, start parent/child.0, Mark{n: 1}, crash parent, restart parent, Go{n: 2}, start "
                "parent/child.1, Mark{n: 2}"),
      all.end());
}

// What a child is called depends on the message, so child 0 has one name in one schedule and another in the
// other. What is said about it must be said under its name of this schedule, whatever the memo has seen
// (every_run replays and compares).
struct Grumbler {
  using Receives = Messages<Mark>;
  void on(const Mark&) { throw std::runtime_error("leave me alone"); }
};

struct Namer {
  using Receives = Messages<Go>;
  void on(const Go& go, Context& ctx) { ctx.send(ctx.spawn(go.n == 1 ? "one" : "two", Grumbler{}), Mark{}); }
};

TEST(Spawn, NamesBelongToTheSchedule) {
  const auto runs = every_run([](World& world) {
    const auto namer = world.spawn<Namer>("namer");
    world.send(namer, Go{1});
    world.send(namer, Go{2});
  });
  std::set<std::string> complaints;
  for (const OneRun& run : runs) complaints.insert(run.trace.violation.value().message);
  EXPECT_EQ(complaints, (std::set<std::string>{
                            "namer/one.0 threw: leave me alone", "namer/one.1 threw: leave me alone",
                            "namer/two.0 threw: leave me alone", "namer/two.1 threw: leave me alone"}));
}

// A gated actor that appears in a world that had none.
struct Shy {
  using Receives = Messages<Mark>;
  int next = 1;
  bool accepts(const Mark& mark) const { return mark.n == next; }
  void on(const Mark&) { ++next; }
};

struct ShyParent {
  using Receives = Messages<Go>;
  void on(const Go&, Context& ctx) {
    const auto shy = ctx.spawn(Shy{});
    for (int n = 3; n >= 1; --n) ctx.send(shy, Mark{n});
  }
};

TEST(Spawn, OfAGatedActor) {
  EXPECT_EQ(texts([](World& world) { world.send(world.spawn<ShyParent>("parent"), Go{}); }),
            (Texts{"Go{n: 0}, Mark{n: 1}, Mark{n: 2}, Mark{n: 3}"}));
}

// What the creator knew when it spawned, the spawned knows: 1 was sent to C before, so the child's 2 waits
// for it under causal delivery. {1, start < 2}: 3 orders; with 1 before 2: 2.
struct Tell {
  using Receives = Messages<>;
  Ref<Sink> sink;
  void on_start(Context& ctx) { ctx.send(sink, Mark{2}); }
};

struct Founder {
  using Receives = Messages<Go>;
  Ref<Sink> sink;
  void on(const Go&, Context& ctx) {
    ctx.send(sink, Mark{1});
    ctx.spawn(Tell{.sink = sink});
  }
};

TEST(Spawn, IsACauseForCausalDelivery) {
  for (const Delivery order :
       {Delivery::unordered, Delivery::fifo, Delivery::causal, Delivery::queue, Delivery::mailbox}) {
    const bool waits = order != Delivery::unordered && order != Delivery::fifo;
    EXPECT_EQ(counts([order](World& world) {
                world.order(order);
                const auto sink = world.spawn<Sink>("sink");
                world.send(world.spawn("founder", Founder{.sink = sink}), Go{});
              }),
              (waits ? Counts{2, 1} : Counts{3, 2}))
        << static_cast<int>(order);
  }
}

struct EarlyFounder {
  using Receives = Messages<Go>;
  Ref<Sink> sink;
  void on(const Go&, Context& ctx) {
    ctx.spawn(Tell{.sink = sink});
    ctx.send(sink, Mark{1});
  }
};

// Whoever is made before something is sent may send first.
TEST(Spawn, InAQueueComesWhereItStands) {
  EXPECT_EQ(counts([](World& world) {
              world.order(Delivery::queue);
              const auto sink = world.spawn<Sink>("sink");
              world.send(world.spawn("founder", EarlyFounder{.sink = sink}), Go{});
            }),
            (Counts{3, 2}));
}

// --- sending to nobody ---

struct Misdirected {
  using Receives = Messages<Go>;
  ActorId to = nobody;
  void on(const Go&, Context& ctx) { ctx.send(to, Mark{}); }
};

std::optional<Violation> send_to(ActorId to) {
  const auto runs =
      every_run([to](World& world) { world.send(world.spawn("misdirected", Misdirected{.to = to}), Go{}); });
  EXPECT_EQ(runs.size(), 1U);
  return runs[0].trace.violation;
}

TEST(Send, ToNobodyIsAViolation) {
  for (const ActorId to : {nobody, ActorId{17}, spawned_id(ActorId{5}, 0)}) {
    const auto violation = send_to(to);
    ASSERT_TRUE(violation);
    EXPECT_EQ(violation->property, "bad send");
    EXPECT_EQ(violation->actor, ActorId{0});
    EXPECT_EQ(violation->step, 0U);
  }
  EXPECT_EQ(send_to(nobody)->message, "misdirected sends Mark to nobody, which does not exist");
}

// An actor that will be spawned does not exist before: the same complaint whether or not an earlier execution
// made it.
TEST(Send, ToSomebodyWhoIsNotThereYetIsAViolation) {
  const auto runs = every_run([](World& world) {
    const auto parent = world.spawn<Parent>("parent");
    world.send(parent, Go{1});
    world.send(world.spawn("prophet", Misdirected{.to = spawned_id(parent, 0, "child")}), Go{2});
  });
  for (const OneRun& run : runs) {
    bool spawned = false;
    for (const Step& step : run.trace.steps) {
      if (step.event.receiver == ActorId{0}) spawned = true;
      if (step.event.receiver != ActorId{1}) continue;
      EXPECT_EQ(run.trace.violation.has_value(), !spawned);
    }
  }
}

// The outside takes everything and does nothing; a reply goes to the sender; one may write to oneself.
struct Talker {
  using Receives = Messages<Go, Mark>;
  int heard = 0;
  void on(const Go&, Context& ctx) {
    ctx.check(ctx.sender() == outside, "from outside");
    ctx.reply(Mark{1});
    ctx.send(ctx.self(*this), Mark{2});
  }
  void on(const Mark& mark, Context& ctx) {
    heard = mark.n;
    ctx.check(ctx.sender() == ctx.self(), "from oneself");
    if (mark.n < 4) ctx.reply(Mark{mark.n + 1});
  }
};

TEST(Send, RepliesGoToTheSender) {
  const every_run::Body body = [](World& world) { world.send(world.spawn<Talker>("talker"), Go{}); };
  EXPECT_EQ(texts(body), (Texts{"Go{n: 0}, Mark{n: 2}, Mark{n: 3}, Mark{n: 4}"}));
  const Blueprint blueprint = build(body);
  const auto replay = replay_steps(blueprint, every_run(blueprint)[0].trace.decisions(), 200);
  EXPECT_EQ(replay.document.steps[0].sent, (Texts{"Mark{n: 2} to talker", "Mark{n: 1} to outside"}));
}

// --- gates and waiting ---

struct Door {
  using Receives = Messages<Go, Mark>;
  bool open = false;
  int inside = 0;
  bool accepts(const Mark&) const { return open; }
  std::string waiting() const { return inside == 0 ? "for somebody to come in" : ""; }
  void on(const Go& go) { open = go.n > 0; }
  void on(const Mark&) { ++inside; }
};

// A closed gate keeps a message pending; at the end somebody still waits.
TEST(Gates, LeadToDeadlock) {
  const auto runs = every_run([](World& world) {
    const auto door = world.spawn<Door>("door");
    world.send(door, Mark{});
    world.send(door, Go{0});
  });
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].trace.steps.size(), 1U);
  ASSERT_TRUE(runs[0].trace.violation);
  EXPECT_EQ(runs[0].trace.violation->property, "deadlock");
  EXPECT_EQ(runs[0].trace.violation->message,
            "nothing can happen any more, but door waits: for somebody to come in");
  EXPECT_EQ(runs[0].trace.violation->actor, ActorId{0});
}

// Open and shut in both orders, the visitor whenever it is open: "1 M 0", "1 0" deadlocked, "0 1 M".
TEST(Gates, DependOnTheStateAtTheTime) {
  const auto runs = every_run([](World& world) {
    const auto door = world.spawn<Door>("door");
    world.send(door, Go{1});
    world.send(door, Go{0});
    world.send(door, Mark{});
  });
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_TRUE(runs[0].trace.violation);
  EXPECT_FALSE(runs[1].trace.violation);
  EXPECT_FALSE(runs[2].trace.violation);
}

struct Waiter {
  using Receives = Messages<Mark>;
  bool waits = true;
  bool waiting() const { return waits; }
  void on(const Mark&, Context& ctx) {
    waits = false;
    ctx.halt();
  }
};

TEST(Waiting, MayBeAPlainBool) {
  const auto deadlock = [](bool message, bool crash) {
    return every_run([=](World& world) {
      const auto waiter = world.spawn<Waiter>("waiter");
      if (message) world.send(waiter, Mark{});
      if (crash) world.faults().crash(1, waiter);
    });
  };
  EXPECT_EQ(deadlock(false, false)[0].trace.violation.value().message,
            "nothing can happen any more, but waiter waits: it is still waiting");
  EXPECT_EQ(deadlock(true, false)[0].trace.violation, std::nullopt);
  // Who is down does not wait: crash, or stop and be found waiting.
  const auto runs = deadlock(false, true);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].trace.violation, std::nullopt);
  EXPECT_TRUE(runs[1].trace.violation);
}

struct WaiterParent {
  using Receives = Messages<Go>;
  void on(const Go&, Context& ctx) { ctx.spawn("w", Waiter{}); }
};

TEST(Waiting, ConcernsSpawnedActorsToo) {
  const auto runs = every_run([](World& world) { world.send(world.spawn<WaiterParent>("parent"), Go{}); });
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].trace.violation.value().message,
            "nothing can happen any more, but parent/w.0 waits: it is still waiting");
}

}  // namespace
}  // namespace gainsay::actors_test
