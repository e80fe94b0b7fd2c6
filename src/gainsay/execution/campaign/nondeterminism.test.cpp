// Handlers that cheat: they depend on a static variable, and are named for it.
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/confirm.hpp"
#include "gainsay/execution/campaign/hunt.hpp"

namespace gainsay::nondeterminism_test {
namespace {

struct Go {
  int n = 0;
};
struct Mark {
  int n = 0;
};

int calls = 0;  // the cheats' common vice

struct Sink {
  using Receives = Messages<Mark>;
  int sum = 0;
  void on(const Mark& mark) { sum += mark.n; }
};

// Its field depends on how often it was ever called.
struct Counter {
  using Receives = Messages<Go>;
  int count = 0;
  void on(const Go&) { count = ++calls; }
};

// What it sends depends on it.
struct Sender {
  using Receives = Messages<Go>;
  Ref<Sink> sink;
  void on(const Go&, Context& ctx) { ctx.send(sink, Mark{++calls}); }
};

// What it asks depends on it.
struct Asking {
  using Receives = Messages<Go>;
  void on(const Go&, Context& ctx) { ctx.choose(++calls % 2 == 0 ? 2 : 3); }
};

// Whether it sends at all depends on it.
struct Moody {
  using Receives = Messages<Go>;
  Ref<Sink> sink;
  void on(const Go&, Context& ctx) {
    if (++calls % 2 == 0) ctx.send(sink, Mark{1});
  }
};

// Whether it fails depends on it.
struct Flaky {
  using Receives = Messages<Go>;
  int period = 2;
  void on(const Go&, Context& ctx) { ctx.check(++calls % period != 0, "now and then"); }
};

template <class A> Scenario cheating(A actor) {
  return Scenario::of("cheating", [actor](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    A copy = actor;
    if constexpr (requires { copy.sink; }) copy.sink = sink;
    const auto cheat = world.spawn("cheat", copy);
    world.send(cheat, Go{1});
  });
}

// What a hunt that verifies says about it.
Violation verified(const Scenario& scenario, const char* strategy = "random") {
  calls = 0;
  const HuntResult result = hunt(scenario, {}, {.strategy = strategy, .runs = 4, .verify_determinism = true});
  EXPECT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.exit_code(), 1);
  if (result.violations.empty()) return {};
  EXPECT_EQ(result.violations[0].violation.property, "nondeterminism");
  EXPECT_EQ(result.violations[0].document.violation, result.violations[0].violation);
  return result.violations[0].violation;
}

bool says(const Violation& violation, const std::string& part) {
  return violation.message.find(part) != std::string::npos;
}

TEST(Nondeterminism, NamesActorEventAndField) {
  const Violation violation = verified(cheating(Counter{}));
  EXPECT_TRUE(says(violation, "step 1, actor cheat, event deliver Go{n: 1}")) << violation.message;
  EXPECT_TRUE(says(violation, "field count: 0 -> ")) << violation.message;
  EXPECT_EQ(violation.step, 0U);
}

TEST(Nondeterminism, NamesWhatWasSent) {
  const Violation violation = verified(cheating(Sender{}));
  EXPECT_TRUE(says(violation, "step 1, actor cheat")) << violation.message;
  EXPECT_TRUE(says(violation, "to sink")) << violation.message;
}

TEST(Nondeterminism, NamesTheStepThatCannotBeFollowed) {
  EXPECT_TRUE(says(verified(cheating(Moody{})), "step ")) << "moody";
  EXPECT_TRUE(says(verified(cheating(Asking{})), "step 1")) << "asking";
}

TEST(Nondeterminism, IsSeenInSearchesToo) {
  for (const auto& scenario : {cheating(Counter{}), cheating(Sender{}), cheating(Moody{})}) {
    EXPECT_EQ(verified(scenario, "dfs").property, "nondeterminism");
  }
}

// Without being asked: what is remembered is called twice at first.
TEST(Nondeterminism, IsSeenBySecondCalls) {
  for (const auto& scenario :
       {cheating(Counter{}), cheating(Sender{}), cheating(Moody{}), cheating(Asking{})}) {
    for (const char* strategy : {"dfs", "random"}) {
      calls = 0;
      const HuntResult result = hunt(scenario, {}, {.strategy = strategy, .runs = 4});
      ASSERT_EQ(result.violations.size(), 1U) << strategy;
      EXPECT_EQ(result.violations[0].violation.property, "nondeterminism");
      EXPECT_TRUE(says(result.violations[0].violation, "cheat")) << result.violations[0].violation.message;
    }
  }
}

// Without being asked: every violation is executed again before it is reported. A failure that does not come
// back is the cheat's.
TEST(Nondeterminism, AViolationThatDoesNotShowAgain) {
  for (const bool memo : {true, false}) {
    calls = 6;  // the seventh call fails, the next six do not
    const HuntResult result =
        hunt(cheating(Flaky{.period = 7}), {}, {.runs = 10, .keep_going = true, .memo = memo});
    ASSERT_EQ(result.violations.size(), 1U);
    const Violation& violation = result.violations[0].violation;
    EXPECT_EQ(violation.property, "nondeterminism");
    EXPECT_TRUE(says(violation, "'check: now and then' did not show again")) << violation.message;
  }
}

TEST(Nondeterminism, AViolationThatComesAndGoes) {
  calls = 1;  // fails, not, fails, not
  const HuntResult result = hunt(cheating(Flaky{.period = 2}), {}, {.runs = 1});
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].violation.property, "nondeterminism");
}

