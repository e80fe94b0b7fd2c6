#include "tools/steer_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/run/document.hpp"
#include "gainsay/gainsay.hpp"

namespace gainsay::steer_session_test {
namespace {

using namespace gainsay::tools;

struct Toss {};
struct Coin {
  using Receives = Messages<Toss>;
  std::uint32_t sum = 0;
  void on(const Toss&, Context& ctx) {
    sum += static_cast<std::uint32_t>(ctx.choose(3));
    ctx.check(sum < 4, "the sum is four");
  }
};

SteerSession two_tosses() {
  const Scenario scenario = Scenario::of("tosses", [](World& world) {
    const auto coin = world.spawn<Coin>("coin");
    world.send(coin, Toss{});
    world.send(coin, Toss{});
  });
  return SteerSession(scenario, {}, 100);
}

TEST(SteerSession, AnswersAreChangedAndWhatFollowsGoes) {
  SteerSession session = two_tosses();
  EXPECT_EQ(session.possible().size(), 2U);
  session.take(1);
  EXPECT_EQ(session.steps(), 1U);
  session.take(0);
  EXPECT_TRUE(session.ended());
  EXPECT_FALSE(session.document().violation);
  session.answer(0, 0, 2);
  EXPECT_EQ(session.steps(), 1U);
  EXPECT_THROW(session.answer(0, 0, 3), UserError);
  EXPECT_THROW(session.answer(0, 1, 0), UserError);
  session.take(0);
  session.answer(1, 0, 2);
  ASSERT_TRUE(session.document().violation);
  EXPECT_EQ(session.document().violation->message, "the sum is four");
  EXPECT_THROW(session.take(0), UserError);
}

TEST(SteerSession, JumpsBackAndForwardUntilSomethingElseIsChosen) {
  SteerSession session = two_tosses();
  session.take(0);
  session.take(0);
  session.undo();
  EXPECT_EQ(session.steps(), 1U);
  EXPECT_EQ(session.at_hand(), 2U);
  session.jump(2);
  EXPECT_EQ(session.steps(), 2U);
  session.jump(0);
  EXPECT_THROW(session.undo(), UserError);
  session.take(1);
  EXPECT_EQ(session.at_hand(), 1U);
  EXPECT_THROW(session.jump(2), UserError);
}

TEST(SteerSession, StrategiesGoOnFromTheMiddle) {
  for (const std::string& strategy : SteerSession::strategies()) {
    SteerSession session = two_tosses();
    session.take(1);
    session.go_on(strategy, 7, 10);
    EXPECT_EQ(session.steps(), 2U) << strategy;
    EXPECT_TRUE(session.ended());
  }
  SteerSession session = two_tosses();
  for (const char* planner : {"dfs", "hitting", "nemesis", "portfolio"})
    EXPECT_THROW(session.go_on(planner, 1, 1), UserError) << planner;
}

// Without their times: an order has many, and which are shown depends on all of it.
std::vector<DocumentStep> untimed_steps(const TraceDocument& document, std::size_t count) {
  std::vector<DocumentStep> steps(document.steps.begin(),
                                  document.steps.begin() + static_cast<std::ptrdiff_t>(count));
  for (DocumentStep& step : steps) step.time_ns = 0;
  return steps;
}

// In worlds with crashes, timers, machines and time: from every tenth step on, with every walk. What was done before
// stays, and what a walk did is followed again to the same world.
TEST(SteerSession, WalksGoOnInEveryKindOfWorld) {
  for (const char* name : {"flush_race", "raft", "failure_detector", "zookeeper_election", "kafka_isr"}) {
    const Scenario& scenario = find_scenario(name);
    for (const std::string& strategy : SteerSession::strategies()) {
      SteerSession session(scenario, {}, 60);
      session.go_on("random", 3, 20);
      for (std::size_t from = 0; from <= 20; from += 10) {
        if (from >= session.steps()) break;
        session.jump(from);
        const TraceDocument before = session.document();
        session.go_on(strategy, 5, 15);
        EXPECT_GT(session.steps(), from) << name << " " << strategy;
        EXPECT_LE(session.steps(), from + 15);
        const TraceDocument after = session.document();
        EXPECT_EQ(untimed_steps(after, from), untimed_steps(before, from)) << name << " " << strategy;
        SteerSession again(scenario, {}, 60);
        again.follow(after, after.steps.size());
        EXPECT_EQ(again.document().steps, after.steps) << name << " " << strategy;
      }
    }
  }
}

// The same seed, the same steps; with another one others, sooner or later.
TEST(SteerSession, AWalkDependsOnItsSeed) {
  for (const std::string& strategy : SteerSession::strategies()) {
    std::vector<std::vector<DocumentStep>> made;
    for (const std::uint64_t seed : {1, 1, 2, 3, 4, 5, 6}) {
      SteerSession session(find_scenario("paxos"), {}, 60);
      session.take(0);
      session.go_on(strategy, seed, 40);
      made.push_back(session.document().steps);
    }
    EXPECT_EQ(made[0], made[1]) << strategy;
    EXPECT_TRUE(std::any_of(made.begin() + 2, made.end(), [&](const auto& each) { return each != made[0]; }))
        << strategy;
  }
}

// An execution that could go on is saved such that a replay ends where it ends.
TEST(SteerSession, WhatIsSavedIsFollowed) {
  SteerSession session = two_tosses();
  session.take(0);
  EXPECT_EQ(session.document().steps_max, 1U);
  SteerSession again = two_tosses();
  again.follow(session.document(), 1);
  EXPECT_EQ(again.document(), session.document());
}

}  // namespace
}  // namespace gainsay::steer_session_test
