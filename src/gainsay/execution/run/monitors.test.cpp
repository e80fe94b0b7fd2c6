// Monitors: notified at once, part of the world's state, judged at the end; and the history that clients leave.
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay::monitors_test {
namespace {

using every_run::every_run;
using every_run::OneRun;

struct Go {
  int n = 0;
};
struct Began {
  int n = 0;
};
struct Ended {
  int n = 0;
};

struct Work {
  using Observes = Messages<Began, Ended>;
  std::set<int> open;
  void on(const Began& e) { open.insert(e.n); }
  void on(const Ended& e, MonitorContext& m) {
    m.check(open.contains(e.n), [&] { return "ended what had not begun: " + std::to_string(e.n); });
    if (e.n == 13) throw std::runtime_error("thirteen");
    open.erase(e.n);
  }
  std::string hot() const { return open.empty() ? "" : std::to_string(open.size()) + " open"; }
};

struct Counter {
  using Observes = Messages<Began>;
  int count = 0;
  void on(const Began&, MonitorContext&) { ++count; }
};

struct Beginner {
  using Receives = Messages<Go>;
  void on(const Go& go, Context& ctx) {
    ctx.notify<Work>(Began{go.n});
    ctx.notify<Counter>(Began{go.n});
  }
};
struct Ender {
  using Receives = Messages<Go>;
  void on(const Go& go, Context& ctx) { ctx.notify<Work>(Ended{go.n}); }
};

every_run::Body begin_and_end(std::vector<int> begins, std::vector<int> ends) {
  return [=](World& world) {
    world.monitor<Work>("work");
    const auto counter = world.monitor<Counter>("counter");
    const auto beginner = world.spawn<Beginner>("beginner");
    const auto ender = world.spawn<Ender>("ender");
    for (const int n : begins) world.send(beginner, Go{n});
    for (const int n : ends) world.send(ender, Go{n});
    world.always("counts", counter, [=](View v) -> Complaint {
      return v[counter].count <= static_cast<int>(begins.size()) ? Complaint{} : Complaint("too many");
    });
    world.reached("all", counter,
                  [=](View v) { return v[counter].count == static_cast<int>(begins.size()); });
  };
}

std::map<std::string, int> messages_of(const std::vector<OneRun>& runs) {
  std::map<std::string, int> messages;
  for (const OneRun& run : runs) {
    ++messages[run.trace.violation ? run.trace.violation->property + ": " + run.trace.violation->message
                                   : "ok"];
  }
  return messages;
}

TEST(Monitors, AreNotifiedWithinTheStep) {
  // Began and Ended in both orders: the end first is a violation by the monitor, named after it.
  const auto runs = every_run(begin_and_end({1}, {1}));
  EXPECT_EQ(messages_of(runs),
            (std::map<std::string, int>{{"ok", 1}, {"work: ended what had not begun: 1", 1}}));
  for (const OneRun& run : runs) {
    if (run.trace.violation) {
      EXPECT_EQ(run.trace.violation->step, 0U);
      EXPECT_EQ(run.trace.violation->actor, ActorId{3});  // whose handler told it
    }
  }
}

TEST(Monitors, HotAtTheEndIsAViolation) {
  const auto runs = every_run(begin_and_end({1, 2}, {}));
  ASSERT_EQ(runs.size(), 2U);
  for (const OneRun& run : runs) {
    ASSERT_TRUE(run.trace.violation);
    EXPECT_EQ(run.trace.violation->property, "work");
    EXPECT_EQ(run.trace.violation->message, "nothing can happen any more, but the monitor is hot: 2 open");
  }
}

TEST(Monitors, ThatThrowAreViolationsOfTheStep) {
  const auto runs = every_run(begin_and_end({13}, {13}));
  EXPECT_EQ(messages_of(runs), (std::map<std::string, int>{{"exception: work threw: thirteen", 1},
                                                           {"work: ended what had not begun: 13", 1}}));
}

TEST(Monitors, CanBeReadByProperties) {
  const Blueprint blueprint = every_run::build([](World& world) {
    const auto counter = world.monitor<Counter>("counter");
    world.monitor<Work>("work", Work{{7}});
    const auto beginner = world.spawn<Beginner>("beginner");
    world.send(beginner, Go{1});
    world.send(beginner, Go{2});
    world.always("at most one", counter,
                 [=](View v) -> Complaint { return v[counter].count < 2 ? Complaint{} : Complaint("two"); });
  });
  for (const auto& mode : every_run::modes) {
    for (const OneRun& run : every_run::runs_in(blueprint, mode)) {
      ASSERT_TRUE(run.trace.violation);
      EXPECT_EQ(run.trace.violation->property, "at most one");
      EXPECT_EQ(run.trace.violation->step, 1U);
    }
  }
}

TEST(Monitors, AreNoPartOfTheTraceClass) {
  // Two independent beginners commute: their order is visible in no actor's sequence.
  const auto runs = every_run([](World& world) {
    world.monitor<Work>("work");
    world.monitor<Counter>("counter");
    world.send(world.spawn<Beginner>("a"), Go{1});
    world.send(world.spawn<Beginner>("b"), Go{2});
  });
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].trace_class, runs[1].trace_class);
}

