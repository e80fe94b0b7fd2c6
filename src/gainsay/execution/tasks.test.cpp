// Tasks in executions: what is a step, who gets which message, what ends how. Every world here is searched
// completely, so a sentence about an outcome is about all schedules.
#include <chrono>

#include "gainsay/execution/every_run.test.hpp"
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
[[maybe_unused]] std::set<std::string> endings(const Blueprint& blueprint) {
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

}  // namespace
}  // namespace gainsay
