// Eager tasks, and what is warned of where tasks only seem to run side by side.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/run/task_world.test.hpp"

namespace gainsay::task_eager_test {
namespace {

using task_world::outcomes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// Writes its letter, waits for its turn, writes it again.
Task<> letters(TaskContext& ctx, std::string* log, std::string letter) {
  *log += letter;
  co_await ctx.yield();
  *log += letter;
}

struct Writer {
  std::string log;
  Task<> run(TaskContext& ctx) {
    (void)ctx.start("a", letters(ctx, &log, "a"));
    (void)ctx.start("b", letters(ctx, &log, "b"));
    log += "|";
    co_return;
  }
};

std::set<std::string> logs_of(bool eager) {
  return outcomes([eager](World& world) {
    if (eager) world.eager_tasks();
    const auto writer = world.wrap<Writer>("writer");
    return [writer](View view) { return view[writer].log; };
  });
}

// A step of its own for each beginning: two tasks of two steps interleave in C(4, 2) = 6 ways. Eager ones have begun,
// in the order of their making, before their maker goes on: two orders of the rest.
TEST(EagerTasks, BeginWhereTheyAreMade) {
  EXPECT_THAT(logs_of(false), UnorderedElementsAre("|aabb", "|abab", "|abba", "|baab", "|baba", "|bbaa"));
  EXPECT_THAT(logs_of(true), UnorderedElementsAre("ab|ab", "ab|ba"));
}

Task<int> at_once(int number) { co_return number; }
Task<int> later(TaskContext& ctx, int number) {
  co_await ctx.yield();
  co_return number;
}
Task<> fails() {
  throw std::runtime_error("no");
  co_return;
}

struct Gatherer {
  std::string log;
  Task<> run(TaskContext& ctx) {
    auto [one, two] = co_await when_all(at_once(1), later(ctx, 2));
    log += std::to_string(one) + std::to_string(two);
    auto [three, four] = co_await when_all(at_once(3), at_once(4));
    log += std::to_string(three) + std::to_string(four);
    const auto first = co_await when_any(later(ctx, 5), at_once(6));
    log += std::to_string(first.index());
    const TaskHandle done = ctx.start("done", letters_once(&log));
    log += done.done() ? "!" : "?";
    co_await ctx.yield();
    (void)co_await ctx.join(done);
    log += ".";
  }
  static Task<> letters_once(std::string* log) {
    *log += "x";
    co_return;
  }
};

// What ends at once has ended where it is awaited: one execution. Of when_any the one that ends first wins.
TEST(EagerTasks, MayEndAtOnce) {
  const auto gathered = outcomes([](World& world) {
    world.eager_tasks();
    const auto gatherer = world.wrap<Gatherer>("gatherer");
    return [gatherer](View view) { return view[gatherer].log; };
  });
  EXPECT_THAT(gathered, ElementsAre("12341x!."));
}

struct Thrower {
  Task<> run(TaskContext& ctx) {
    (void)ctx.start("thrower", fails());
    co_await ctx.yield();
  }
};

TEST(EagerTasks, AreViolatedWhereTheyThrow) {
  World world("tiny");
  world.eager_tasks();
  world.wrap<Thrower>("t");
  EXPECT_THAT(task_world::endings(world.take()), ElementsAre(HasSubstr("task 'thrower' threw: no")));
}

struct Note {
  int n = 0;
};
// A handler starts a task, and its sender is still the message's.
struct Server {
  using Receives = Messages<Note>;
  std::string log;
  Task<> run(TaskContext& ctx) {
    ctx.background();
    co_await ctx.yield();
  }
  void on(const Note& note, TaskContext& ctx) {
    (void)ctx.start("note", letters(ctx, &log, std::to_string(note.n)));
    log += ctx.sender() == outside ? "o" : "?";
  }
};

TEST(EagerTasks, AreStartedByHandlers) {
  const auto seen = outcomes([](World& world) {
    world.eager_tasks();
    const auto server = world.wrap<Server>("server");
    world.send(server, Note{1});
    return [server](View view) { return view[server].log; };
  });
  EXPECT_THAT(seen, ElementsAre("1o1"));
}

// --- warnings ---

std::vector<std::string> warnings_of(const std::function<void(World&)>& body) {
  const auto asked = [&](World& world) {
    body(world);
    world.finally("something is asked", [](View) -> Complaint { return {}; });
  };
  return hunt(Scenario::of("warned", asked), {}, {.strategy = "random", .runs = 20}).warnings;
}

// In C# both would run; here each runs when it is awaited.
struct Illusion {
  int sum = 0;
  Task<> run(TaskContext& ctx) {
    Task<int> one = later(ctx, 1);
    Task<int> two = later(ctx, 2);
    sum = co_await std::move(one);
    sum += co_await std::move(two);
  }
};

struct JoinedAtOnce {
  std::string log;
  Task<> run(TaskContext& ctx) {
    const TaskHandle only = ctx.start("only", letters(ctx, &log, "a"));
    (void)co_await ctx.join(only);
  }
};

struct SideBySide {
  std::string log;
  Task<> run(TaskContext& ctx) {
    const TaskHandle a = ctx.start("a", letters(ctx, &log, "a"));
    const TaskHandle b = ctx.start("b", letters(ctx, &log, "b"));
    (void)co_await ctx.join(a);
    (void)co_await ctx.join(b);
    const TaskHandle c = ctx.start("c", letters(ctx, &log, "c"));
    co_await ctx.yield();
    (void)co_await ctx.join(c);
    (void)co_await when_all(later(ctx, 1), later(ctx, 2));
    (void)co_await later(ctx, co_await later(ctx, 3));
  }
};

TEST(TaskWarnings, NameWhatDoesNotRunSideBySide) {
  EXPECT_THAT(warnings_of([](World& world) { world.wrap<Illusion>("i"); }),
              ElementsAre(HasSubstr("actor 'i', task 'run' awaits a Task that it created before awaiting "
                                    "something else: the Task did not run meanwhile")));
  EXPECT_THAT(warnings_of([](World& world) { world.wrap<JoinedAtOnce>("j"); }),
              ElementsAre(HasSubstr("actor 'j', task 'run' joins task 'only' right after starting it")));
  EXPECT_THAT(warnings_of([](World& world) { world.wrap<SideBySide>("s"); }), IsEmpty());
}

// --- pct ---

// Twenty turns.
Task<> long_way(TaskContext& ctx, std::string* log) {
  for (int i = 0; i < 20; ++i) co_await ctx.yield();
  *log += "a";
}
Task<> short_way(std::string* log) {
  *log += "b";
  co_return;
}
struct Two {
  std::string log;
  Task<> run(TaskContext& ctx) {
    (void)ctx.start("long", long_way(ctx, &log));
    (void)ctx.start("short", short_way(&log));
    co_return;
  }
};

// A priority for each task: the task of 21 steps ends first in half of all runs, as of two threads. With one priority
// for the actor its next event would be drawn each time: 2^-21. Six standard deviations of 4,000 runs are 190.
TEST(Pct, HasAPriorityForEachTask) {
  const HuntResult result =
      hunt(Scenario::of("two",
                        [](World& world) {
                          const auto two = world.wrap<Two>("two");
                          world.finally("short first", [two](View view) -> Complaint {
                            return view[two].log == "ba" ? Complaint{} : Complaint("long first");
                          });
                        }),
           {},
           {.strategy = "pct",
            .strategy_options = {{"depth", "1"}},
            .runs = 4'000,
            .seed = 3,
            .keep_going = true});
  EXPECT_NEAR(static_cast<double>(result.buggy_runs), 2'000, 190);
}

}  // namespace
}  // namespace gainsay::task_eager_test
