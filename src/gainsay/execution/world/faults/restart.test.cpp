#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/marks.test.hpp"
#include "gainsay/strategy/follow/replay.hpp"

namespace gainsay::restart_test {
namespace {

using every_run::every_run;
using every_run::OneRun;
using every_run::texts;
using fault_worlds::Mark;
using fault_worlds::Sink;
using Texts = std::vector<std::string>;

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

}  // namespace
}  // namespace gainsay::restart_test