TEST(Monitors, ThatAWorldDoesNotHaveAreNamed) {
  const auto runs = every_run([](World& world) {
    world.monitor<Work>("work");
    world.send(world.spawn<Beginner>("beginner"), Go{1});
  });
  ASSERT_EQ(runs.size(), 1U);
  ASSERT_TRUE(runs[0].trace.violation);
  EXPECT_EQ(runs[0].trace.violation->property, "bad notify");
  EXPECT_EQ(runs[0].trace.violation->message,
            "beginner notifies monitor Counter, which this world does not have; add "
            "world.monitor<Counter>(\"...\") to the scenario");
}

struct Sneak {
  using Receives = Messages<Go>;
  ActorId monitor = nobody;
  void on(const Go&, Context& ctx) { ctx.send(monitor, Began{1}); }
};

TEST(Monitors, CannotBeSentTo) {
  const auto runs = every_run([](World& world) {
    const auto work = world.monitor<Work>("work");
    world.send(world.spawn("sneak", Sneak{work}), Go{});
  });
  ASSERT_TRUE(runs.at(0).trace.violation);
  EXPECT_EQ(runs[0].trace.violation->message,
            "sneak sends Began to monitor work; use ctx.notify for monitors");
}

TEST(Monitors, OfOneTypeAreOne) {
  try {
    every_run::build([](World& world) {
      world.monitor<Work>("a");
      world.monitor<Work>("b");
      world.spawn<Ender>("ender");
    });
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "scenario 'tiny': monitor 'b' is the second of type Work; a world has at most one monitor "
                 "of each type");
  }
}

TEST(Monitors, AreInTheDocument) {
  const Blueprint blueprint = every_run::build(begin_and_end({1}, {1}));
  const auto runs = every_run::runs_in(blueprint, every_run::modes[0]);
  for (const OneRun& run : runs) {
    if (run.trace.violation) continue;
    const Replay replay = replay_steps(blueprint, run.trace.decisions(), 100);
    ASSERT_EQ(replay.document.steps.size(), 2U);
    EXPECT_EQ(replay.document.actors, (std::vector<std::string>{"beginner", "ender"}));
    EXPECT_EQ(replay.document.steps[0].notes,
              (std::vector<std::string>{"tells monitor work Began{n: 1}", "tells monitor counter Began{n: 1}",
                                        "monitor work is hot now: 1 open"}));
    EXPECT_EQ(replay.document.steps[1].notes,
              (std::vector<std::string>{"tells monitor work Ended{n: 1}", "monitor work is cold now"}));
  }
}

// --- histories ---

struct Get {};
struct Put {
  int value = 0;
};
struct Got {
  int value = 0;
};

struct Client {
  using Receives = Messages<Go>;
  std::optional<Invocation> pending;
  void on(const Go& go, Context& ctx) {
    if (go.n == 0) pending = ctx.invoke(Put{5});
    if (go.n == 1 && pending) ctx.complete(*pending, Got{5});
    if (go.n == 2) ctx.complete(Invocation{3}, Completion::failed);
  }
};

every_run::Body recording(std::vector<int> steps, std::vector<std::vector<std::string>>* seen) {
  return [=](World& world) {
    world.order(Delivery::mailbox);
    const auto client = world.spawn<Client>("client");
    for (const int n : steps) world.send(client, Go{n});
    world.history("recorded",
                  [seen](std::span<const HistoryEntry> history, const WorldReader& reader) -> Complaint {
                    std::vector<std::string> lines;
                    for (const HistoryEntry& entry : history) {
                      lines.push_back(reader.name(entry.process) + " " + std::to_string(entry.number) +
                                      (entry.invocation ? " invokes " : " completes ") +
                                      (entry.type == nullptr ? "" : std::string(entry.type->name)));
                    }
                    seen->push_back(lines);
                    return history.size() < 4 ? Complaint{} : Complaint("long");
                  });
  };
}

