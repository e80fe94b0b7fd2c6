#include "tools/steer_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/run/document.hpp"
#include "gainsay/gainsay.hpp"

namespace gainsay::tools {
namespace {

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
  EXPECT_THROW(session.go_on("dfs", 1, 1), UserError);
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
}  // namespace gainsay::tools
