// What the tests of tasks share: a store that answers, and what all executions of a world ended with.
#pragma once

#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/scenario/task_actor.hpp"

namespace gainsay::task_world {

using every_run::every_run;
using every_run::OneRun;

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

// Says what it is told.
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

// What all executions of a world ended with: the sets of violations, or of texts that `outcome` gives.
inline std::set<std::string> endings(const Blueprint& blueprint) {
  std::set<std::string> all;
  for (const OneRun& run : every_run(blueprint)) {
    all.insert(run.trace.violation ? run.trace.violation->property + ": " + run.trace.violation->message
                                   : "ok");
  }
  return all;
}

// The texts that a `finally` saw, over all executions.
inline std::set<std::string> outcomes(const std::function<std::function<std::string(View)>(World&)>& body) {
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

// Two tasks of one actor that ask the same mirror.
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

}  // namespace gainsay::task_world
