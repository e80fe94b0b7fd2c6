// Tasks in executions: what is a step, who gets which message, what ends how. Every world here is searched
// completely, so a sentence about an outcome is about all schedules.
#include <chrono>

#include "gainsay/execution/run/task_world.test.hpp"

namespace gainsay::tasks_test {
namespace {

using namespace std::chrono_literals;
using namespace task_world;
using every_run::build;
using every_run::every_run;
using every_run::texts;

TEST(Tasks, CallsReadLikeStraightLineCode) {
  const auto seen = outcomes([](World& world) {
    const auto store = world.spawn<Store>("store");
    const auto reader = world.wrap<Reader>("reader", store);
    return [reader](View view) { return std::to_string(view[reader].seen); };
  });
  EXPECT_EQ(seen, std::set<std::string>{"107"});
}

TEST(Tasks, EachContinuationIsTheStepThatEndsItsWaiting) {
  EXPECT_EQ(
      texts([](World& world) { world.wrap<Reader>("reader", world.spawn<Store>("store")); }),
      std::vector<std::string>{
          "start reader, Put{key: \"a key that is longer than a short string holds\", number: 7}, Done, "
          "Get{key: \"a key that is longer than a short string holds\"}, Value{number: 7}, "
          "Get{key: \"nothing\"}, Missing"});
}

// --- who gets which reply ---

// Answers the first request only when the second has come, and in the other order.
struct LateMirror {
  using Receives = Messages<Echo>;
  std::vector<std::pair<Caller, int>> kept;
  void on(const Echo& echo, Context& ctx) {
    kept.emplace_back(ctx.caller(), echo.number);
    if (kept.size() < 2) return;
    ctx.reply(kept[1].first, Echoed{kept[1].second});
    ctx.reply(kept[0].first, Echoed{kept[0].second});
  }
};

template <class M> std::set<std::string> two_callers() {
  return outcomes([](World& world) {
    const auto mirror = world.spawn<M>("mirror");
    const auto callers = world.wrap<TwoCallers<M>>("callers", mirror);
    return [callers](View view) { return print(view[callers].got); };
  });
}

TEST(Tasks, RepliesFindTheCallTheyAnswer) {
  EXPECT_EQ(two_callers<Mirror>(), std::set<std::string>{"{1: 1, 2: 2}"});
  EXPECT_EQ(two_callers<LateMirror>(), std::set<std::string>{"{1: 1, 2: 2}"});
}

struct Wrong {
  Ref<Mirror> mirror;
  Task<> run(TaskContext& ctx) { co_await ctx.call<Done>(mirror, Echo{1}); }
};

TEST(Tasks, AReplyOfAnotherTypeIsAViolation) {
  EXPECT_EQ(
      endings(build([](World& world) { world.wrap<Wrong>("wrong", world.spawn<Mirror>("mirror")); })),
      std::set<std::string>{"unexpected reply: wrong: task 'run' called with Echo and expects Done, but the "
                            "reply is Echoed"});
}

// Sends where it should reply.
struct Sloppy {
  using Receives = Messages<Echo>;
  void on(const Echo& echo, Context& ctx) { ctx.send(ctx.sender(), Echoed{echo.number}); }
};
struct Hopeful {
  using Receives = Messages<Echoed>;
  Ref<Sloppy> sloppy;
  Task<> run(TaskContext& ctx) { co_await ctx.call<Echoed>(sloppy, Echo{4}); }
};

TEST(Tasks, ATaskThatNeverCompletesIsADeadlock) {
  EXPECT_EQ(
      endings(build([](World& world) { world.wrap<Hopeful>("hopeful", world.spawn<Sloppy>("sloppy")); })),
      std::set<std::string>{
          "deadlock: nothing can happen any more, but hopeful waits: task 'run' waits for the "
          "reply of sloppy to Echo{number: 4}"});
}

// --- receiving ---

struct Collector {
  using Receives = Messages<Value, Tick>;
  std::string got;
  Task<> take(TaskContext& ctx, std::string name) {
    const Value value = co_await ctx.receive<Value>();
    got += name + std::to_string(value.number);
  }
  Task<> run(TaskContext& ctx) {
    co_await ctx.receive<Tick>();
    co_await when_all(take(ctx, "a"), take(ctx, "b"));
  }
};

TEST(Tasks, MessagesStayPendingUntilATaskAsksForThem) {
  const auto body = [](World& world) {
    const auto collector = world.wrap<Collector>("collector");
    world.send(collector, Value{1});
    world.send(collector, Value{2});
    world.send(collector, Tick{});
    return [collector](View view) { return view[collector].got; };
  };
  // Whoever asked first is served first; the strategy says who asks first and which message comes first.
  EXPECT_EQ(outcomes(body), (std::set<std::string>{"a1b2", "a2b1", "b1a2", "b2a1"}));
}

struct Idle {
  using Receives = Messages<Tick>;
  bool quiet = false;
  Task<> run(TaskContext& ctx) {
    if (quiet) ctx.background();
    while (true) co_await ctx.receive<Tick>();
  }
};

TEST(Tasks, ABackgroundTaskMayWaitForEver) {
  EXPECT_EQ(endings(build([](World& world) { world.wrap<Idle>("idle", Idle{true}); })),
            std::set<std::string>{"ok"});
  EXPECT_EQ(endings(build([](World& world) { world.wrap<Idle>("idle"); })),
            std::set<std::string>{"deadlock: nothing can happen any more, but idle waits: task 'run' waits "
                                  "for Tick (a task that may wait for ever must call ctx.background())"});
}

// Asks the mirror on behalf of others, several at a time.
struct Proxy {
  using Receives = Messages<Echo>;
  Ref<Mirror> mirror;
  Task<> serve(TaskContext& ctx) {
    ctx.background();
    while (true) {
      const Echo echo = co_await ctx.receive<Echo>();
      const Echoed echoed = co_await ctx.call<Echoed>(mirror, Echo{echo.number * 10});
      ctx.reply(echoed);
    }
  }
  Task<> run(TaskContext& ctx) {
    ctx.start("first", serve(ctx));
    ctx.start("second", serve(ctx));
    co_return;
  }
};

// Two servers and two callers have too many executions for all of them.
TEST(Tasks, AReplyGoesToTheMessageThatTheTaskReceivedLast) {
  World world("tiny");
  const auto proxy = world.wrap<Proxy>("proxy", world.spawn<Mirror>("mirror"));
  const auto callers = world.wrap<TwoCallers<Proxy>>("callers", proxy);
  std::set<std::string> seen;
  world.finally("outcome", [&](View view) -> Complaint {
    seen.insert(print(view[callers].got));
    return {};
  });
  const Blueprint blueprint = world.take();
  Execution execution(blueprint, {});
  DfsStrategy dfs;
  for (std::size_t i = 0; i < 4000; ++i) {
    const auto keep = dfs.begin({i, 1, 200});
    ASSERT_TRUE(keep);
    ASSERT_FALSE(execution.run(dfs, *keep).violation);
  }
  EXPECT_EQ(seen, std::set<std::string>{"{1: 10, 2: 20}"});
}

struct Mixed {
  using Receives = Messages<Tick, Echo>;
  std::string log;
  Task<> answer(TaskContext& ctx, int number) {
    co_await ctx.yield();
    ctx.reply(Echoed{number});
    log += "t";
  }
  void on(const Echo& echo, TaskContext& ctx) { ctx.start("answer", answer(ctx, echo.number)); }
  void on(const Tick&) { log += "h"; }
  Task<> run(TaskContext& ctx) {
    co_await ctx.receive<Tick>();
    log += "r";
  }
};

struct OneCaller {
  Ref<Mixed> mixed;
  int got = 0;
  Task<> run(TaskContext& ctx) { got = (co_await ctx.call<Echoed>(mixed, Echo{3})).number; }
};

TEST(Tasks, HandlersStandBesideTasksAndMayStartThem) {
  const auto seen = outcomes([](World& world) {
    const auto mixed = world.wrap<Mixed>("mixed");
    const auto caller = world.wrap<OneCaller>("caller", mixed);
    world.send(mixed, Tick{});
    world.send(mixed, Tick{});
    return [caller, mixed](View view) {
      std::string log = view[mixed].log;
      std::erase(log, 't');
      return log + std::to_string(view[caller].got);
    };
  });
  // The task takes the first Tick, the handler the second.
  EXPECT_EQ(seen, std::set<std::string>{"rh3"});
}

// --- several tasks of one actor ---

struct Counter {
  int count = 0;
  Task<> add(TaskContext& ctx) {
    const int before = count;
    co_await ctx.yield();
    count = before + 1;
  }
  Task<> run(TaskContext& ctx) { co_await when_all(add(ctx), add(ctx)); }
};

TEST(Tasks, TasksOfOneActorInterleave) {
  const auto seen = outcomes([](World& world) {
    const auto counter = world.wrap<Counter>("counter");
    return [counter](View view) { return std::to_string(view[counter].count); };
  });
  EXPECT_EQ(seen, (std::set<std::string>{"1", "2"}));
  // Two steps each, in any interleaving: 4! / (2! 2!), between the start and the end of `run`.
  EXPECT_EQ(every_run([](World& world) { world.wrap<Counter>("counter"); }).size(), 6U);
  EXPECT_EQ(texts([](World& world) { world.wrap<Counter>("counter"); }).front(),
            "start counter, task run.0, task run.1, task run.0, task run.1, task run");
}

struct Gatherer {
  Group<Mirror> mirrors;
  std::string got;
  Task<int> ask(TaskContext& ctx, Ref<Mirror> mirror, int number) {
    co_return (co_await ctx.call<Echoed>(mirror, Echo{number})).number;
  }
  Task<> run(TaskContext& ctx) {
    const auto [a, b] = co_await when_all(ctx.call<Echoed>(mirrors[0], Echo{1}), ask(ctx, mirrors[1], 2));
    got += std::to_string(a.number) + std::to_string(b);
    std::vector<Task<int>> tasks;
    for (const Ref<Mirror> mirror : mirrors) tasks.push_back(ask(ctx, mirror, 3));
    const std::vector<int> all = co_await when_all(std::move(tasks));
    got += std::to_string(all.size());
    std::vector<Task<int>> race;
    for (int i = 0; i < 2; ++i) race.push_back(ask(ctx, mirrors[static_cast<std::size_t>(i)], i));
    const First<int> first = co_await when_any(std::move(race));
    got += "." + std::to_string(first.index) + std::to_string(first.result);
  }
};

TEST(Tasks, WhenAllAndWhenAnyGather) {
  const auto body = [](World& world) {
    const auto mirrors = world.group<Mirror>("mirror", 2);
    const auto gatherer = world.wrap<Gatherer>("gatherer", mirrors);
    world.finally("gathered", [gatherer](View view) -> Complaint {
      const std::string& got = view[gatherer].got;
      return got == "122.00" || got == "122.11" ? Complaint{} : Complaint{got};
    });
  };
  const Blueprint blueprint = build(body);
  Execution execution(blueprint, {});
  DfsStrategy dfs;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < 3000; ++i) {
    const auto keep = dfs.begin({i, 1, 200});
    if (!keep) break;
    const RunOutcome outcome = execution.run(dfs, *keep);
    ASSERT_FALSE(outcome.violation) << outcome.violation->message;
  }
}

}  // namespace
}  // namespace gainsay::tasks_test
