// Tasks in campaigns: hunts over worlds of tasks do not depend on the number of threads, what they find replays, and
// it shrinks to what the violation needs.
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/campaign/shrink_violation.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/execution/world/small_worlds.test.hpp"
#include "gainsay/scenario/task_actor.hpp"

namespace gainsay::task_campaigns_test {
namespace {

using small_worlds::Number;
using small_worlds::Read;
using small_worlds::Register;
using small_worlds::Write;
using small_worlds::Written;

// Adds one to the cell without holding it: the lost update.
struct Adder {
  Ref<Register> cell;
  Task<> run(TaskContext& ctx) {
    const Number before = co_await ctx.call<Number>(cell, Read{});
    co_await ctx.call<Written>(cell, Write{before.number + 1});
  }
};

// Has nothing to do with it.
struct Bystander {
  Task<> run(TaskContext& ctx) {
    for (int i = 0; i < 3; ++i) co_await ctx.yield();
  }
};

void lost_update(World& world) {
  const auto cell = world.spawn<Register>("cell");
  for (int i = 0; i < 2; ++i) world.wrap<Adder>("adder." + std::to_string(i), cell);
  for (int i = 0; i < 3; ++i) world.wrap<Bystander>("bystander." + std::to_string(i));
  world.finally("no update is lost", [cell](View view) -> Complaint {
    if (view[cell].number != 2) return "the cell holds " + std::to_string(view[cell].number);
    return {};
  });
}

TEST(TaskCampaigns, DoNotDependOnTheNumberOfJobs) {
  const Scenario scenario = Scenario::of("lost update", lost_update);
  for (const bool keep_going : {false, true}) {
    HuntOptions options{.strategy = "random", .runs = 500, .seed = 5, .keep_going = keep_going};
    const HuntResult one = hunt(scenario, {}, options);
    ASSERT_TRUE(one.first_bug_run);
    for (const unsigned jobs : {2U, 3U}) {
      options.jobs = jobs;
      const HuntResult many = hunt(scenario, {}, options);
      EXPECT_EQ(many.runs, one.runs);
      EXPECT_EQ(many.steps, one.steps);
      EXPECT_EQ(many.buggy_runs, one.buggy_runs);
      EXPECT_EQ(many.first_bug_run, one.first_bug_run);
      EXPECT_EQ(many.distinct_traces, one.distinct_traces);
      ASSERT_EQ(many.violations.size(), one.violations.size());
      EXPECT_EQ(many.violations[0].document, one.violations[0].document);
    }
  }
}

// A violation at the end needs a world that has come to rest, so bystanders stay.
TEST(TaskCampaigns, WhatTheyFindReplaysAndShrinks) {
  World world("lost update");
  lost_update(world);
  const Blueprint blueprint = world.take();
  const HuntResult found =
      hunt(Scenario::of("lost update", lost_update), {}, {.strategy = "random", .runs = 500, .seed = 5});
  ASSERT_FALSE(found.violations.empty());
  const FoundViolation& first = found.violations[0];
  const std::vector<Decision> steps = decisions_of(first.document, blueprint);
  const Replay replay = replay_steps(blueprint, steps, 10'000, first.violation);
  ASSERT_TRUE(replay.outcome.violation);
  EXPECT_EQ(*replay.outcome.violation, first.violation);
  const auto [shrunk, violation] = shrink_violation(blueprint, steps, first.violation);
  EXPECT_LE(shrunk.steps.size(), steps.size());
  EXPECT_EQ(violation.message, "the cell holds 1");
  const Replay again = replay_steps(blueprint, shrunk.decisions(), 10'000, violation);
  ASSERT_TRUE(again.outcome.violation);
  EXPECT_EQ(*again.outcome.violation, violation);
}

// A violation in the middle: here everything else falls away.
struct Checker {
  Ref<Register> cell;
  Task<> run(TaskContext& ctx) {
    const Number first = co_await ctx.call<Number>(cell, Read{});
    const Number second = co_await ctx.call<Number>(cell, Read{});
    ctx.check(first.number == second.number, "the cell changed under the reader");
  }
};

TEST(TaskCampaigns, ShrinkingDropsWhatHasNoPartInIt) {
  const auto body = [](World& world) {
    const auto cell = world.spawn<Register>("cell");
    world.wrap<Checker>("checker", cell);
    world.wrap<Adder>("adder", cell);
    for (int i = 0; i < 3; ++i) world.wrap<Bystander>("bystander." + std::to_string(i));
  };
  World world("changed");
  body(world);
  const Blueprint blueprint = world.take();
  const HuntResult found =
      hunt(Scenario::of("changed", body), {}, {.strategy = "random", .runs = 2'000, .seed = 1});
  ASSERT_FALSE(found.violations.empty());
  const auto [shrunk, violation] = shrink_violation(
      blueprint, decisions_of(found.violations[0].document, blueprint), found.violations[0].violation);
  // Checker: start, Read, its reply, Read, its reply. Adder: start, Read, its reply, Write.
  EXPECT_EQ(shrunk.steps.size(), 9U);
  EXPECT_NE(violation.message.find("the cell changed under the reader"), std::string::npos);
}

}  // namespace
}  // namespace gainsay::task_campaigns_test
