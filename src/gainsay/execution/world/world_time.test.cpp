// What may be next, which is kept up to date from step to step, against what the windows and the class of times say
// when they are asked anew; on random walks, in which handlers send, arm and cancel timers, read clocks, and close and
// open gates, and messages are doubled and lost and actors crash.
#include "gainsay/execution/world/world_time.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/execution/world/engine.hpp"

namespace gainsay::world_time_test {
namespace {

using std::chrono::milliseconds;

struct Ping {
  std::uint32_t left = 0;
};
struct Tick {};

struct Node {
  using Receives = Messages<Ping, Tick>;
  Group<Node> all{};
  std::uint32_t self = 0;

  void on(const Ping& ping, Context& ctx) {
    if (ping.left == 0) return;
    const std::uint32_t what = ping.left * 5 + self;
    for (std::uint32_t k = 0; k < what % 3; ++k) ctx.send(all[(what + k) % all.size()], Ping{ping.left - 1});
    if (what % 4 == 0) ctx.after(milliseconds(what % 5), Tick{}, milliseconds(what % 7));
    if (what % 11 == 0) ctx.cancel<Tick>();
    if (what % 13 == 0 && ctx.now() < Time(0)) ctx.cancel<Tick>();
    if (what % 17 == 0) ctx.send(all[ctx.choose(static_cast<std::uint32_t>(all.size()))], Ping{1});
  }
  void on(const Tick&, Context& ctx) { ctx.send(all[0], Ping{2}); }
};

// Draws answers.
class Drawn final : public Asker {
 public:
  explicit Drawn(Rng& rng) : rng_(rng) {}

