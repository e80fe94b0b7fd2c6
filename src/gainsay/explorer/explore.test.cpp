#include "gainsay/explorer/explore.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "gainsay/base/complaint.test.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/explorer/random_system.test.hpp"

namespace gainsay::explore_test {
namespace {

struct Add {
  int n = 0;
};

// Forgets the order: what it holds is a sum.
struct Sum {
  using Receives = Messages<Add>;
  int sum = 0;
  void on(const Add& add) { sum += add.n; }
};

// Keeps the order.
struct List {
  using Receives = Messages<Add>;
  std::vector<int> got;
  void on(const Add& add) { got.push_back(add.n); }
};

struct Size {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  std::uint64_t end_states = 0;

  friend bool operator==(const Size&, const Size&) = default;
  friend void PrintTo(const Size& size, std::ostream* out) {
    *out << size.states << " states, " << size.transitions << " transitions, depth " << size.depth << ", "
         << size.end_states << " end states";
  }
};

Size size_of(const ExploreResult& result) {
  EXPECT_TRUE(result.complete) << result.incomplete_because;
  EXPECT_EQ(result.verdict(), Verdict::ok);
  return {result.states, result.transitions, result.depth, result.end_states};
}

using Body = std::function<void(World&)>;

ExploreResult explore_body(const Body& body, const ExploreOptions& options = {}) {
  return explore(Scenario::of("tiny", body), {}, options);
}

// --- counts ---

// n messages that add up in any order: a state is the set of those that have arrived: 2^n states; each of the
// n may be next in half of them: n 2^(n-1) transitions; depth n, one end.
TEST(Explore, DifferentMessagesMakeSubsets) {
  for (std::uint64_t n = 0; n <= 10; ++n) {
    const Body body = [n](World& world) {
      const auto sum = world.spawn<Sum>("sum");
      for (std::uint64_t i = 0; i < n; ++i) world.send(sum, Add{1 << i});
    };
    const Size expected{1ULL << n, n == 0 ? 0 : n << (n - 1), n, 1};
    EXPECT_EQ(size_of(explore_body(body)), expected);
    EXPECT_EQ(size_of(explore_body(body, {.exact = true})), expected);
    EXPECT_EQ(size_of(explore_body(body, {.workers = 2})), expected);
  }
}

// Equal messages (same sender, receiver, payload) are one transition: a line. From two senders: a grid.
TEST(Explore, EqualMessagesAreOneTransition) {
  for (const bool exact : {false, true}) {
    EXPECT_EQ(size_of(explore_body(
                  [](World& world) {
                    const auto sum = world.spawn<Sum>("sum");
                    for (int i = 0; i < 7; ++i) world.send(sum, Add{1});
                  },
                  {.exact = exact})),
              (Size{8, 7, 7, 1}));
    // 4 by 3 messages: 5 * 4 states; a right step in 4 * 4 of them, an up step in 5 * 3.
    EXPECT_EQ(size_of(explore_body(
                  [](World& world) {
                    const auto sum = world.spawn<Sum>("sum");
                    for (int i = 0; i < 4; ++i) world.send(sum, Add{1});
                    for (int i = 0; i < 3; ++i) world.send_from(sum, sum, Add{1});
                  },
                  {.exact = exact})),
              (Size{20, 31, 7, 1}));
  }
}

// Orders that are kept apart: the arrangements of k of n: 1 + 4 + 12 + 24 + 24, a tree.
TEST(Explore, StatesThatKeepTheOrderAreAllDifferent) {
  EXPECT_EQ(size_of(explore_body([](World& world) {
              const auto list = world.spawn<List>("list");
              for (int i = 0; i < 4; ++i) world.send(list, Add{i});
            })),
            (Size{65, 64, 4, 24}));
}

// One queue of n: a line, whatever is in it. Two queues: a grid of 4 by 4 states, 12 steps each way.
TEST(Explore, QueuesAreLines) {
  for (const Delivery order : {Delivery::fifo, Delivery::causal, Delivery::queue, Delivery::mailbox}) {
    EXPECT_EQ(size_of(explore_body([order](World& world) {
                world.order(order);
                const auto list = world.spawn<List>("list");
                for (int i = 0; i < 6; ++i) world.send(list, Add{i % 2});
              })),
              (Size{7, 6, 6, 1}));
    EXPECT_EQ(size_of(explore_body([order](World& world) {
                world.order(order);
                for (const auto list : world.group<List>("list", 2)) {
                  for (int i = 0; i < 3; ++i) world.send(list, Add{i});
                }
              })),
              (Size{16, 24, 6, 1}));
  }
}

struct Dice {
  using Receives = Messages<Add>;
  std::uint32_t shown = 0;
  bool even = false;
  void on(const Add& add, Context& ctx) {
    shown = ctx.choose(6);
    even = add.n == 0 || ctx.flip();
  }
};

// Every leaf of the questions is a transition. Asked among 6: 6 transitions to 6 states, one of which is not
// the first one (the message is gone). Asked once more: 12 transitions to 12 states.
TEST(Explore, EveryAnswerIsATransition) {
  const auto dice = [](int n) {
    return [n](World& world) { world.send(world.spawn<Dice>("dice"), Add{n}); };
  };
  EXPECT_EQ(size_of(explore_body(dice(0))), (Size{7, 6, 1, 6}));
  EXPECT_EQ(size_of(explore_body(dice(1))), (Size{13, 12, 1, 12}));
}

struct Tick {};

struct Clock {
  using Receives = Messages<Add, Tick>;
  int ticks = 0;
  void on(const Add&, Context& ctx) { ctx.after(Duration(1), Tick{}); }
  void on(const Tick&, Context& ctx) {
    ticks = (ticks + 1) % 5;
    ctx.after(Duration(1), Tick{});
  }
};

// A clock that never stops has six states (before it is wound, and 0 to 4) and six transitions; no end.
TEST(Explore, WorldsThatNeverEndMayBeFinite) {
  EXPECT_EQ(size_of(explore_body([](World& world) { world.send(world.spawn<Clock>("clock"), Add{}); })),
            (Size{6, 6, 5, 0}));
  // Wound twice, the second winding while it runs changes nothing: its message is there or not. Before: 2
  // states; running: 5 with the second Add pending, 5 without.
  EXPECT_EQ(size_of(explore_body([](World& world) {
              const auto clock = world.spawn<Clock>("clock");
              world.send(clock, Add{1});
              world.send(clock, Add{1});
            })),
            (Size{11, 1 + 10 + 5, 6, 0}));
  // A budget is part of the state: three ticks and it stops.
  EXPECT_EQ(size_of(explore_body([](World& world) {
              world.send(world.spawn<Clock>("clock"), Add{});
              world.timer_budget<Tick>(3);
            })),
            (Size{5, 4, 4, 1}));
}

// --- spawned actors ---

struct Child {
  using Receives = Messages<Add>;
  int sum = 0;
  void on_start(Context&) { sum = 100; }
  void on(const Add& add) { sum += add.n; }
};

struct Parent {
  using Receives = Messages<Add>;
  void on(const Add& add, Context& ctx) { ctx.send(ctx.spawn("child", Child{}), add); }
};

// Each parent goes through: Add pending, child waits to start, started, has its message: 4 states each, so
// 4^n in all and, as each of the first three has one step, n * 3 * 4^(n-1) transitions. Which child is met
// first by the search differs from state to state; what a state is does not.
TEST(Explore, SpawnedActorsAreCountedOnce) {
  for (std::uint64_t n = 1; n <= 3; ++n) {
    const Body body = [n](World& world) {
      for (const auto parent : world.group<Parent>("parent", n)) world.send(parent, Add{1});
    };
    const Size expected{1ULL << (2 * n), n * 3 * (1ULL << (2 * (n - 1))), 3 * n, 1};
    EXPECT_EQ(size_of(explore_body(body)), expected);
    EXPECT_EQ(size_of(explore_body(body, {.exact = true})), expected);
    EXPECT_EQ(size_of(explore_body(body, {.workers = 3})), expected);
  }
  // Two messages to one parent: the children are numbered in time, so first and second are told apart by
  // content. Ordered delivery takes the slow path: the same numbers, as nothing here is ever queued behind
  // anything.
  const Body two = [](World& world) {
    for (const auto parent : world.group<Parent>("parent", 2)) world.send(parent, Add{1});
    world.order(Delivery::causal);
  };
  EXPECT_EQ(size_of(explore_body(two)), (Size{16, 24, 6, 1}));
}

// Two messages to one parent, payloads 1 and 2. The parent has spawned 0, 1 or 2; children are at one of 3
// stages each: 1 + 2 * 3 (which came first) + 2 * 9 states. Transitions: 2 first; with one child: 2 * 3 for
// the other message and 2 * 2 for the child; with two: 2 * (2 * 2 * 3).
TEST(Explore, SeveralChildrenOfOneParent) {
  const Body body = [](World& world) {
    const auto parent = world.spawn<Parent>("parent");
    world.send(parent, Add{1});
    world.send(parent, Add{2});
  };
  const Size expected{1 + 6 + 18, 2 + 6 + 4 + 24, 6, 2};
  EXPECT_EQ(size_of(explore_body(body)), expected);
  EXPECT_EQ(size_of(explore_body(body, {.exact = true})), expected);
}

struct Shy {
  using Receives = Messages<Add>;
  int next = 1;
  bool accepts(const Add& add) const { return add.n == next; }
  void on(const Add&) { ++next; }
};

struct ShyParent {
  using Receives = Messages<Add>;
  void on(const Add&, Context& ctx) {
    const auto shy = ctx.spawn(Shy{});
    for (int n = 3; n >= 1; --n) ctx.send(shy, Add{n});
  }
};

TEST(Explore, ASpawnedGateIsAGate) {
  for (const unsigned workers : {1U, 2U}) {
    EXPECT_EQ(size_of(explore_body([](World& world) { world.send(world.spawn<ShyParent>("p"), Add{}); },
                                   {.workers = workers})),
              (Size{5, 4, 4, 1}));
  }
}

// --- goals ---

TEST(Explore, SaysWhichGoalsNoStateReaches) {
  for (const unsigned workers : {1U, 3U}) {
    const ExploreResult result = explore_body(
        [](World& world) {
          const auto sum = world.spawn<Sum>("sum");
          for (int i = 0; i < 10; ++i) world.send(sum, Add{1 << i});
          world.reached("777", sum, [sum](View v) { return v[sum].sum == 777; });
          world.reached("1024", sum, [sum](View v) { return v[sum].sum == 1024; });
        },
        {.workers = workers});
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.unreached_goals, std::vector<std::string>{"1024"});
    EXPECT_EQ(result.verdict(), Verdict::unknown);
    EXPECT_EQ(result.exit_code(), 3);
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_EQ(result.warnings[0], "goal '1024' was never reached: no state of this world satisfies it");
  }
}

// --- limits ---

TEST(Explore, ACutOffIsSaidAloud) {
  const auto cut = [](const ExploreOptions& options) {
    const ExploreResult result = explore_body(
        [](World& world) {
          const auto sum = world.spawn<Sum>("sum");
          for (int i = 0; i < 16; ++i) world.send(sum, Add{1 << i});
        },
        options);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.verdict(), Verdict::unknown);
    EXPECT_EQ(result.exit_code(), 3);
    EXPECT_LT(result.states, 1ULL << 16U);
    return result;
  };
  const ExploreResult states = cut({.states_max = 1'000});
  EXPECT_EQ(states.incomplete_because, "--max-states");
  EXPECT_GE(states.states, 1'000U);
  const ExploreResult depth = cut({.depth_max = 3});
  EXPECT_EQ(depth.incomplete_because, "--max-depth");
  EXPECT_EQ(depth.states, 1U + 16U + 120U + 560U);
  EXPECT_EQ(depth.depth, 3U);
  const ExploreResult memory = cut({.memory_max = 600'000});
  EXPECT_EQ(memory.incomplete_because, "--max-memory");
  EXPECT_GT(memory.memory_bytes, 0U);
  EXPECT_LE(memory.memory_bytes, 600'000U);
  std::atomic<bool> stop{true};
  const ExploreResult stopped = cut({.stop = &stop});
  EXPECT_EQ(stopped.incomplete_because, "interrupted");
  EXPECT_TRUE(stopped.interrupted);
}

TEST(Explore, SaysHowSureItIs) {
  const auto body = [](World& world) {
    const auto sum = world.spawn<Sum>("sum");
    for (int i = 0; i < 12; ++i) world.send(sum, Add{1 << i});
  };
  // n (n - 1) / 2 pairs, 2^-64 each.
  const ExploreResult fingerprints = explore_body(body);
  EXPECT_NEAR(fingerprints.collision_probability, 4096.0 * 4095 / 2 / std::pow(2.0, 64), 1e-20);
  const ExploreResult exact = explore_body(body, {.exact = true});
  EXPECT_EQ(exact.collision_probability, 0);
  EXPECT_TRUE(exact.exact);
  EXPECT_EQ(exact.states, fingerprints.states);
}

TEST(Explore, CallsHandlersOncePerLocalStep) {
  // A counter that has seen k of 12 equal messages: 12 states, one message.
  const ExploreResult result = explore_body([](World& world) {
    for (const auto sum : world.group<Sum>("sum", 3)) {
      for (int i = 0; i < 12; ++i) world.send(sum, Add{1});
    }
  });
  EXPECT_EQ(result.states, 13U * 13U * 13U);
  EXPECT_EQ(result.handler_calls, 3U * 12U);
}

TEST(Explore, ShowsHowFarItIs) {
  ExploreProgress progress;
  const ExploreResult result = explore_body(
      [](World& world) {
        const auto sum = world.spawn<Sum>("sum");
        for (int i = 0; i < 8; ++i) world.send(sum, Add{1 << i});
      },
      {.progress = &progress});
  EXPECT_EQ(progress.states, result.states);
  EXPECT_EQ(progress.transitions, result.transitions);
}

// --- answers, workers, orders ---

struct Lottery {
  using Receives = Messages<Add>;
  std::uint32_t number = 0;
  void on(const Add& add, Context& ctx) { number = ctx.choose(static_cast<std::uint32_t>(add.n)); }
};

// Also those that are not remembered.
TEST(Explore, FollowsAnyNumberOfAnswers) {
  for (const Delivery order : {Delivery::unordered, Delivery::fifo}) {
    for (const unsigned workers : {1U, 2U}) {
      for (const int n : {64, 65, 1000}) {
        const auto answers = static_cast<std::uint64_t>(n);
        EXPECT_EQ(size_of(explore_body(
                      [n, order](World& world) {
                        world.order(order);
                        world.send(world.spawn<Lottery>("lottery"), Add{n});
                      },
                      {.workers = workers})),
                  (Size{1 + answers, answers, 1, answers}));
      }
    }
  }
}

// Ordered delivery, gates, faults, timers, monitors, spawned actors: the same numbers and the same counterexamples.
TEST(Explore, DoesNotDependOnTheNumberOfWorkersInAnyWorld) {
  std::size_t violations = 0;
  std::uint64_t states = 0;
  for (std::uint64_t number = 1; number <= 150; ++number) {
    const random_system::Features features = random_system::draw(number);
    const Scenario scenario =
        Scenario::of("random", [&](World& world) { random_system::fill(world, features); });
    const auto explored = [&](unsigned workers) {
      ExploreOptions options;
      options.workers = workers;
      options.keep_going = true;
      options.depth_max = 8;  // some of them are large
      options.without_histories = true;
      return explore(scenario, {}, options);
    };
    const ExploreResult one = explored(1);
    const ExploreResult three = explored(3);
    EXPECT_EQ(three.workers, 3U);
    const auto numbers = [](const ExploreResult& result) {
      return std::vector{result.states, result.transitions, result.depth, result.end_states};
    };
    EXPECT_EQ(numbers(one), numbers(three)) << random_system::text(features);
    ASSERT_EQ(one.violations.size(), three.violations.size()) << random_system::text(features);
    for (std::size_t v = 0; v < one.violations.size(); ++v) {
      const auto& left = one.violations[v].document.steps;
      const auto& right = three.violations[v].document.steps;
      ASSERT_EQ(left.size(), right.size()) << random_system::text(features);
      for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(left[i].id, right[i].id);
    }
    violations += one.violations.size();
    states += one.states;
  }
  EXPECT_GT(violations, 30U);
  EXPECT_GT(states, 20'000U);
}

// Whole states, in every order of delivery: as many as there are fingerprints.
TEST(Explore, ExactlyInEveryOrder) {
  std::map<Delivery, std::uint64_t> states;
  for (std::uint64_t number = 1; number <= 250; ++number) {
    random_system::Features features = random_system::draw(number);
    features.order = static_cast<Delivery>(number % 5);
    if (features.order == Delivery::causal) features.duplicates = 0;
    const Scenario scenario =
        Scenario::of("random", [&](World& world) { random_system::fill(world, features); });
    ExploreOptions options;
    options.keep_going = true;
    options.depth_max = 6;
    options.without_histories = true;
    const ExploreResult fingerprints = explore(scenario, {}, options);
    options.exact = true;
    options.workers = 2;
    const ExploreResult exact = explore(scenario, {}, options);
    EXPECT_EQ(exact.states, fingerprints.states) << random_system::text(features);
    EXPECT_EQ(exact.transitions, fingerprints.transitions) << random_system::text(features);
    states[features.order] += exact.states;
  }
  for (const auto& [order, count] : states) EXPECT_GT(count, 1'000U) << static_cast<int>(order);
}

TEST(Explore, RefusesExactCopiesUnderCausalOrder) {
  const auto body = [](World& world) {
    world.order(Delivery::causal);
    world.send(world.spawn<Sum>("sum"), Add{});
    world.faults().duplicate(1);
  };
  EXPECT_THROW(explore_body(body, {.exact = true}), UserError);
}

}  // namespace
}  // namespace gainsay::explore_test
