// How tasks end: time, exceptions, abandonment, faults. Every world here is searched completely, so a sentence
// about an outcome is about all schedules.
#include <chrono>

#include "gainsay/execution/run/task_world.test.hpp"

namespace gainsay::task_ends_test {
namespace {

using namespace std::chrono_literals;
using namespace task_world;
using every_run::build;
using every_run::texts;

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
                            "await only Tasks and operations of TaskContext, when_all and when_any"});
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
}  // namespace gainsay::task_ends_test
