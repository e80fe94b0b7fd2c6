#include "gainsay/trace/shrink.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay {
namespace {

std::vector<Decision> numbered(std::size_t count) {
  std::vector<Decision> steps(count);
  for (std::size_t i = 0; i < count; ++i) steps[i].id = EventId{i + 1};
  return steps;
}

std::vector<std::uint64_t> ids(const std::vector<Decision>& steps) {
  std::vector<std::uint64_t> out;
  for (const Decision& step : steps) out.push_back(step.id.raw);
  return out;
}

// The violation shows where all of `needed` are there; whatever is asked for is executed.
TryShrunk needs_all(const std::vector<std::uint64_t>& needed) {
  return [needed](const std::vector<Decision>& list) -> std::optional<std::vector<Decision>> {
    const auto there = ids(list);
    for (const std::uint64_t id : needed) {
      if (std::find(there.begin(), there.end(), id) == there.end()) return std::nullopt;
    }
    return list;
  };
}

TEST(Shrink, KeepsExactlyWhatIsNeeded) {
  EXPECT_EQ(ids(shrink(numbered(100), needs_all({3, 57, 58, 99})).steps),
            (std::vector<std::uint64_t>{3, 57, 58, 99}));
  EXPECT_EQ(ids(shrink(numbered(1), needs_all({1})).steps), (std::vector<std::uint64_t>{1}));
  EXPECT_TRUE(shrink(numbered(17), needs_all({})).steps.empty());
  EXPECT_TRUE(shrink({}, needs_all({})).steps.empty());
}

TEST(Shrink, EveryRandomNeedIsMetAndOneMinimal) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = 1 + rng.below(60);
    std::vector<std::uint64_t> needed;
    for (std::uint64_t id = 1; id <= count; ++id) {
      if (rng.chance(1, 5)) needed.push_back(id);
    }
    EXPECT_EQ(ids(shrink(numbered(count), needs_all(needed)).steps), needed);
  }
}

TEST(Shrink, WhatWasExecutedCountsNotWhatWasAskedFor) {
  // Whoever asks for anything gets the whole of 1..5 executed: nothing is gained, so nothing changes.
  const TryShrunk stubborn = [](const std::vector<Decision>&) { return std::optional(numbered(5)); };
  EXPECT_EQ(shrink(numbered(5), stubborn).steps, numbered(5));
}

TEST(Shrink, StopsAtTheNumberOfAttempts) {
  std::size_t calls = 0;
  const TryShrunk never = [&](const std::vector<Decision>&) -> std::optional<std::vector<Decision>> {
    ++calls;
    return std::nullopt;
  };
  const Shrunk result = shrink(numbered(1000), never, 25);
  EXPECT_EQ(result.attempts, 25U);
  EXPECT_EQ(calls, 25U);
  EXPECT_EQ(result.steps, numbered(1000));
}

}  // namespace
}  // namespace gainsay
