// A coroutine and a hand-written state machine of the same protocol have the same outcomes: the sets of final
// states, over all executions of both, are equal.
#include <chrono>

#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/execution/world/small_worlds.test.hpp"
#include "gainsay/scenario/task_actor.hpp"

namespace gainsay::task_twin_test {
namespace {

using namespace std::chrono_literals;

using small_worlds::Number;
using small_worlds::Read;
using small_worlds::Register;
using small_worlds::Write;
using small_worlds::Written;

struct GiveUp {};

// The protocol: read; give up where the answer does not come in time; else write one more, and wait for that.
struct CoroutineClient {
  Ref<Register> store;
  std::string end = "unfinished";
  Task<> run(TaskContext& ctx) {
    const auto answer = co_await when_any(ctx.call<Number>(store, Read{}), ctx.sleep(10ms));
    if (answer.index() == 1) {
      end = "gave up";
      co_return;
    }
    const int seen = std::get<0>(answer).number;
    co_await ctx.call<Written>(store, Write{seen + 1});
    end = "wrote " + std::to_string(seen + 1);
  }
};

struct MachineClient {
  enum class State { reading, writing, done };
  using Receives = Messages<Number, Written, GiveUp>;
  Ref<Register> store;
  std::string end = "unfinished";
  State state = State::reading;
  int seen = 0;

  void on_start(Context& ctx) {
    ctx.send(store, Read{});
    ctx.after(10ms, GiveUp{});
  }
  void on(const GiveUp&) {
    state = State::done;
    end = "gave up";
  }
  void on(const Number& answer, Context& ctx) {
    if (state != State::reading) return;
    ctx.cancel<GiveUp>();
    seen = answer.number;
    state = State::writing;
    ctx.send(store, Write{seen + 1});
  }
  void on(const Written&) {
    state = State::done;
    end = "wrote " + std::to_string(seen + 1);
  }
};

// The final states of all executions of two clients and a register.
template <class Client> std::set<std::string> outcomes(const std::function<void(World&)>& more) {
  World world("twin");
  const auto store = world.spawn<Register>("store");
  std::vector<Ref<Client>> clients;
  for (const char* name : {"a", "b"}) clients.push_back(world.wrap<Client>(name, store));
  std::set<std::string> seen;
  world.finally("outcome", [&](View view) -> Complaint {
    std::string text = std::to_string(view[store].number);
    for (const auto client : clients) text += ", " + view[client].end;
    seen.insert(text);
    return {};
  });
  more(world);
  const Blueprint blueprint = world.take();
  Execution execution(blueprint, {});
  DfsStrategy dfs;
  for (std::size_t i = 0;; ++i) {
    const auto keep = dfs.begin({i, 1, 200});
    if (!keep) break;
    const RunOutcome outcome = execution.run(dfs, *keep);
    EXPECT_EQ(outcome.ending, Ending::quiescent) << outcome.violation->message;
    if (i > 300'000) break;
  }
  return seen;
}

TEST(TaskTwin, CoroutinesAndMachinesHaveTheSameOutcomes) {
  const auto coroutines = outcomes<CoroutineClient>([](World&) {});
  EXPECT_EQ(coroutines, outcomes<MachineClient>([](World&) {}));
  // Both or neither may give up; both may write 1 (a lost update), or one after the other.
  EXPECT_EQ(coroutines,
            (std::set<std::string>{"0, gave up, gave up", "1, gave up, wrote 1", "1, wrote 1, gave up",
                                   "1, wrote 1, wrote 1", "2, wrote 1, wrote 2", "2, wrote 2, wrote 1"}));
}

TEST(TaskTwin, TheyAgreeInSimulatedTimeToo) {
  for (const auto latency : {1ms, 4ms, 6ms}) {
    const auto timed = [&](World& world) {
      world.simulated_time();
      world.latency(latency, latency + 1ms);
    };
    EXPECT_EQ(outcomes<CoroutineClient>(timed), outcomes<MachineClient>(timed)) << latency.count() << " ms";
  }
}

}  // namespace
}  // namespace gainsay::task_twin_test
