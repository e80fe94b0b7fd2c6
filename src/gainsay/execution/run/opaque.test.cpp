// Opaque actors: what cannot be copied or hashed is executed anew for every execution.
#include <memory>

#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/strategy/follow/replay.hpp"

namespace gainsay::opaque_test {
namespace {

using every_run::build;
using every_run::counts;
using every_run::every_run;
using every_run::texts;
using Texts = std::vector<std::string>;

struct Go {
  int n = 0;
};
struct Mark {
  int n = 0;
};

struct Sink {
  using Receives = Messages<Mark>;
  std::vector<int> got;
  void on(const Mark& mark) { got.push_back(mark.n); }
};

int boxes_alive = 0;

// Cannot be copied or hashed; counts how many there are.
class Box {
 public:
  using Receives = Messages<Go, Mark>;
  Box(int first, Ref<Sink> sink) : content_(std::make_unique<int>(first)), sink_(sink) { ++boxes_alive; }
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;
  ~Box() { --boxes_alive; }

  void on(const Go&, Context& ctx) { ctx.send(sink_, Mark{*content_}); }
  void on(const Mark& mark, Context& ctx) {
    *content_ = 10 * *content_ + mark.n;
    if (ctx.flip()) *content_ = -*content_;
  }

 private:
  std::unique_ptr<int> content_;
  Ref<Sink> sink_;
};

// Two Marks in 2 orders with 2 answers each, a Go anywhere among them, what it sends after it:
// events M1, M2, G < S: 4!/2 = 12 orders, times 4 answers.
TEST(Opaque, IsExecutedAnewForEveryExecution) {
  const every_run::Body body = [](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    const auto box = world.wrap<Box>("box", 5, sink);
    world.send(box, Mark{1});
    world.send(box, Mark{2});
    world.send(box, Go{});
  };
  EXPECT_EQ(counts(body).runs, 48U);
  EXPECT_EQ(boxes_alive, 0);
  // The first execution delivers in order and answers 0: the box holds 512 when the Go comes.
  const Blueprint blueprint = build(body);
  const auto replay = replay_steps(blueprint, every_run(blueprint)[0].trace.decisions(), 200);
  EXPECT_EQ(replay.document.steps.back().message, "Mark{n: 512}");
}

TEST(Opaque, IsMadeAnewByARestart) {
  const auto all = texts([](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    const auto box = world.wrap<Box>("box", 5, sink);
    world.order(Delivery::fifo);
    world.send(box, Mark{1});
    world.send(box, Go{});
    world.faults().crash(1, box).restart(1);
  });
  EXPECT_NE(std::find(all.begin(), all.end(), "Mark{n: 1}, Go{n: 0}, Mark{n: 51}, crash box, restart box"),
            all.end());
  EXPECT_NE(std::find(all.begin(), all.end(), "Mark{n: 1}, crash box, restart box, Go{n: 0}, Mark{n: 5}"),
            all.end());
  EXPECT_EQ(boxes_alive, 0);
}

struct BoxParent {
  using Receives = Messages<Go>;
  Ref<Sink> sink;
  void on(const Go& go, Context& ctx) {
    const auto box = ctx.wrap<Box>("box", go.n, sink);
    ctx.send(box, Go{});
  }
};

// A value actor makes opaque ones: Go, Go at the box, Mark at the sink, twice: 6!/(3! 3!) = 20.
TEST(Opaque, CanBeSpawned) {
  const every_run::Body body = [](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    const auto parent = world.spawn("parent", BoxParent{.sink = sink});
    world.send(parent, Go{1});
    world.send(parent, Go{2});
  };
  EXPECT_EQ(counts(body).runs, 20U);
  EXPECT_EQ(boxes_alive, 0);
}

// Gates, starts, timers and waiting work for opaque actors as for others.
class Butler {
 public:
  using Receives = Messages<Go, Mark>;
  void on_start(Context& ctx) { ctx.after(Duration(1), Go{}); }
  bool accepts(const Mark&) const { return *awake_; }
  bool waiting() const { return !*served_; }
  void on(const Go&) { *awake_ = true; }
  void on(const Mark&) { *served_ = true; }

 private:
  std::unique_ptr<bool> awake_ = std::make_unique<bool>(false);
  std::unique_ptr<bool> served_ = std::make_unique<bool>(false);
};

TEST(Opaque, HasAllThatActorsHave) {
  EXPECT_EQ(texts([](World& world) { world.send(world.wrap<Butler>("butler"), Mark{}); }),
            (Texts{"start butler, timer Go{n: 0}, Mark{n: 0}"}));
  const auto runs = every_run([](World& world) { world.wrap<Butler>("butler"); });
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].trace.violation.value().property, "deadlock");
}

}  // namespace
}  // namespace gainsay::opaque_test