// A cheat beside a real violation: the trace could not be trusted, so the cheat is reported.
TEST(Nondeterminism, HidesBehindNoOtherViolation) {
  calls = 0;
  const Scenario scenario = Scenario::of("both", [](World& world) {
    const auto counter = world.spawn<Counter>("counter");
    world.send(counter, Go{1});
    world.finally("wrong", [](View) -> Complaint { return "always"; });
  });
  const HuntResult result = hunt(scenario, {}, {.runs = 1});
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].violation.property, "nondeterminism");
  EXPECT_TRUE(says(result.violations[0].violation, "actor counter"))
      << result.violations[0].violation.message;
  EXPECT_TRUE(says(result.violations[0].violation, "field count")) << result.violations[0].violation.message;
}

// dfs follows prefixes; one that cannot be followed any more ends the search with the finding. The first call
// is the second of all and sends; in the next execution, which keeps that step, it does not.
TEST(Nondeterminism, APrefixThatCannotBeFollowed) {
  calls = 1;
  const Scenario scenario = Scenario::of("prefix", [](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    world.send(world.spawn("moody", Moody{.sink = sink}), Go{});
    world.send(sink, Mark{9});
  });
  const HuntResult result =
      hunt(scenario, {},
           {.strategy = "dfs", .keep_going = true, .memo = false, .backtracking = Backtracking::reexecution});
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].violation.property, "nondeterminism");
  EXPECT_EQ(result.runs, 2U);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.exit_code(), 1);
}

// Who reads a constant, or a static that does not change, is no cheat; nor is an honest actor.
TEST(Nondeterminism, IsNotSeenWhereThereIsNone) {
  const Scenario honest = Scenario::of("honest", [](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    for (int i = 0; i < 4; ++i) world.send(sink, Mark{i});
    world.faults().drop(1).duplicate(1).crash(1, sink).restart(1);
  });
  const HuntResult result = hunt(honest, {}, {.runs = 100, .verify_determinism = true});
  EXPECT_TRUE(result.violations.empty());
  const HuntResult bounded = hunt(honest, {}, {.runs = 20, .steps_max = 2, .verify_determinism = true});
  EXPECT_TRUE(bounded.violations.empty());
}

// --- confirm ---

TEST(Confirm, KeepsWhatShowsAgain) {
  World world("confirm");
  const auto sink = world.spawn<Sink>("sink");
  world.send(sink, Mark{3});
  world.always("three", sink, [sink](View v) -> Complaint {
    if (v[sink].sum == 3) return "three";
    return {};
  });
  const Blueprint blueprint = world.take();
  Decision decision;
  decision.id = outside_event_id(EventKind::deliver, sink, 0);
  const std::vector<Decision> steps = {decision};
  const FoundViolation found = confirm(blueprint, {"three", "three", nobody, 0}, steps, 10);
  EXPECT_EQ(found.violation, (Violation{"three", "three", nobody, 0}));
  EXPECT_EQ(found.document.end, "violated");
  EXPECT_EQ(found.document.steps.size(), 1U);
  // Another property, or another step, is not the same violation.
  EXPECT_EQ(confirm(blueprint, {"four", "three", nobody, 0}, steps, 10).violation.property, "nondeterminism");
  EXPECT_EQ(confirm(blueprint, {"three", "three", nobody, 7}, steps, 10).violation.property,
            "nondeterminism");
}

}  // namespace
}  // namespace gainsay::nondeterminism_test