TEST(Histories, AreJudgedWhereAnExecutionEnds) {
  std::vector<std::vector<std::string>> seen;
  const auto runs = every_run(recording({0, 1}, &seen));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_FALSE(runs[0].trace.violation);
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen[0], (std::vector<std::string>{"client 0 invokes Put", "client 0 completes Got"}));
}

TEST(Histories, ThatAreWrongAreViolations) {
  std::vector<std::vector<std::string>> seen;
  const auto runs = every_run(recording({0, 1, 0, 1}, &seen));
  ASSERT_TRUE(runs.at(0).trace.violation);
  EXPECT_EQ(runs[0].trace.violation->property, "recorded");
  EXPECT_EQ(runs[0].trace.violation->message, "long");
}

TEST(Histories, OfCutExecutionsAreJudgedToo) {
  std::vector<std::vector<std::string>> seen;
  const Blueprint blueprint = every_run::build(recording({0, 1, 0, 1, 0}, &seen));
  const auto runs = every_run::runs_in(blueprint, every_run::modes[0], 4);
  ASSERT_TRUE(runs.at(0).trace.violation);
  EXPECT_EQ(runs[0].trace.violation->property, "recorded");
}

// A server that begins and ends the operations of clients who take no steps; whoever answers completes.
struct Silent {
  using Receives = Messages<>;
};
struct Answer {
  ActorId client{};
};
struct Second {
  using Receives = Messages<Answer>;
  void on(const Answer& answer, Context& ctx) { ctx.complete_for(answer.client, Got{5}); }
};
struct First {
  using Receives = Messages<Go>;
  Ref<Second> second{};
  void on(const Go&, Context& ctx) {
    ctx.invoke_for(ctx.sender(), Put{5});
    ctx.send(second, Answer{ctx.sender()});
  }
};

TEST(Histories, AreAlsoThoseOfClientsThatTakeNoSteps) {
  std::vector<std::string> lines;
  const auto runs = every_run([&](World& world) {
    const auto client = world.spawn<Silent>("client");
    const auto second = world.spawn<Second>("second");
    const auto first = world.spawn("first", First{second});
    world.send_from(client, first, Go{0});
    world.history("seen", [&](std::span<const HistoryEntry> history, const WorldReader& reader) -> Complaint {
      lines.clear();
      for (const HistoryEntry& entry : history)
        lines.push_back(reader.name(entry.process) + " at " + reader.name(entry.actor));
      return {};
    });
  });
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(lines, (std::vector<std::string>{"client at first", "client at second"}));
}

TEST(Histories, CompleteOnlyWhatHasBegun) {
  std::vector<std::vector<std::string>> seen;
  const auto runs = every_run(recording({2}, &seen));
  ASSERT_TRUE(runs.at(0).trace.violation);
  EXPECT_EQ(runs[0].trace.violation->message,
            "client completes its operation number 3, which it has not begun (ctx.invoke)");
}

TEST(Histories, AreJudgedOncePerHistory) {
  std::vector<std::vector<std::string>> seen;
  const Blueprint blueprint = every_run::build([&](World& world) {
    recording({0, 1}, &seen)(world);
    world.monitor<Work>("work");
    world.monitor<Counter>("counter");
    const auto beginner = world.spawn<Beginner>("beginner");
    const auto ender = world.spawn<Ender>("ender");
    world.send(beginner, Go{1});
    world.send(ender, Go{1});
  });
  const auto runs = every_run::runs_in(blueprint, every_run::modes[0]);
  // The property may read the steps of the entries: of 4! / 2 orders only those that differ in them are asked about.
  // The client begins at step i and ends at step j > i of 4: 4 * 3 / 2 pairs.
  EXPECT_GT(runs.size(), 6U);
  std::size_t whole = 0;
  for (const auto& lines : seen) whole += lines.size() == 2 ? 1 : 0;
  EXPECT_EQ(whole, 6U);  // the others were remembered
}

}  // namespace
}  // namespace gainsay::monitors_test
