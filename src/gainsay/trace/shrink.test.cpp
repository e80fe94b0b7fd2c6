#include "gainsay/trace/shrink.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay {
namespace {

std::vector<Step> numbered(std::size_t count) {
  std::vector<Step> steps(count);
  for (std::size_t i = 0; i < count; ++i) {
    steps[i].event.id = EventId{i + 1};
    steps[i].event.receiver = ActorId{0};
  }
  return steps;
}

std::vector<std::uint64_t> ids(const std::vector<Step>& steps) {
  std::vector<std::uint64_t> out;
  for (const Step& step : steps) out.push_back(step.event.id.raw);
  return out;
}

// The violation shows where all of `needed` are there; whatever is asked for is executed.
TryShrunk needs_all(const std::vector<std::uint64_t>& needed) {
  return [needed](const ShrinkAttempt& attempt) -> std::optional<std::vector<Step>> {
    const auto there = ids(attempt.steps);
    for (const std::uint64_t id : needed) {
      if (std::find(there.begin(), there.end(), id) == there.end()) return std::nullopt;
    }
    return attempt.steps;
  };
}

TEST(Shrink, KeepsExactlyWhatIsNeeded) {
  EXPECT_EQ(ids(shrink(numbered(100), needs_all({3, 57, 58, 99})).steps),
            (std::vector<std::uint64_t>{3, 57, 58, 99}));
  EXPECT_EQ(ids(shrink(numbered(1), needs_all({1})).steps), (std::vector<std::uint64_t>{1}));
  EXPECT_TRUE(shrink(numbered(17), needs_all({})).steps.empty());
  EXPECT_TRUE(shrink({}, needs_all({})).steps.empty());
}

// The dumb twin: what no single step can be taken from.
TEST(Shrink, EveryRandomNeedIsMetAndOneMinimal) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = 1 + rng.below(200);
    std::vector<Step> steps = numbered(count);
    std::vector<std::uint64_t> needed;
    for (std::uint64_t id = 1; id <= count; ++id) {
      Event& event = steps[id - 1].event;
      event.receiver = ActorId{rng.below(4)};
      if (rng.chance(1, 5)) event.kind = EventKind::drop;
      if (rng.chance(1, 2) && id > 1) event.parent = static_cast<std::uint32_t>(rng.below(id - 1));
      if (rng.chance(1, 5)) needed.push_back(id);
    }
    const Shrunk shrunk = shrink(steps, needs_all(needed));
    EXPECT_EQ(ids(shrunk.steps), needed);
    EXPECT_TRUE(shrunk.minimal);
  }
}

// 9,980 ticks of an actor that has no part in it.
TEST(Shrink, WhatTheViolationDoesNotDependOnGoesAtOnce) {
  std::vector<Step> steps = numbered(10'000);
  std::vector<std::uint64_t> needed;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool part = i % 500 == 499;
    steps[i].event.receiver = ActorId{part ? 1U : 0U};
    if (part) needed.push_back(i + 1);
  }
  const Shrunk shrunk = shrink(steps, needs_all(needed));
  EXPECT_EQ(ids(shrunk.steps), needed);
  EXPECT_LE(shrunk.attempts, 200U);
}

TEST(Shrink, FollowsCausesBackToTheirBeginning) {
  std::vector<Step> steps = numbered(1'000);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].event.receiver = ActorId{i};
  steps[999].event.parent = 500;
  steps[500].event.parent = 20;
  std::vector<std::size_t> asked;
  shrink(steps, [&](const ShrinkAttempt& attempt) -> std::optional<std::vector<Step>> {
    asked.push_back(attempt.steps.size());
    return std::nullopt;
  });
  ASSERT_FALSE(asked.empty());
  EXPECT_EQ(asked.front(), 3U);
}

TEST(Shrink, AnswersGoTowardZero) {
  Rng rng(11);
  for (int round = 0; round < 100; ++round) {
    std::vector<Step> steps = numbered(20);
    std::vector<std::uint32_t> least(20);
    for (std::size_t i = 0; i < 20; ++i) {
      least[i] = static_cast<std::uint32_t>(rng.below(4));
      steps[i].choices = {{least[i] + static_cast<std::uint32_t>(rng.below(5)), 10}};
    }
    // Shows where every step is there and no answer is below its least.
    const Shrunk shrunk =
        shrink(steps, [&](const ShrinkAttempt& attempt) -> std::optional<std::vector<Step>> {
          if (attempt.steps.size() < 20) return std::nullopt;
          for (std::size_t i = 0; i < 20; ++i) {
            if (attempt.steps[i].choices[0].answer < least[i]) return std::nullopt;
          }
          return attempt.steps;
        });
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(shrunk.steps[i].choices[0].answer, least[i]);
  }
}

TEST(Shrink, WhatWasExecutedCountsNotWhatWasAskedFor) {
  // Whoever asks for anything gets the whole of 1..5 executed: nothing is gained, so nothing changes.
  const TryShrunk stubborn = [](const ShrinkAttempt&) { return std::optional(numbered(5)); };
  EXPECT_EQ(shrink(numbered(5), stubborn).steps, numbered(5));
}

TEST(Shrink, StopsAtTheNumberOfAttempts) {
  std::size_t calls = 0;
  const TryShrunk never = [&](const ShrinkAttempt&) -> std::optional<std::vector<Step>> {
    ++calls;
    return std::nullopt;
  };
  ShrinkPlan plan;
  plan.attempts_max = 25;
  const Shrunk result = shrink(numbered(1000), never, plan);
  EXPECT_EQ(result.attempts, 25U);
  EXPECT_EQ(calls, 25U);
  EXPECT_EQ(result.steps, numbered(1000));
  EXPECT_FALSE(result.minimal);
  plan.spent = [] { return true; };
  EXPECT_EQ(shrink(numbered(1000), never, plan).attempts, 0U);
}

}  // namespace
}  // namespace gainsay
