// What wrapped code needs of executions: opaque actors that say what they are, crashes that they survive, and
// asynchronous input and output as events.
#include <memory>

#include <gmock/gmock.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/execution/world/world_hash.hpp"
#include "gainsay/scenario/io_queue.hpp"
#include "gainsay/strategy/follow/replay.hpp"
#include "gainsay/strategy/walks/random.hpp"

namespace gainsay::foreign_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// --- fingerprints and descriptions ---

struct Wanted {};
struct Serve {
  using Observes = Messages<Wanted>;
  bool wanted = false;
  void on(const Wanted&) { wanted = true; }
  bool hot() const { return wanted; }
};
struct Turn {};

// Hands the turn on for ever, and counts modulo `around` in a place that nobody else sees.
template <bool says> class Hidden {
 public:
  using Receives = Messages<Turn>;
  Hidden(ActorId other, int around) : other_(other), around_(around), count_(std::make_unique<int>(0)) {}
  Hidden(const Hidden&) = delete;
  Hidden& operator=(const Hidden&) = delete;

  void on(const Turn&, Context& ctx) {
    ctx.notify<Serve>(Wanted{});
    *count_ = (*count_ + 1) % around_;
    ctx.send(other_, Turn{});
  }
  std::uint64_t fingerprint() const requires says { return static_cast<std::uint64_t>(*count_); }
  Description describe() const {
    Description lines{{"count", std::to_string(*count_)}, {"around", std::to_string(around_)}};
    if (*count_ == 1) lines.emplace_back("odd", "yes");
    return lines;
  }

 private:
  ActorId other_;
  int around_;
  std::unique_ptr<int> count_;
};

template <bool says> every_run::Body hidden_loop(int around) {
  return [around](World& world) {
    world.monitor<Serve>("served");
    const auto a = world.wrap<Hidden<says>>("a", ActorId{2}, around);
    world.wrap<Hidden<says>>("b", ActorId{1}, around);
    world.send(a, Turn{});
  };
}

