// Faults, each alone and some together: exact numbers of executions of tiny worlds, and what is left after
// them.
//
// A world is quiescent when only faults are left; stopping there is one more choice. Where neither is
// possible any more the execution just ends.
#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/strategy/follow/replay.hpp"

namespace gainsay {
namespace {

using every_run::Counts;
using every_run::counts;
using every_run::every_run;
using every_run::OneRun;
using every_run::texts;
using Texts = std::vector<std::string>;

struct Mark {
  int n = 0;
};
struct Other {
  int n = 0;
};

struct Sink {
  using Receives = Messages<Mark, Other>;
  std::vector<int> got;
  void on(const Mark& mark) { got.push_back(mark.n); }
  void on(const Other& other) { got.push_back(other.n); }
};

// n outside messages to one sink.
every_run::Body marks(std::size_t n, const std::function<void(World&)>& more) {
  return [=](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    for (std::size_t i = 0; i < n; ++i) world.send(sink, Mark{static_cast<int>(i)});
    more(world);
  };
}

// --- drop ---

// Every message is delivered or, for at most b of them, lost, in every order: n! * (C(n,0) + ... + C(n,b)).
TEST(Drop, LosesUpToItsBudget) {
  const auto runs = [](std::size_t n, std::uint32_t budget) {
    return counts(marks(n, [budget](World& world) { world.faults().drop(budget); }));
  };
  EXPECT_EQ(runs(1, 1), (Counts{2, 2}));
  EXPECT_EQ(runs(2, 1), (Counts{2 * (1 + 2), 6}));
  EXPECT_EQ(runs(3, 1), (Counts{6 * (1 + 3), 24}));
  EXPECT_EQ(runs(2, 2), (Counts{2 * (1 + 2 + 1), 8}));
  EXPECT_EQ(runs(3, 2), (Counts{6 * (1 + 3 + 3), 42}));
  EXPECT_EQ(runs(2, 9), (Counts{8, 8}));  // there is no more to lose
}

TEST(Drop, OfOneTypeSparesTheOthers) {
  EXPECT_EQ(
      texts([](World& world) {
        world.order(Delivery::fifo);
        const auto sink = world.spawn<Sink>("sink");
        world.send(sink, Other{1});
        world.send(sink, Mark{2});
        world.faults().drop<Mark>(2);
      }),
      (Texts{"Other{n: 1}, Mark{n: 2}", "Other{n: 1}, drop Mark{n: 2}", "drop Mark{n: 2}, Other{n: 1}"}));
}

// What stood behind a lost message moves up: fifo 0 1 with one drop. Deliver 0, then 1 or lose 1; lose 0,
// then 1; lose 1 while 0 is still there, then 0.
TEST(Drop, AQueueMovesUp) {
  EXPECT_EQ(texts([](World& world) {
              world.order(Delivery::fifo);
              const auto sink = world.spawn<Sink>("sink");
              world.send(sink, Mark{0});
              world.send(sink, Mark{1});
              world.faults().drop(1);
            }),
            (Texts{"Mark{n: 0}, Mark{n: 1}", "Mark{n: 0}, drop Mark{n: 1}", "drop Mark{n: 0}, Mark{n: 1}",
                   "drop Mark{n: 1}, Mark{n: 0}"}));
}

// One message each for two actors, one drop: 2! * (1 + 2) executions; who lost what: 3 classes.
TEST(Drop, ConcernsOnlyTheReceiver) {
  EXPECT_EQ(counts([](World& world) {
              for (const auto sink : world.group<Sink>("sink", 2)) world.send(sink, Mark{});
              world.faults().drop(1);
            }),
            (Counts{6, 3}));
}

// --- duplicate ---

// f(n, b): n f(n-1, b) to deliver one, n f(n+1, b-1) to double one; f(0, b) = 1, f(n, 0) = n!.
TEST(Duplicate, DoublesUpToItsBudget) {
  const auto runs = [](std::size_t n, std::uint32_t budget) {
    return counts(marks(n, [budget](World& world) { world.faults().duplicate(budget); })).runs;
  };
  EXPECT_EQ(runs(1, 1), 1U + 2U);
  EXPECT_EQ(runs(2, 1), 2U * 3U + 2U * 6U);
  EXPECT_EQ(runs(1, 2), 1U + 18U);
  EXPECT_EQ(runs(1, 3), 1U + (2U * 19U + 2U * (3U * 18U + 3U * 24U)));  // f(2,2) = 2 f(1,2) + 2 f(3,1)
}

// Fifo, g(n, b): the head is delivered, any may be doubled and the copy goes to the end: g(n-1, b) + n g(n+1,
// b-1), g(n, 0) = g(0, b) = 1.
TEST(Duplicate, ACopyStandsAtTheEnd) {
  const auto runs = [](std::size_t n, std::uint32_t budget) {
    return counts(marks(n,
                        [budget](World& world) {
                          world.order(Delivery::fifo);
                          world.faults().duplicate(budget);
                        }))
        .runs;
  };
  EXPECT_EQ(runs(1, 1), 2U);
  EXPECT_EQ(runs(2, 1), 2U + 2U);
  EXPECT_EQ(runs(1, 2), 1U + 4U);
  EXPECT_EQ(texts(marks(2,
                        [](World& world) {
                          world.order(Delivery::mailbox);
                          world.faults().duplicate(1);
                        })),
            (Texts{"Mark{n: 0}, Mark{n: 1}", "Mark{n: 0}, duplicate Mark{n: 1}, Mark{n: 1}, Mark{n: 1}",
                   "duplicate Mark{n: 0}, Mark{n: 0}, Mark{n: 1}, Mark{n: 0}",
                   "duplicate Mark{n: 1}, Mark{n: 0}, Mark{n: 1}, Mark{n: 1}"}));
}

// One message that may be doubled and one that may not. Mark first: then 3 as above; Other first: Mark is
// left, 1; Other doubled first: three messages, 3! = 6.
TEST(Duplicate, OfOneTypeSparesTheOthers) {
  const auto runs = every_run([](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    world.send(sink, Other{1});
    world.send(sink, Mark{2});
    world.faults().duplicate<Other>(1);
  });
  EXPECT_EQ(runs.size(), 10U);
  for (const OneRun& run : runs) {
    for (const Step& step : run.trace.steps) {
      if (step.event.kind != EventKind::duplicate) continue;
      EXPECT_EQ(step.event.type, reflect::value_type<Other>().name_hash);
    }
  }
}

// --- corrupt ---

// c(n, b) = n c(n-1, b) + n c(n, b-1), c(0, b) = 1, c(n, 0) = n!.
TEST(Corrupt, ChangesUpToItsBudget) {
  const auto plus_100 = [](const Mark& mark) { return Mark{mark.n + 100}; };
  const auto runs = [&](std::size_t n, std::uint32_t budget) {
    return counts(marks(n, [=](World& world) { world.faults().corrupt<Mark>(budget, plus_100); })).runs;
  };
  EXPECT_EQ(runs(1, 1), 2U);
  EXPECT_EQ(runs(1, 2), 3U);
  EXPECT_EQ(runs(2, 1), 2U * 2U + 2U * 2U);
  EXPECT_EQ(texts(marks(1, [&](World& world) { world.faults().corrupt<Mark>(2, plus_100); })),
            (Texts{"Mark{n: 0}", "corrupt Mark{n: 0}, Mark{n: 100}",
                   "corrupt Mark{n: 0}, corrupt Mark{n: 100}, Mark{n: 200}"}));
}

// A corrupted message keeps its place in a queue, and each type has its own function and budget.
TEST(Corrupt, KeepsThePlaceAndTheType) {
  EXPECT_EQ(texts([](World& world) {
              world.order(Delivery::fifo);
              const auto sink = world.spawn<Sink>("sink");
              world.send(sink, Mark{1});
              world.send(sink, Other{2});
              world.faults().corrupt<Mark>(0, [](const Mark&) { return Mark{99}; });
              world.faults().corrupt<Other>(1, [](const Other& other) { return Other{-other.n}; });
            }),
            (Texts{"Mark{n: 1}, Other{n: 2}", "Mark{n: 1}, corrupt Other{n: 2}, Other{n: -2}",
                   "corrupt Other{n: 2}, Mark{n: 1}, Other{n: -2}"}));
}

// --- crash and restart ---

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

struct Disk {
  int sum = 0;
};

// Keeps a sum in memory and, on even numbers, on disk.
struct Store {
  using Receives = Messages<Mark>;
  int sum = 0;
  int restarts = 0;
  int starts = 0;
  void on_start(Context&) { ++starts; }
  void on_restart(Context& ctx) {
    ++restarts;
    sum = ctx.recover<Disk>().value_or(Disk{-1}).sum;
  }
  void on(const Mark& mark, Context& ctx) {
    sum += mark.n;
    if (mark.n % 2 == 0) ctx.persist(Disk{sum});
  }
};

// At every end the disk holds the last sum it was told, whatever crashed; after a restart memory begins with
// what is on disk, and only with that. The second account is kept from the names of the steps alone.
TEST(Restart, DurableStateIsKeptAndTheRestIsLost) {
  const Blueprint blueprint = every_run::build([](World& world) {
    world.order(Delivery::fifo);
    const auto store = world.spawn<Store>("store");
    for (const int n : {1, 2, 4}) world.send(store, Mark{n});
    world.faults().crash(2, store).restart(2);
  });
  std::size_t restarts = 0;
  for (const OneRun& run : every_run(blueprint)) {
    int memory = 0;
    std::optional<int> disk;
    bool up = true;
    int next = 0;
    const int numbers[] = {1, 2, 4};
    for (const Step& step : run.trace.steps) {
      if (step.event.kind == EventKind::crash) up = false;
      if (step.event.kind == EventKind::restart) {
        up = true;
        memory = disk.value_or(-1);
        ++restarts;
      }
      if (step.event.kind != EventKind::deliver) continue;
      const int n = numbers[next++];
      if (!up) continue;
      memory += n;
      if (n % 2 == 0) disk = memory;
    }
    for (const bool memo : {true, false}) {
      Execution execution(blueprint, {.memo = memo});
      ReplayStrategy strategy(run.trace.decisions());
      strategy.begin({});
      execution.run(strategy, Keep{});
      const View view(execution);
      const Ref<Store> store(ActorId{0});
      EXPECT_EQ(view.crashed(store), !up);
      EXPECT_EQ(view.alive(store), up);
      EXPECT_TRUE(!up || view[store].sum == memory);
      const auto stored = view.durable<Disk>(store);
      ASSERT_EQ(stored.has_value(), disk.has_value());
      EXPECT_TRUE(!disk || stored->sum == *disk);
    }
  }
  EXPECT_GT(restarts, 50U);
}

// An actor starts once in each life: by on_start, or by on_restart after a crash, also if it crashed before
// its start.
//   start first: then crash restart | crash | nothing (3); crash first: restart | nothing (2).
TEST(Restart, TakesThePlaceOfTheStart) {
  const every_run::Body body = [](World& world) {
    const auto store = world.spawn<Store>("store");
    world.faults().crash(1, store).restart(1);
    world.always("one start", store, [store](View v) -> Complaint {
      if (v[store].starts + v[store].restarts > 1) return "started twice";
      return {};
    });
  };
  EXPECT_EQ(texts(body), (Texts{"start store, crash store, restart store", "start store, crash store",
                                "start store", "crash store, restart store", "crash store"}));
  for (const OneRun& run : every_run(body)) EXPECT_EQ(run.trace.violation, std::nullopt);
}

// Without on_restart the start is done again.
struct Greeter {
  using Receives = Messages<>;
  Ref<Sink> sink;
  void on_start(Context& ctx) { ctx.send(sink, Mark{7}); }
};

TEST(Restart, IsAnotherStartByDefault) {
  const auto all = texts([](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    const auto greeter = world.spawn("greeter", Greeter{.sink = sink});
    world.faults().crash(1, greeter).restart(1);
  });
  EXPECT_EQ(all[0], "start greeter, Mark{n: 7}, crash greeter, restart greeter, Mark{n: 7}");
  EXPECT_NE(std::find(all.begin(), all.end(), "crash greeter, restart greeter, Mark{n: 7}"), all.end());
}

// Back to the state it was given, not to a default one.
struct Tuned {
  using Receives = Messages<Mark>;
  int tune = 0;
  void on(const Mark& mark) { tune = mark.n; }
};

TEST(Restart, BeginsWithTheFirstState) {
  const auto runs = every_run([](World& world) {
    const auto tuned = world.spawn("tuned", Tuned{.tune = 5});
    world.send(tuned, Mark{8});
    world.faults().crash(1, tuned).restart(1);
    world.finally("tune", [tuned](View v) -> Complaint { return "tune " + std::to_string(v[tuned].tune); });
  });
  ASSERT_EQ(runs.size(), 6U);  // the same six as above
  const char* expected[] = {"tune 5", "tune 8", "tune 8", "tune 5", "tune 5", "tune 8"};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(runs[i].trace.violation.value().message, expected[i]) << i;
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

// --- halt ---

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

// --- together ---

// One message, one drop and one duplicate: deliver; drop; or double, then two messages and one drop: 2! * (1
// + 2).
TEST(Faults, DropAndDuplicate) {
  EXPECT_EQ(counts(marks(1, [](World& world) { world.faults().drop(1).duplicate(1); })).runs, 1U + 1U + 6U);
}

// Drop and crash, one each, one message. Once it is gone: crash or stop, 2. So: deliver 2, drop 2; crash
// first: then deliver (lost) or drop, 2.
TEST(Faults, DropAndCrash) {
  EXPECT_EQ(
      counts(marks(1, [](World& world) { world.faults().drop(1).crash(1, Ref<Sink>(ActorId{0})); })).runs,
      6U);
}

// A fault is offered only while its budget lasts, whatever else happens.
TEST(Faults, BudgetsAreKept) {
  std::map<EventKind, int> most;
  for (const OneRun& run : every_run([](World& world) {
         const auto sinks = world.group<Sink>("s", 2);
         world.order(Delivery::fifo);
         world.send_from(sinks[0], sinks[1], Mark{1});
         world.send(sinks[0], Mark{2});
         world.faults().drop(1).duplicate(1).crash(1, sinks).restart(1).partition("cut", {sinks[0], sinks[1]},
                                                                                  1);
       })) {
    std::map<EventKind, int> counted;
    for (const Step& step : run.trace.steps) ++counted[step.event.kind];
    for (const auto& [kind, count] : counted) most[kind] = std::max(most[kind], count);
    EXPECT_LE(counted[EventKind::restart], counted[EventKind::crash]);
  }
  for (const EventKind kind :
       {EventKind::drop, EventKind::duplicate, EventKind::crash, EventKind::restart, EventKind::partition}) {
    EXPECT_EQ(most[kind], 1) << kind_name(kind);
  }
}

// Invariants see who is down.
TEST(Faults, ChangesOfStatusAreJudged) {
  const auto runs = every_run(marks(1, [](World& world) {
    const Ref<Sink> sink(ActorId{0});
    world.faults().crash(1, sink);
    world.always("up", sink, [sink](View v) -> Complaint {
      if (v.crashed(sink)) return "down";
      return {};
    });
  }));
  ASSERT_EQ(runs.size(), 3U);  // deliver and crash; deliver; crash
  EXPECT_EQ(runs[0].trace.violation.value().step, 1U);
  EXPECT_EQ(runs[1].trace.violation, std::nullopt);
  EXPECT_EQ(runs[2].trace.violation.value().step, 0U);
}

}  // namespace
}  // namespace gainsay
