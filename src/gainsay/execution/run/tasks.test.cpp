// Tasks in executions: what is a step, who gets which message, what ends how. Every world here is searched
// completely, so a sentence about an outcome is about all schedules.
#include <chrono>

#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/scenario/task_actor.hpp"

namespace gainsay {
namespace {

using namespace std::chrono_literals;
using every_run::build;
using every_run::every_run;
using every_run::OneRun;
using every_run::texts;

struct Get {
  std::string key;
};
struct Value {
  int number = 0;
};
struct Missing {};
struct Put {
  std::string key;
  int number = 0;
};
struct Done {};
struct Tick {};

// A store that answers at once.
struct Store {
  using Receives = Messages<Get, Put>;
  std::map<std::string, int> values;
  void on(const Get& get, Context& ctx) {
    const auto found = values.find(get.key);
    if (found == values.end()) return ctx.reply(Missing{});
    ctx.reply(Value{found->second});
  }
  void on(const Put& put, Context& ctx) {
    values[put.key] = put.number;
    ctx.reply(Done{});
  }
};

// What all executions of a world ended with: the sets of violations, or of texts that `outcome` gives.
std::set<std::string> endings(const Blueprint& blueprint) {
  std::set<std::string> all;
  for (const OneRun& run : every_run(blueprint)) {
    all.insert(run.trace.violation ? run.trace.violation->property + ": " + run.trace.violation->message
                                   : "ok");
  }
  return all;
}

// The texts that a `finally` saw, over all executions.
std::set<std::string> outcomes(const std::function<std::function<std::string(View)>(World&)>& body) {
  std::set<std::string> seen;
  World world("tiny");
  const auto outcome = body(world);
  world.finally("outcome", [&](View view) -> Complaint {
    seen.insert(outcome(view));
    return {};
  });
  const Blueprint blueprint = world.take();
  for (const OneRun& run : every_run(blueprint)) {
    if (run.trace.violation) seen.insert(run.trace.violation->message);
  }
  return seen;
}

struct Reader {
  Ref<Store> store;
  int seen = 0;
  Task<> run(TaskContext& ctx) {
    const std::string key = "a key that is longer than a short string holds";
    const Put put{key, 7};
    co_await ctx.call<Done>(store, put);
    const Get get{key};
    const auto value = co_await ctx.call<Value, Missing>(store, get);
    seen = std::get<Value>(value).number;
    const Get nothing{"nothing"};
    const auto missing = co_await ctx.call<Value, Missing>(store, nothing);
    if (std::holds_alternative<Missing>(missing)) seen += 100;
  }
};

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

struct Echo {
  int number = 0;
};
struct Echoed {
  int number = 0;
};
struct Mirror {
  using Receives = Messages<Echo>;
  void on(const Echo& echo, Context& ctx) { ctx.reply(Echoed{echo.number}); }
};
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

template <class M> struct TwoCallers {
  Ref<M> mirror;
  std::map<int, int> got;
  Task<> ask(TaskContext& ctx, int number) {
    const Echoed echoed = co_await ctx.template call<Echoed>(mirror, Echo{number});
    got[number] = echoed.number;
  }
  Task<> run(TaskContext& ctx) {
    ctx.start("one", ask(ctx, 1));
    ctx.start("two", ask(ctx, 2));
    co_return;
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
  EXPECT_EQ(
      endings(build([](World& world) { world.wrap<Idle>("idle"); })),
      std::set<std::string>{"deadlock: nothing can happen any more, but idle waits: task 'run' waits for "
                            "Tick (a task that may wait for ever says ctx.background())"});
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

// --- time ---

struct Patient {
  Ref<Mirror> mirror;
  std::string got;
  Task<> run(TaskContext& ctx) {
    const auto first = co_await when_any(ctx.call<Echoed>(mirror, Echo{1}), ctx.sleep(10ms));
    got = first.index() == 0 ? "reply" : "timeout";
  }
};

TEST(Tasks, ATimeoutIsARaceOfACallAndASleep) {
  const auto with = [](bool timed, Duration latency) {
    return outcomes([=](World& world) {
      if (timed) world.simulated_time();
      if (timed) world.latency(latency, latency);
      const auto mirror = world.spawn<Mirror>("mirror");
      const auto patient = world.wrap<Patient>("patient", mirror);
      return [patient](View view) { return view[patient].got; };
    });
  };
  EXPECT_EQ(with(false, 0ms), (std::set<std::string>{"reply", "timeout"}));
  EXPECT_EQ(with(true, 1ms), std::set<std::string>{"reply"});
  EXPECT_EQ(with(true, 6ms), std::set<std::string>{"timeout"});
}

TEST(Tasks, LosersLeaveNothingBehind) {
  // The sleep of a call that was answered does not fire; the reply that comes too late is not delivered.
  const auto all = texts([](World& world) { world.wrap<Patient>("patient", world.spawn<Mirror>("mirror")); });
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()),
            (std::set<std::string>{"start patient, Echo{number: 1}, Echoed{number: 1}",
                                   "start patient, Echo{number: 1}, timer sleep of run",
                                   "start patient, timer sleep of run, Echo{number: 1}"}));
}

// --- exceptions ---

struct Thrower {
  bool caught = false;
  Task<int> deep(TaskContext& ctx) {
    co_await ctx.yield();
    throw std::runtime_error("boom");
  }
  Task<> forever(TaskContext& ctx) { co_await ctx.receive<Tick>(); }
  Task<> run(TaskContext& ctx) {
    try {
      co_await deep(ctx);
    } catch (const std::runtime_error&) {
      caught = true;
    }
    try {
      co_await when_all(forever(ctx), deep(ctx));
    } catch (const std::runtime_error&) {
      if (!caught) co_return;
    }
    ctx.start("reader", reader(ctx));
  }
  Task<> reader(TaskContext& ctx) { co_await deep(ctx); }
};

TEST(Tasks, AnExceptionIsThrownToWhoAwaitsAndElseAViolationOfItsTask) {
  EXPECT_EQ(endings(build([](World& world) { world.wrap<Thrower>("thrower"); })),
            std::set<std::string>{"exception: thrower: task 'reader' threw: boom"});
}

struct Stranger {
  Task<> run(TaskContext&) { co_await std::suspend_always{}; }
};

TEST(Tasks, ForeignAwaitablesAreNamed) {
  EXPECT_EQ(
      endings(build([](World& world) { world.wrap<Stranger>("stranger"); })),
      std::set<std::string>{"bad await: stranger: task 'run' awaits something that Gainsay cannot resume; "
                            "await Tasks and what TaskContext, when_all and when_any give"});
}

// --- the end of tasks ---

struct Living {
  explicit Living(int* counter) : count(counter) { ++*count; }
  Living(const Living&) = delete;
  Living& operator=(const Living&) = delete;
  ~Living() { --*count; }
  int* count;
};

// Holds something at every suspension; its destructor even uses the context.
struct Holder {
  using Receives = Messages<Tick>;
  int* living = nullptr;
  int end = 0;
  Task<int> inner(TaskContext& ctx) {
    const Living held(living);
    struct Says {
      TaskContext& ctx;
      ~Says() { ctx.note("gone"); }
    } says{ctx};
    co_await ctx.receive<Tick>();
    co_return 1;
  }
  Task<> outer(TaskContext& ctx) {
    const Living held(living);
    co_await when_any(inner(ctx), when_all(inner(ctx), ctx.sleep(1ms)));
  }
  Task<> run(TaskContext& ctx) {
    ctx.background();
    const Living held(living);
    TaskHandle outer_task = ctx.start("outer", outer(ctx));
    co_await ctx.yield();
    const bool done = outer_task.done();
    if (end == 1) ctx.halt();
    if (end == 2) outer_task.cancel();
    const bool completed = co_await ctx.join(outer_task);
    EXPECT_EQ(completed, done || end != 2);
    EXPECT_TRUE(outer_task.done());
    co_await inner(ctx);
  }
};

TEST(Tasks, AbandonedTasksAreDestroyedCleanly) {
  int living = 0;
  for (const int end : {0, 1, 2, 3}) {
    for (const int ticks : {0, 1}) {
      const Blueprint blueprint = build([&](World& world) {
        const auto holder = world.wrap<Holder>("holder", Holder{&living, end});
        for (int i = 0; i < ticks; ++i) world.send(holder, Tick{});
        if (end == 3) world.faults().crash(1, holder).restart(1);
      });
      Execution execution(blueprint, {.steps_max = 12});
      DfsStrategy dfs;
      for (std::size_t i = 0; i < 400; ++i) {
        const auto keep = dfs.begin({i, 1, 12});
        if (!keep) break;
        execution.run(dfs, *keep);
      }
    }
    EXPECT_EQ(living, 0) << "end " << end;
  }
}

struct Canceller {
  std::string log;
  TaskHandle self;
  Task<> victim(TaskContext& ctx) {
    log += "v";
    self.cancel();
    log += "w";  // it runs on until it is suspended
    co_await ctx.yield();
    log += "x";
  }
  Task<> run(TaskContext& ctx) {
    self = ctx.start("victim", victim(ctx));
    log += co_await ctx.join(self) ? "completed" : "cancelled";
  }
};

TEST(Tasks, ATaskMayCancelItself) {
  const auto seen = outcomes([](World& world) {
    const auto canceller = world.wrap<Canceller>("canceller");
    return [canceller](View view) { return view[canceller].log; };
  });
  EXPECT_EQ(seen, std::set<std::string>{"vwcancelled"});
}

// --- faults ---

struct Restarted {
  Ref<Mirror> mirror;
  std::string got;
  Task<> run(TaskContext& ctx) {
    const int life = ctx.recover<int>().value_or(0) + 1;
    ctx.persist(life);
    const Echoed echoed = co_await ctx.call<Echoed>(mirror, Echo{life});
    got += std::to_string(life) + std::to_string(echoed.number);
  }
};

TEST(Tasks, ARestartedActorDoesNotTakeRepliesToItsFormerSelf) {
  const auto seen = outcomes([](World& world) {
    const auto restarted = world.wrap<Restarted>("restarted", world.spawn<Mirror>("mirror"));
    world.faults().crash(1, restarted).restart(1);
    return
        [restarted](View view) { return view.alive(restarted) ? view[restarted].got : std::string("down"); };
  });
  EXPECT_EQ(seen, (std::set<std::string>{"11", "22", "down"}));
}

TEST(Tasks, ADuplicatedReplyAnswersOnce) {
  const auto seen = outcomes([](World& world) {
    const auto mirror = world.spawn<Mirror>("mirror");
    const auto callers = world.wrap<TwoCallers<Mirror>>("callers", mirror);
    world.faults().duplicate<Echoed>(1);
    return [callers](View view) { return print(view[callers].got); };
  });
  EXPECT_EQ(seen, std::set<std::string>{"{1: 1, 2: 2}"});
}

TEST(Tasks, ALostRequestLeavesTheTaskWaiting) {
  const auto ends = endings(build([](World& world) {
    world.wrap<Reader>("reader", world.spawn<Store>("store"));
    world.faults().drop<Put>(1);
  }));
  EXPECT_EQ(ends, (std::set<std::string>{
                      "ok",
                      "deadlock: nothing can happen any more, but reader waits: task 'run' waits for the "
                      "reply of store to Put{key: \"a key that is longer than a short string holds\", "
                      "number: 7}"}));
}

// --- spawned actors ---

struct Nursery {
  using Receives = Messages<Tick>;
  Ref<Mirror> mirror;
  void on(const Tick&, Context& ctx) { ctx.wrap<TwoCallers<Mirror>>("child", mirror); }
};

TEST(Tasks, ActorsWithTasksCanBeSpawned) {
  EXPECT_EQ(endings(build([](World& world) {
              const auto nursery = world.spawn("nursery", Nursery{world.spawn<Mirror>("mirror")});
              world.send(nursery, Tick{});
            })),
            std::set<std::string>{"ok"});
}

}  // namespace
}  // namespace gainsay