 private:
  std::uint32_t answer_to(std::uint32_t among, bool) override {
    return static_cast<std::uint32_t>(rng_.below(among));
  }
  Rng& rng_;
};

// How long after the moment the next event comes at the latest.
double latest_after(const WorldState& world, TimeClass::Moment moment) {
  double latest = TimeClass::never;
  for (const std::size_t place : world.pending.each_place()) {
    if (world.waits[place]) continue;  // it holds up nobody
    const PendingWindow& window = world.windows[place];
    latest = std::min(latest, window.hi + world.time.most(window.moment, moment));
  }
  return latest;
}

std::vector<std::uint32_t> possible_by_definition(const WorldState& world) {
  std::vector<std::uint32_t> possible;
  for (const std::size_t i : world.pending.each_place()) {
    if (!world.waits[i] && world.windows[i].lo <= latest_after(world, world.windows[i].moment))
      possible.push_back(static_cast<std::uint32_t>(i));
  }
  return possible;
}

struct Counts {
  std::uint64_t steps = 0;
  std::uint64_t early = 0;
  std::uint64_t pinned = 0;   // steps at a moment that is the latest there is
  std::uint64_t waiting = 0;  // steps before which something waits
  std::uint64_t faults = 0;
};

void expect_same_times(const TimeClass& one, const TimeClass& other) {
  ASSERT_TRUE(std::ranges::equal(one.needed(), other.needed()));
  ASSERT_EQ(one.now(), other.now());
  for (const TimeClass::Moment a : one.needed()) {
    ASSERT_EQ(one.untils()[a], other.untils()[a]);
    for (const TimeClass::Moment b : one.needed()) ASSERT_EQ(one.most(a, b), other.most(a, b));
  }
}

// Beside one in which nothing is kept, because what it does is written down.
void walk(const Blueprint& blueprint, std::uint64_t seed, Counts& counts) {
  Engine engine(blueprint);
  Engine anew(blueprint);
  TimeLog log;
  anew.network.time().log(&log);
  Rng rng(seed, 5);
  WorldState world;
  WorldState other;
  engine.stepper.initial(world);
  anew.stepper.initial(other);
  Alternatives offered;
  for (int step = 0; step < 120; ++step) {
    engine.network.offer(world, offered);
    const std::vector<std::uint32_t> expected = possible_by_definition(world);
    ASSERT_EQ(offered.ordinary, expected.size()) << "at step " << step;
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(offered.at(world, i).target, expected[i]) << "at step " << step;
    ASSERT_TRUE(world.time.untils_known());
    if (offered.count == 0) break;
    counts.pinned += latest_after(world, world.time.now()) == 0 ? 1 : 0;
    counts.early += world.pending.count() - expected.size();
    counts.waiting += world.waiting > 0 ? 1 : 0;
    const Alternative next = offered.at(world, rng.below(offered.count));
    if (next.kind == EventKind::stop) break;
    counts.faults += is_fault(next.kind) ? 1 : 0;
    Rng again = rng;
    Drawn answers(rng);
    Drawn same_answers(again);
    engine.stepper.step(world, next, answers);
    anew.stepper.step(other, next, same_answers);
    ++counts.steps;
    world.time.check();
    world.check_rows();
    expect_same_times(world.time, other.time);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "at step " << step;
  }
}

TEST(WorldTime, WhatMayBeNextIsKeptUpToDate) {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Rng rng(seed, 7);
    const auto span = [&](std::uint64_t below) { return milliseconds(rng.below(below)); };
    const Blueprint blueprint = every_run::build([&](World& world) {
      world.simulated_time();
      if (seed % 3 == 0) world.order(Delivery::fifo);
      const Duration least = span(4);
      world.latency(least, least + span(6));
      const auto all = world.group<Node>("node", 5, [](std::size_t i, Group<Node> group) {
        return Node{.all = group, .self = static_cast<std::uint32_t>(i)};
      });
      if (rng.chance(1, 2)) world.latency(all[0], all[1], span(3), milliseconds(9));
      // What is sent together may have to come one after the other.
      for (std::uint64_t links = rng.below(12); links > 0; --links) {
        const Duration first = span(9);
        world.latency(all[rng.below(5)], all[rng.below(5)], first, first + span(5));
      }
      const std::uint64_t pings = seed % 20 == 0 ? 80 : 1 + rng.below(12);  // more than a word of bits
      for (std::uint64_t k = 0; k < pings; ++k)
        world.send(all[rng.below(5)], Ping{static_cast<std::uint32_t>(2 + rng.below(9))});
    });
    walk(blueprint, seed, counts);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
  }
  EXPECT_GT(counts.steps, 5'000U);
  EXPECT_GT(counts.early, 5'000U);
  EXPECT_GT(counts.pinned, 1'000U);
  EXPECT_GT(counts.waiting, 1'000U);
}

struct Job {
  std::uint32_t left = 0;
};
struct Flip {};
struct Alarm {};

// Takes jobs while it is open, and arms its timer again and again.
struct Shop {
  using Receives = Messages<Job, Flip, Alarm>;
  Group<Shop> all{};
  std::uint32_t self = 0;
  bool open = true;
  std::uint32_t flips = 0;

  bool accepts(const Job&) const { return open; }
  void on(const Job& job, Context& ctx) {
    if (job.left == 0) return;
    const std::uint32_t what = job.left * 5 + self + flips;
    for (std::uint32_t k = 0; k < 1 + what % 2; ++k)
      ctx.send(all[(what + k) % all.size()], Job{job.left - 1});
    if (what % 3 == 0) ctx.send(all[what % all.size()], Flip{});
    if (what % 2 == 0) ctx.after(milliseconds(what % 5), Alarm{}, milliseconds(what % 7));
    if (what % 7 == 0) ctx.cancel<Alarm>();
    if (what % 23 == 0 && ctx.now() < Time(0)) ctx.cancel<Alarm>();
  }
  void on(const Flip&, Context& ctx) {
    open = !open;
    ++flips;
    if (!open) ctx.after(milliseconds(1 + self % 2), Flip{}, milliseconds(flips % 4));
    if (flips % 4 == 0) ctx.cancel<Alarm>();
  }
  void on(const Alarm&, Context& ctx) { ctx.send(all[flips % all.size()], Flip{}); }
};

TEST(WorldTime, WhatMayBeNextIsKeptUpToDateWhereEventsWait) {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Rng rng(seed, 11);
    const auto span = [&](std::uint64_t below) { return milliseconds(rng.below(below)); };
    const Blueprint blueprint = every_run::build([&](World& world) {
      world.simulated_time();
      constexpr Delivery orders[] = {Delivery::unordered, Delivery::fifo, Delivery::causal,
                                     Delivery::mailbox};
      world.order(orders[seed % 4]);
      const Duration least = span(3);
      world.latency(least, least + span(6));
      const auto all = world.group<Shop>("shop", 4, [](std::size_t i, Group<Shop> group) {
        return Shop{.all = group, .self = static_cast<std::uint32_t>(i)};
      });
      for (std::uint64_t links = rng.below(8); links > 0; --links) {
        const Duration first = span(4);
        world.latency(all[rng.below(4)], all[rng.below(4)], first, first + span(9));
      }
      for (std::uint64_t jobs = 2 + rng.below(6); jobs > 0; --jobs)
        world.send(all[rng.below(4)], Job{static_cast<std::uint32_t>(2 + rng.below(6))});
      if (seed % 5 == 1) world.faults().duplicate<Job>(4).drop(2);
      if (seed % 5 == 2) world.faults().crash(2, all).restart(2);
      if (seed % 5 == 3) world.faults().partition("half", {{all[0], all[1]}, {all[2], all[3]}}, 3);
      if (seed % 10 == 2) world.to_crashed(ToCrashed::kept);
    });
    walk(blueprint, seed, counts);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
  }
  EXPECT_GT(counts.steps, 10'000U);
  EXPECT_GT(counts.early, 10'000U);
  EXPECT_GT(counts.waiting, 5'000U);
  EXPECT_GT(counts.faults, 200U);
}

// --- the class as a value ---

struct Item {
  std::uint32_t left = 0;
};
struct Toggle {};

// Takes items while it is open. What is ready may have to wait again.
struct Box {
  using Receives = Messages<Item, Toggle>;
  Group<Box> all{};
  std::uint32_t self = 0;
  bool open = true;

  bool accepts(const Item&) const { return open; }
  void on(const Item& item, Context& ctx) {
    if (item.left == 0) return;
    ctx.send(all[(self + item.left) % all.size()], Item{item.left - 1});
    ctx.send(all[(self + 1) % all.size()], Toggle{});
  }
  void on(const Toggle&, Context& ctx) {
    open = !open;
    if (!open) ctx.after(milliseconds(2), Toggle{}, milliseconds(self));
  }
};

using Successors =
    std::multiset<std::pair<std::uint64_t, std::uint64_t>>;  // by event: the hash of what comes of it

Successors successors_of(Engine& engine, const WorldState& world) {
  Successors all;
  Alternatives enabled;
  engine.network.enabled(world, enabled);
  for (const Alternative& each : enabled.list) {
    if (each.kind == EventKind::stop) continue;
    engine.for_each_outcome(world, each,
                            [&](const WorldState& next, const StepResult&, const std::vector<DataChoice>&) {
                              all.emplace(engine.id_of(world, each).raw, engine.hash.of(next));
                              return false;
                            });
  }
  return all;
}

TEST(WorldTime, AWorldThatWasWrittenDownHasTheSameFuture) {
  std::uint64_t waited = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Rng rng(seed, 9);
    const auto span = [&](std::uint64_t below) { return milliseconds(rng.below(below)); };
    const Blueprint blueprint = every_run::build([&](World& world) {
      world.simulated_time();
      const Duration least = span(3);
      world.latency(least, least + span(6));
      if (rng.chance(1, 2)) world.order(Delivery::fifo);
      const auto all = world.group<Box>("box", 3, [](std::size_t i, Group<Box> group) {
        return Box{.all = group, .self = static_cast<std::uint32_t>(i)};
      });
      for (int k = 0; k < 4; ++k)
        world.send(all[rng.below(3)], Item{static_cast<std::uint32_t>(rng.below(4))});
    });
    Engine engine(blueprint);
    engine.kernel().keep_origin(Kernel::Origin::forgotten);
    WorldTime& time = engine.network.time();
    WorldState world;
    engine.stepper.initial(world);
    for (int step = 0; step < 40; ++step) {
      std::vector<std::uint32_t> places;
      for (const std::size_t place : world.pending.each_place())
        places.push_back(static_cast<std::uint32_t>(place));
      std::vector<double> written;
      time.write(world, places, written);
      WorldState read = world;
      time.read(read, written);
      ASSERT_EQ(engine.hash.of(read), engine.hash.of(world)) << "seed " << seed << ", step " << step;
      ASSERT_EQ(successors_of(engine, read), successors_of(engine, world))
          << "seed " << seed << ", step " << step;
      waited += world.waited_count;
      Alternatives enabled;
      engine.network.enabled(world, enabled);
      if (enabled.ordinary == 0) break;
      const Alternative chosen = enabled.list[rng.below(enabled.ordinary)];
      Drawn answers(rng);
      engine.stepper.step(world, chosen, answers);
    }
  }
  EXPECT_GT(waited, 500U);
}

}  // namespace
}  // namespace gainsay::world_time_test
