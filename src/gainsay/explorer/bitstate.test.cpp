#include "gainsay/explorer/bitstate.hpp"

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::bitstate_test {
namespace {

TEST(Bitstate, KnowsWhatWasInserted) {
  Bitstate table(1U << 16U);
  Rng rng(1);
  std::vector<std::uint64_t> states;
  for (int i = 0; i < 1'000; ++i) states.push_back(rng.next());
  for (const std::uint64_t state : states) table.insert(state);
  for (const std::uint64_t state : states) EXPECT_FALSE(table.insert(state));
}

// In a table that is almost empty nothing is mistaken: 100 states in 2^23 bits, p <= (300 / 2^23)^3 = 5e-14.
TEST(Bitstate, ATableWithRoomOmitsNothing) {
  Bitstate table(1U << 20U);
  EXPECT_EQ(table.bits(), 1U << 23U);
  for (std::uint64_t state = 1; state <= 100; ++state) EXPECT_TRUE(table.insert(state));
}

// Against the exact count of distinct states that were offered: what was omitted is what the formula expects. The
// number of omissions is about Poisson; six standard deviations are allowed (2e-9).
TEST(Bitstate, OmitsAsManyAsExpected) {
  for (const std::uint64_t bits_per_state : {2U, 4U, 8U, 16U, 64U}) {
    constexpr std::uint64_t offered = 400'000;
    Bitstate table(offered * bits_per_state / 8);
    Rng rng(bits_per_state);
    std::uint64_t added = 0;
    for (std::uint64_t i = 0; i < offered; ++i) added += table.insert(rng.next()) ? 1 : 0;
    const double omitted = static_cast<double>(offered - added);
    const double expected = Bitstate::expected_omissions(added, table.bits());
    EXPECT_NEAR(omitted, expected, 6 * std::sqrt(expected) + 1) << bits_per_state << " bits for each state";
    EXPECT_GT(omitted, 0) << "nothing was measured";
  }
}

// p(x) / (1 - p(x)) grows like (3 x / bits)^3 where that is small: the integral is states / 4 (3 states / bits)^3.
TEST(Bitstate, FewOmissionsAreThoseOfTheLeadingTerm) {
  EXPECT_NEAR(Bitstate::expected_omissions(1'000, 3'000'000), 1'000 / 4.0 * 1e-9, 1e-9);
  EXPECT_EQ(Bitstate::expected_omissions(0, 64), 0);
}

// All workers offer the same states; each is added by one of them, however they meet.
TEST(Bitstate, OneOfSeveralWorkersAddsAState) {
  constexpr int workers = 4;
  constexpr std::uint64_t states = 20'000;
  Bitstate table(states * 1'000 / 8);
  std::vector<std::atomic<int>> added(states);
  std::vector<std::thread> threads;
  for (int worker = 0; worker < workers; ++worker) {
    threads.emplace_back([&] {
      for (std::uint64_t state = 0; state < states; ++state) {
        if (table.insert(mix(state, 7))) ++added[state];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::uint64_t once = 0;
  for (const std::atomic<int>& count : added) {
    EXPECT_LE(count, 1);
    once += count == 1 ? 1 : 0;
  }
  EXPECT_GE(once, states - 2);  // expected omissions: 20,000 / 4 (3 / 1,000)^3 = 1.4e-4
}

}  // namespace
}  // namespace gainsay::bitstate_test