RunOutcome random_run(const Blueprint& blueprint, std::vector<Decision>* steps = nullptr) {
  Execution execution(blueprint, {.steps_max = 1000, .liveness = {.temperature = 10'000, .lasso_after = 0}});
  RandomStrategy strategy({});
  (void)strategy.begin({0, 1, 1000});
  RunOutcome outcome = execution.run(strategy, Keep{});
  if (steps != nullptr) *steps = execution.trace().decisions();
  return outcome;
}

// With the turn at a and both counts at 0 again after 2 * around steps; the monitor is hot from step 1 on.
TEST(OpaqueFingerprint, LetsLoopsBeSeen) {
  for (const int around : {1, 3, 7}) {
    const Blueprint blueprint = every_run::build(hidden_loop<true>(around));
    const RunOutcome outcome = random_run(blueprint);
    ASSERT_TRUE(outcome.violation) << around;
    EXPECT_EQ(outcome.violation->property, "served");
    EXPECT_EQ(outcome.violation->step + 1 - outcome.violation->loop_from, 2U * static_cast<unsigned>(around));
  }
  EXPECT_FALSE(random_run(every_run::build(hidden_loop<false>(1))).violation);
}

TEST(OpaqueDescription, ShowsWhatAStepChanged) {
  const Blueprint blueprint = every_run::build(hidden_loop<true>(3));
  std::vector<Decision> steps;
  (void)random_run(blueprint, &steps);
  const Replay replay = replay_steps(blueprint, steps, 1000);
  EXPECT_THAT(replay.document.steps[0].changes, ElementsAre("count: 0 -> 1", "odd: yes"));
  EXPECT_THAT(replay.document.steps[2].changes, ElementsAre("count: 1 -> 2", "gone: odd"));
}

// --- crashes and devices ---

struct Write {
  int value = 0;
};
struct Written {};
struct NotWritten {};
struct Tick {};

// A store whose disk writes one value after the other. It answers when the disk has.
class Store {
 public:
  using Receives = Messages<Write, Written, NotWritten, Tick>;
  explicit Store(bool may_fail) : clock_(std::chrono::milliseconds(100)) { disk_.may_fail(may_fail); }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  void on(const Write& write, Context& ctx) { disk_.push(ctx, write.value); }
  void on(const Written&, Context& ctx) { stored_.push_back(disk_.complete(ctx)); }
  void on(const NotWritten&, Context& ctx) { failed_ += disk_.fail(ctx, disk_.size()).size(); }
  void on(const Tick&, Context& ctx) { clock_.tick(ctx); }
  void on_crash() { ++crashes_; }
  void on_restart(Context& ctx) {
    for (const int value : disk_.crash(ctx)) stored_.push_back(value);
    lost_ += disk_.lost().size();
  }

  Description describe() const {
    std::string stored;
    for (const int value : stored_) stored += std::to_string(value);
    return {{"stored", stored},
            {"failed", std::to_string(failed_)},
            {"lost", std::to_string(lost_)},
            {"crashes", std::to_string(crashes_)}};
  }

 private:
  IoQueue<int, Written, NotWritten> disk_;
  TickClock<Tick> clock_;
  std::vector<int> stored_;  // survives, as it is on the disk
  std::size_t failed_ = 0;
  std::size_t lost_ = 0;
  int crashes_ = 0;
};

// How every execution ends, in words.
std::set<std::string> ends_of(const every_run::Body& body) {
  const Blueprint blueprint = every_run::build(body);
  std::set<std::string> ends;
  for (const every_run::OneRun& run : every_run::every_run(blueprint)) {
    EXPECT_FALSE(run.trace.violation) << run.trace.violation->message;
    Execution execution(blueprint, {});
    ReplayStrategy strategy(run.trace.decisions());
    strategy.begin({});
    (void)execution.run(strategy, Keep{});
    std::string end;
    for (const auto& [name, text] : execution.type(ActorId{0})->describe(execution.state(ActorId{0})))
      end += text + " ";
    ends.insert(end);
  }
  return ends;
}

TEST(IoQueue, DoesOneThingAfterTheOther) {
  const auto ends = ends_of([](World& world) {
    const auto store = world.wrap<Store>("store", false);
    world.order(Delivery::fifo);
    for (const int value : {1, 2, 3}) world.send(store, Write{value});
  });
  EXPECT_EQ(ends, (std::set<std::string>{"123 0 0 0 "}));
}

// Each write is stored or fails, and those that fail together were under way together.
TEST(IoQueue, WhatFailsLeavesNothingBehind) {
  const auto ends = ends_of([](World& world) {
    const auto store = world.wrap<Store>("store", true);
    world.order(Delivery::fifo);
    for (const int value : {1, 2}) world.send(store, Write{value});
  });
  EXPECT_EQ(ends, (std::set<std::string>{"12 0 0 0 ", "1 1 0 0 ", "2 1 0 0 ", " 2 0 0 "}));
}

// After a crash a beginning of what was under way has happened; what was written before stays.
TEST(IoQueue, ACrashKeepsABeginning) {
  const auto ends = ends_of([](World& world) {
    const auto store = world.wrap<Store>("store", false);
    world.order(Delivery::fifo);
    for (const int value : {1, 2}) world.send(store, Write{value});
    world.faults().crash(1, store).restart(1);
    world.to_crashed(ToCrashed::kept);
  });
  EXPECT_THAT(ends, Contains("12 0 0 1 "));
  EXPECT_THAT(ends, Contains("1 0 1 1 "));
  EXPECT_THAT(ends, Contains(" 0 2 1 "));
  EXPECT_THAT(ends, Contains("2 0 1 1 "));   // 1 was under way at the crash, 2 came later
  EXPECT_THAT(ends, Contains("12 0 0 0 "));  // no crash
  for (const std::string& end : ends) EXPECT_EQ(end.find("21"), std::string::npos) << end;
}

// What a crash took is lost once: with one write there is never more to lose, however often the server crashes.
TEST(IoQueue, ASecondCrashLosesNothingAgain) {
  const auto ends = ends_of([](World& world) {
    const auto store = world.wrap<Store>("store", false);
    world.send(store, Write{1});
    world.faults().crash(2, store).restart(2);
    world.to_crashed(ToCrashed::kept);
  });
  EXPECT_THAT(ends, Contains(" 0 1 2 "));
  for (const std::string& end : ends) EXPECT_EQ(end.find(" 0 2 2 "), std::string::npos) << end;
}

struct Counts {
  using Receives = Messages<Write>;
  int n = 0;
  void on(const Write&, Context& ctx) { ctx.check(++n == 1, "it is not new"); }
  void on_restart(Context&) {}
};

TEST(OpaqueCrash, WithoutAHookARestartMakesANewObject) {
  const every_run::Body body = [](World& world) {
    const auto counts = world.wrap<Counts>("counts");
    world.send(counts, Write{1});
    world.faults().crash(1, counts).restart(1);
  };
  for (const every_run::OneRun& run : every_run::every_run(every_run::build(body)))
    EXPECT_FALSE(run.trace.violation);
}

struct Accuses {
  using Receives = Messages<Write>;
  void on(const Write&, Context& ctx) { ctx.violate("memory error", "a block was freed twice"); }
};

TEST(Violate, NamesItsOwnProperty) {
  const auto runs = every_run::every_run(
      every_run::build([](World& world) { world.send(world.wrap<Accuses>("accuser"), Write{1}); }));
  ASSERT_EQ(runs.size(), 1U);
  ASSERT_TRUE(runs[0].trace.violation);
  EXPECT_EQ(runs[0].trace.violation->property, "memory error");
  EXPECT_THAT(runs[0].trace.violation->message, HasSubstr("accuser: a block was freed twice"));
}

}  // namespace
}  // namespace gainsay::foreign_test
