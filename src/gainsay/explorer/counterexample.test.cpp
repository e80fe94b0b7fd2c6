// What explore finds: every kind of violation, by a shortest execution, the same with any number of workers.
#include "gainsay/explorer/counterexample.hpp"

#include <map>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "gainsay/execution/run/document.hpp"
#include "gainsay/explorer/explore.hpp"

namespace gainsay::counterexample_test {
namespace {

struct Add {
  int n = 0;
};

struct Sum {
  using Receives = Messages<Add>;
  int sum = 0;
  void on(const Add& add) { sum += add.n; }
};

// The only violation, replayed.
FoundViolation only_violation(const Scenario& scenario, const ExploreResult& result) {
  EXPECT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.verdict(), Verdict::violated);
  EXPECT_EQ(result.exit_code(), 1);
  EXPECT_FALSE(result.complete);
  if (result.violations.empty()) return {};
  const FoundViolation& found = result.violations[0];
  const Blueprint blueprint = scenario.build();
  const Replay replay =
      replay_steps(blueprint, decisions_of(found.document, blueprint), found.document.steps_max);
  EXPECT_FALSE(replay.diverged_at) << replay.divergence;
  EXPECT_EQ(replay.outcome.violation, found.violation);
  EXPECT_EQ(replay.document.steps, found.document.steps);
  return found;
}

// Two counters, messages 1, 2, 4, ... for each; wrong when the sums are 5 and 8: three messages, the shortest
// way is three steps long, and there are 3! of them.
Scenario two_counters(int each) {
  return Scenario::of("two_counters", [each](World& world) {
    const auto sums = world.group<Sum>("sum", 2);
    for (int i = 0; i < each; ++i) {
      for (const auto sum : sums) world.send(sum, Add{1 << i});
    }
    world.always("sums", sums, [sums](View v) -> Complaint {
      if (v[sums[0]].sum == 5 && v[sums[1]].sum == 8) return "five and eight";
      return {};
    });
  });
}

TEST(Counterexample, FindsAShortestCounterexample) {
  const ExploreResult result = explore(two_counters(5), {}, {});
  const FoundViolation found = only_violation(two_counters(5), result);
  EXPECT_EQ(found.violation, (Violation{"sums", "five and eight", nobody, 2}));
  EXPECT_EQ(found.document.steps.size(), 3U);
  EXPECT_EQ(found.document.strategy, "explore");
  EXPECT_EQ(result.incomplete_because, "a violation was found");
  EXPECT_EQ(result.depth, 3U) << "the level is finished, the next is not begun";
  // 1 + 10 + 45 + 120 states on levels 0 to 3.
  EXPECT_EQ(result.states, 176U);
  const ExploreResult all = explore(two_counters(5), {}, {.keep_going = true});
  // All 2^10 subsets but those that lie behind the wrong one only; all have other ways to them.
  EXPECT_EQ(all.states, 1024U);
  EXPECT_EQ(only_violation(two_counters(5), all).document, found.document);
}

// Ties are broken in the same way by any number of workers, and however often.
TEST(Counterexample, DoesNotDependOnTheNumberOfWorkers) {
  const ExploreResult one = explore(two_counters(8), {}, {.keep_going = true});
  EXPECT_EQ(one.states, 1ULL << 16U);
  for (const unsigned workers : {2U, 3U}) {
    for (int again = 0; again < 3; ++again) {
      const ExploreResult many = explore(two_counters(8), {}, {.workers = workers, .keep_going = true});
      EXPECT_EQ(many.workers, workers);
      EXPECT_EQ(many.states, one.states);
      EXPECT_EQ(many.transitions, one.transitions);
      EXPECT_EQ(many.depth, one.depth);
      EXPECT_EQ(many.end_states, one.end_states);
      ASSERT_EQ(many.violations.size(), one.violations.size());
      EXPECT_EQ(many.violations[0].violation, one.violations[0].violation);
      EXPECT_EQ(many.violations[0].document, one.violations[0].document);
    }
  }
}

// Many wrong states on one level: which of them is reported does not depend on the workers either.
TEST(Counterexample, TheLeastOfManyCounterexamplesIsReported) {
  const Scenario scenario = Scenario::of("many", [](World& world) {
    const auto sums = world.group<Sum>("sum", 4);
    for (int i = 0; i < 4; ++i) {
      for (const auto sum : sums) world.send(sum, Add{1 << i});
    }
    world.always("seven", sums, [sums](View v) -> Complaint {
      for (const auto sum : sums) {
        if (v[sum].sum == 7) return "sum " + std::to_string(sums.index(sum)) + " is seven";
      }
      return {};
    });
  });
  std::set<std::string> texts;
  for (int again = 0; again < 5; ++again) {
    for (const unsigned workers : {1U, 2U, 3U}) {
      const FoundViolation found = only_violation(scenario, explore(scenario, {}, {.workers = workers}));
      EXPECT_EQ(found.document.steps.size(), 3U);
      std::string text = found.violation.message;
      for (const DocumentStep& step : found.document.steps) text += " " + step.to + step.message;
      texts.insert(text);
    }
  }
  EXPECT_EQ(texts.size(), 1U);
}

TEST(Counterexample, FindsEveryKindOfViolation) {
  struct Case {
    const char* property;
    std::size_t steps;
    std::function<void(World&)> body;
  };
  const auto at_first = [](World& world) {
    world.send(world.spawn<Sum>("sum"), Add{});
    world.always("first", [](View) -> Complaint { return "wrong from the start"; });
  };
  const auto at_end = [](World& world) {
    const auto sum = world.spawn<Sum>("sum");
    world.send(sum, Add{1});
    world.send(sum, Add{2});
    world.finally("last", [sum](View v) -> Complaint { return std::to_string(v[sum].sum); });
  };
  const auto stopped = [](World& world) {
    const auto sum = world.spawn<Sum>("sum");
    world.send(sum, Add{1});
    world.faults().crash(1, sum);
    world.finally("stopped", [sum](View v) -> Complaint {
      if (v.alive(sum)) return "alive";
      return {};
    });
  };
  for (const Case& each :
       {Case{"first", 0, at_first}, Case{"last", 2, at_end}, Case{"stopped", 1, stopped}}) {
    const Scenario scenario = Scenario::of("tiny", each.body);
    const FoundViolation found = only_violation(scenario, explore(scenario, {}, {}));
    EXPECT_EQ(found.violation.property, each.property);
    EXPECT_EQ(found.document.steps.size(), each.steps);
  }
}

struct Faulty {
  using Receives = Messages<Add>;
  int sum = 0;
  std::string waiting() const { return sum == 100 ? "for Godot" : ""; }
  void on(const Add& add, Context& ctx) {
    sum += add.n;
    ctx.check(sum != 3, "three");
    if (sum == 5) throw std::runtime_error("five");
    if (sum == 9) ctx.send(nobody, add);
    if (sum == 11) sum = 100;
  }
};

// Adds 1, 2, 8: three = 1 + 2, nine = 1 + 8, eleven never (8 + 2 + 1 is reached through 10 only: 11 = 10 +
// 1).
TEST(Counterexample, FindsAllViolationsWhenItKeepsGoing) {
  const Scenario scenario = Scenario::of("faulty", [](World& world) {
    const auto faulty = world.spawn<Faulty>("faulty");
    for (const int n : {1, 2, 8}) world.send(faulty, Add{n});
  });
  const ExploreResult result = explore(scenario, {}, {.keep_going = true});
  std::map<std::string, std::size_t> found;
  for (const FoundViolation& each : result.violations) {
    found[each.violation.property + ": " + each.violation.message] = each.document.steps.size();
    EXPECT_EQ(each.violation.actor, ActorId{0});
  }
  EXPECT_EQ(found, (std::map<std::string, std::size_t>{
                       {"check: three", 2},
                       {"bad send: faulty sends Add to nobody, which does not exist", 2},
                       {"deadlock: nothing can happen any more, but faulty waits: for Godot", 3}}));
}

TEST(Counterexample, WhatOtherCodeOfTheScenarioThrowsIsAViolation) {
  const Scenario scenario = Scenario::of("corrupt", [](World& world) {
    world.send(world.spawn<Sum>("sum"), Add{1});
    world.faults().corrupt<Add>(1, [](const Add&) -> Add { throw std::runtime_error("no"); });
  });
  const FoundViolation found = only_violation(scenario, explore(scenario, {}, {}));
  EXPECT_EQ(found.violation.property, "exception");
}

int cheats = 0;

struct Cheat {
  using Receives = Messages<Add>;
  int count = 0;
  void on(const Add&, Context& ctx) {
    count = ++cheats;
    ctx.check(false, "look at me");
  }
};

// Before it is reported a violation is executed again, live: a handler that is no function is named.
TEST(Counterexample, ACheatIsNamed) {
  const Scenario scenario =
      Scenario::of("cheat", [](World& world) { world.send(world.spawn<Cheat>("cheat"), Add{}); });
  const ExploreResult result = explore(scenario, {}, {});
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].violation.property, "nondeterminism");
  EXPECT_NE(result.violations[0].violation.message.find("field count"), std::string::npos);
}

// Nor is a search called complete in which nothing else is wrong.
struct QuietCheat {
  using Receives = Messages<Add>;
  int count = 0;
  void on(const Add&) { count = ++cheats; }
};

TEST(Counterexample, ACheatIsNoProof) {
  const Scenario scenario =
      Scenario::of("cheat", [](World& world) { world.send(world.spawn<QuietCheat>("cheat"), Add{}); });
  const ExploreResult result = explore(scenario, {}, {});
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].violation.property, "nondeterminism");
  EXPECT_NE(result.violations[0].violation.message.find("field count"), std::string::npos);
  EXPECT_FALSE(result.complete);
}

}  // namespace
}  // namespace gainsay::counterexample_test
