#include "gainsay/explorer/enumerate.hpp"

#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/run/execution.hpp"
#include "gainsay/execution/world/small_worlds.test.hpp"
#include "gainsay/explorer/random_system.test.hpp"
#include "gainsay/oracle/client_history.hpp"
#include "gainsay/oracle/specs/register.hpp"
#include "gainsay/strategy/searches/dfs.hpp"

namespace gainsay::enumerate_test {
namespace {

using By = EnumerateOptions::By;

struct Go {
  int n = 0;
};

Blueprint build(const std::function<void(World&)>& body) {
  World world("tiny");
  body(world);
  return world.take();
}

std::uint64_t factorial(std::uint64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

struct Counts {
  std::uint64_t executions = 0;
  std::uint64_t classes = 0;
  std::uint64_t final_states = 0;

  friend bool operator==(const Counts&, const Counts&) = default;
  friend void PrintTo(const Counts& c, std::ostream* out) {
    *out << c.executions << " executions, " << c.classes << " classes, " << c.final_states << " final states";
  }
};

// Both ways must agree on everything.
Enumeration both(const Blueprint& blueprint, EnumerateOptions options = {}) {
  options.by = By::configurations;
  const Enumeration walked = enumerate(blueprint, options);
  options.by = By::executions;
  const Enumeration plain = enumerate(blueprint, options);
  EXPECT_EQ(walked.incomplete_because(), plain.incomplete_because());
  EXPECT_EQ(walked.executions, plain.executions);
  EXPECT_EQ(walked.cut_executions, plain.cut_executions);
  EXPECT_EQ(walked.violated_executions, plain.violated_executions);
  EXPECT_EQ(walked.classes, plain.classes);
  EXPECT_EQ(walked.violated_classes, plain.violated_classes);
  EXPECT_EQ(walked.trace_classes, plain.trace_classes);
  EXPECT_EQ(walked.final_states, plain.final_states);
  EXPECT_EQ(walked.histories, plain.histories);
  EXPECT_EQ(walked.precedence_classes, plain.precedence_classes);
  EXPECT_EQ(walked.violations, plain.violations);
  return walked;
}

Counts counts(const Blueprint& blueprint, const EnumerateOptions& options = {}) {
  const Enumeration all = both(blueprint, options);
  EXPECT_TRUE(all.complete()) << all.incomplete_because();
  EXPECT_EQ(all.classes.size(), all.trace_classes.size());
  return {all.executions, all.classes.size(), all.final_states.size()};
}

// --- golden counts ---

struct List {
  using Receives = Messages<Go>;
  std::vector<int> got;
  void on(const Go& go) { got.push_back(go.n); }
};
struct Sum {
  using Receives = Messages<Go>;
  int sum = 0;
  void on(const Go& go) { sum += go.n; }
};

// n outside messages to one actor: n! executions, each a class of its own; a sum forgets the order.
TEST(Enumerate, MessagesToOneActor) {
  for (std::uint64_t n = 0; n <= 5; ++n) {
    const auto send = [n](World& world, const auto& to) {
      for (std::uint64_t i = 0; i < n; ++i) world.send(to, Go{static_cast<int>(i)});
    };
    const std::uint64_t all = factorial(n);
    EXPECT_EQ(counts(build([&](World& w) { send(w, w.spawn<List>("list")); })), (Counts{all, all, all}));
    EXPECT_EQ(counts(build([&](World& w) { send(w, w.spawn<Sum>("sum")); })), (Counts{all, all, 1}));
  }
  const Enumeration many = enumerate(build([](World& world) {
    const auto list = world.spawn<List>("list");
    for (int i = 0; i < 7; ++i) world.send(list, Go{i});
  }));
  EXPECT_EQ(many.executions, factorial(7));
  EXPECT_EQ(many.classes.size(), factorial(7));
  EXPECT_EQ(many.final_states.size(), factorial(7));
}

// k actors with one message each: k! executions of one class.
TEST(Enumerate, MessagesToDifferentActors) {
  for (std::uint64_t k = 1; k <= 6; ++k) {
    EXPECT_EQ(counts(build([k](World& world) {
                for (const auto list : world.group<List>("list", k)) world.send(list, Go{1});
              })),
              (Counts{factorial(k), 1, 1}));
  }
  // More executions than could ever be made: 13! of one class, over 2^13 configurations.
  const Enumeration wide = enumerate(build([](World& world) {
    for (const auto list : world.group<List>("list", 13)) world.send(list, Go{1});
  }));
  EXPECT_EQ(wide.executions, factorial(13));
  EXPECT_EQ(wide.classes.size(), 1U);
  EXPECT_EQ(wide.configurations, 1U << 13U);
}

// Votes come to the collector in N! orders, each voter chose one of two: 2^N N! classes. Executions: N chains of two
// events each, (2N)! / 2^N of them, times 2^N choices: (2N)!.
TEST(Enumerate, TwoPhaseCommit) {
  for (std::uint64_t n = 1; n <= 4; ++n) {
    const Blueprint blueprint = build([n](World& world) { small_worlds::voters(world, n); });
    const std::uint64_t classes = (1U << n) * factorial(n);
    const Enumeration all = n < 4 ? both(blueprint) : enumerate(blueprint);
    EXPECT_EQ(all.executions, factorial(2 * n));
    EXPECT_EQ(all.classes.size(), classes);
    EXPECT_EQ(all.final_states.size(), classes);
  }
}

// Chains of messages, each between actors of its own: a multinomial number of executions, one class. With the lengths
// 3, 3 and 4 these are the 4,200 schedules of a replicated register with three operations.
struct Hop {
  int left = 0;
};
struct Relay {
  using Receives = Messages<Hop>;
  void on(const Hop& hop, Context& ctx) {
    if (hop.left > 1) ctx.send(ctx.self(*this), Hop{hop.left - 1});
  }
};

Blueprint chains(const std::vector<int>& lengths) {
  return build([&](World& world) {
    const Group<Relay> relays = world.group<Relay>("relay", lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) world.send(relays[i], Hop{lengths[i]});
  });
}

TEST(Enumerate, ChainsAreMultinomials) {
  EXPECT_EQ(counts(chains({3, 3, 4})), (Counts{4200, 1, 1}));
  EXPECT_EQ(counts(chains({3, 3, 3})), (Counts{1680, 1, 1}));
  EXPECT_EQ(counts(chains({1, 2, 1})), (Counts{12, 1, 1}));
  EXPECT_EQ(counts(chains({7})), (Counts{1, 1, 1}));
}

// Order of delivery: 3 messages to each of two lists from the outside keep their order: 6!/(3! 3!) = 20, one class.
TEST(Enumerate, QueuesAreOneClass) {
  for (const Delivery order : {Delivery::fifo, Delivery::causal, Delivery::queue, Delivery::mailbox}) {
    EXPECT_EQ(counts(build([order](World& world) {
                world.order(order);
                for (const auto list : world.group<List>("list", 2)) {
                  for (int i = 0; i < 3; ++i) world.send(list, Go{i});
                }
              })),
              (Counts{20, 1, 1}));
  }
}

// One message each for two actors, one drop: 2! (1 + 2) executions; who lost what: 3 classes and 3 ends.
TEST(Enumerate, FaultsAreEvents) {
  EXPECT_EQ(counts(build([](World& world) {
              for (const auto list : world.group<List>("list", 2)) world.send(list, Go{1});
              world.faults().drop(1);
            })),
            (Counts{6, 3, 3}));
}

// --- histories ---

// A register of three: a write is acknowledged after the first of two replicas has it, reads are answered by whoever
// is asked. The research behind the reductions counts 252 executions, 8 classes, 32 histories (as many precedence
// classes), of which 12 are not linearizable.
using Spec = specs::Register<int>;
struct Write {
  int value = 0;
};
struct Read {};
struct Replicate {
  int value = 0;
};
struct Ack {};
struct Replica {
  using Receives = Messages<Write, Read, Replicate, Ack>;
  Group<Replica> all;
  int value = 0;
  std::optional<Invocation> writing;
  void on(const Write& write, Context& ctx) {
    writing = ctx.invoke(Spec::Op(Spec::Write{write.value}));
    value = write.value;
    for (const auto other : all) {
      if (other != ctx.self()) ctx.send(other, Replicate{value});
    }
  }
  void on(const Read&, Context& ctx) {
    const Invocation reading = ctx.invoke(Spec::Op(Spec::Read{}));
    ctx.complete(reading, Spec::Result(std::in_place_index<1>, value));
  }
  void on(const Replicate& replicate, Context& ctx) {
    value = replicate.value;
    ctx.reply(Ack{});
  }
  void on(const Ack&, Context& ctx) {
    if (writing) ctx.complete(*writing, Spec::Result(std::in_place_index<0>));
    writing.reset();
  }
};

TEST(Enumerate, HistoriesAreToldApart) {
  const Blueprint blueprint = build([](World& world) {
    const auto replicas = world.group<Replica>("replica", 3, [](std::size_t, Group<Replica> all) {
      return Replica{all, 0, std::nullopt};
    });
    world.send(replicas[0], Write{1});
    world.send(replicas[1], Read{});
    world.send(replicas[2], Read{});
    world.linearizable<Spec>();
  });
  const Enumeration all = both(blueprint);
  EXPECT_EQ(all.executions, 252U);
  std::set<std::uint64_t> classes = all.classes;
  classes.insert(all.violated_classes.begin(), all.violated_classes.end());
  EXPECT_EQ(classes.size(), 8U);
  EXPECT_EQ(all.histories.size(), 32U);
  EXPECT_EQ(all.precedence_classes.size(), 32U);
  EXPECT_EQ(all.violations.size(), 1U);
  EXPECT_EQ(all.violations.at("linearizable"), all.violated_executions);
  // With the order of invocations and responses in the relation, no class is both right and wrong.
  EnumerateOptions aware;
  aware.dependent = [](const ExecutedEvent& a, const ExecutedEvent& b) {
    return same_receiver(a, b) || (a.responds && b.invokes) || (a.invokes && b.responds);
  };
  const Enumeration told_apart = both(blueprint, aware);
  EXPECT_EQ(told_apart.executions, 252U);
  for (const std::uint64_t each : told_apart.violated_classes)
    EXPECT_FALSE(told_apart.classes.contains(each));
}

// --- limits ---

TEST(Enumerate, LimitsAreSaid) {
  const Blueprint blueprint = chains({3, 3, 4});
  for (const By by : {By::configurations, By::executions}) {
    EXPECT_EQ(enumerate(blueprint, {.by = by, .steps_max = 9}).incomplete_because(), "--steps");
    EXPECT_EQ(enumerate(blueprint, {.by = by, .steps_max = 10}).incomplete_because(), "");
    EXPECT_EQ(enumerate(blueprint, {.by = by, .configurations_max = 5}).incomplete_because(),
              "--max-configurations");
    EXPECT_EQ(enumerate(blueprint, {.by = by, .time = std::chrono::nanoseconds(0)}).incomplete_because(),
              "--time");
    const std::atomic<bool> stop{true};
    EXPECT_EQ(enumerate(blueprint, {.by = by, .stop = &stop}).incomplete_because(), "interrupted");
  }
  // 25 chains of 25: 625! / (25!)^25, far more than 2^64. Two of 40: 80!/(40!)^2 = 1.07e23 does not fit either.
  const Enumeration large = enumerate(chains({40, 40}));
  EXPECT_TRUE(large.executions_are_more);
  EXPECT_EQ(large.configurations, 41U * 41U);
  EXPECT_EQ(large.classes.size(), 1U);
}

TEST(Enumerate, ExamplesAreExecutionsOfTheirClass) {
  const Blueprint blueprint = build([](World& world) {
    const auto list = world.spawn<List>("list");
    for (int i = 0; i < 3; ++i) world.send(list, Go{i});
  });
  const Enumeration all = enumerate(blueprint, {.examples = true});
  EXPECT_EQ(all.examples.size(), 6U);
  for (const auto& [hash, steps] : all.examples) {
    EXPECT_TRUE(all.classes.contains(hash));
    EXPECT_EQ(steps.size(), 3U);
  }
}

// --- random systems ---

struct DfsResult {
  std::uint64_t runs = 0;
  std::set<std::uint64_t> trace_classes;
  std::map<std::string, std::uint64_t> violations;
};

// Nothing where there are more than `most` executions.
std::optional<DfsResult> by_dfs(const Blueprint& blueprint, std::uint64_t most) {
  DfsResult result;
  Execution execution(blueprint, {});
  DfsStrategy dfs;
  while (const auto keep = dfs.begin({result.runs, 1, 10'000})) {
    if (++result.runs > most) return std::nullopt;
    const RunOutcome outcome = execution.run(dfs, *keep);
    if (outcome.violation) {
      ++result.violations[violation_key(*outcome.violation)];
    } else {
      result.trace_classes.insert(outcome.trace_class);
    }
  }
  return result;
}

TEST(Enumerate, AgreesWithDfsOnRandomSystems) {
  constexpr std::uint64_t systems = 400;
  std::uint64_t compared = 0;
  std::uint64_t violated = 0;
  for (std::uint64_t number = 0; number < systems; ++number) {
    const random_system::Features features = random_system::draw(number);
    SCOPED_TRACE(random_system::text(features));
    const Blueprint blueprint = random_system::build(features);
    const auto expected = by_dfs(blueprint, 1'500);
    if (!expected) continue;
    ++compared;
    const Enumeration all = both(blueprint);
    ASSERT_TRUE(all.complete());
    ASSERT_EQ(all.executions, expected->runs);
    ASSERT_EQ(all.trace_classes, expected->trace_classes);
    ASSERT_EQ(all.violations, expected->violations);
    ASSERT_EQ(all.classes.size(), all.trace_classes.size());
    violated += all.violations.empty() ? 0 : 1;
  }
  EXPECT_GT(compared, systems / 3);
  EXPECT_GT(violated, systems / 20);
}

}  // namespace
}  // namespace gainsay::enumerate_test
