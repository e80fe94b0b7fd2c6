#include "gainsay/base/rng.hpp"

#include <array>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace gainsay::rng_test {
namespace {

// Every trace names a seed: whoever changes these numbers makes old reports impossible to repeat.
TEST(Rng, GivesTheSameNumbersForever) {
  Rng rng(42, 7);
  EXPECT_EQ(rng.next(), 0x6bb753bf69441b64ULL);
  EXPECT_EQ(rng.next(), 0xb78f2162a43f5fafULL);
  EXPECT_EQ(rng.next(), 0x247380ffa30ba930ULL);
  EXPECT_EQ(rng.below(1000), 224U);
  EXPECT_EQ(rng.below(1000), 340U);
  EXPECT_EQ(Rng(0).next(), 0xfa91dcd9a797e289ULL);
}

// The generator as its authors publish it, with their first outputs for the state 1, 2, 3, 4.
struct Published {
  std::array<std::uint64_t, 4> s;
  static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t next() {
    const std::uint64_t result = rotl(s[0] + s[3], 23) + s[0];
    const std::uint64_t t = s[1] << 17U;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
  }
};

TEST(Rng, IsXoshiro256PlusPlusSeededBySplitmix64) {
  Published known{{1, 2, 3, 4}};
  for (const std::uint64_t expected : {41943041ULL, 58720359ULL, 3588806011781223ULL, 3591011842654386ULL}) {
    ASSERT_EQ(known.next(), expected);
  }
  std::uint64_t x = mix(scramble(42 + 0x632be59bd9b4e019ULL), 7);
  Published twin{};
  for (std::uint64_t& word : twin.s) {
    x += 0x9e3779b97f4a7c15ULL;
    word = x;
    word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    word = (word ^ (word >> 27U)) * 0x94d049bb133111ebULL;
    word ^= word >> 31U;
  }
  Rng rng(42, 7);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(rng.next(), twin.next()) << "number " << i;
}

TEST(Rng, SeedAndStreamBothMatterAndAreNotExchangeable) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (std::uint64_t stream = 0; stream < 200; ++stream) firsts.insert(Rng(seed, stream).next());
  }
  EXPECT_EQ(firsts.size(), 200U * 200U);
}

TEST(Rng, BelowStaysBelow) {
  Rng rng(1);
  for (const std::uint64_t n : {1ULL, 2ULL, 3ULL, 1000ULL, 1ULL << 32U, (1ULL << 63U) + 1, ~0ULL}) {
    for (int i = 0; i < 1000; ++i) ASSERT_LT(rng.below(n), n);
  }
  EXPECT_EQ(Rng(5).below(1), 0U);
}

// n = 3 * 2^62, so 2^64 = 4n/3. `next() % n` would give the 2^62 smallest values twice as often as the
// others: the lower third would hold 1/2 of the draws. Multiplying without rejection would give every third
// value twice: one residue mod 3 would hold 1/2. Unbiased, each third and each residue holds 1/3 of 30,000
// draws: 10,000 with the standard deviation sqrt(30000 * 1/3 * 2/3) = 82, so 500 is 6 of them; the two
// mistakes would give 15,000.
TEST(Rng, BelowIsUnbiasedWhereNaiveMethodsAreNot) {
  constexpr std::uint64_t n = 3ULL << 62U;
  std::array<int, 3> thirds{};
  std::array<int, 3> residues{};
  Rng rng(2024);
  for (int i = 0; i < 30'000; ++i) {
    const std::uint64_t draw = rng.below(n);
    ++thirds.at(draw >> 62U);
    ++residues.at(draw % 3);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(thirds.at(k), 10'000, 500);
    EXPECT_NEAR(residues.at(k), 10'000, 500);
  }
}

double chi_square(const std::vector<std::size_t>& counts, double expected) {
  double sum = 0;
  for (const std::size_t count : counts) {
    const double off = static_cast<double>(count) - expected;
    sum += off * off / expected;
  }
  return sum;
}

// Chi-square with 9 degrees of freedom exceeds 27.9 with probability 0.001, and is less than 1.15 with 0.001.
// Twenty seeds are looked at, so a right generator fails one of the forty comparisons with probability at
// most 0.04; these seeds were not selected, and being fixed they pass forever.
TEST(Rng, BelowTenPassesChiSquare) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    std::vector<std::size_t> counts(10, 0);
    for (int i = 0; i < 100'000; ++i) ++counts.at(rng.below(10));
    EXPECT_LT(chi_square(counts, 10'000), 27.9) << "seed " << seed;
    EXPECT_GT(chi_square(counts, 10'000), 1.15) << "seed " << seed;
  }
}

// The same across runs: run i of a campaign is Rng(seed, i), so the *first* draws of consecutive streams must
// be uniform, and pairs of first and second draws too (99 degrees of freedom: 149 is exceeded with
// probability 0.001).
TEST(Rng, FirstDrawsOfConsecutiveStreamsPassChiSquare) {
  std::vector<std::size_t> singles(10, 0);
  std::vector<std::size_t> pairs(100, 0);
  for (std::uint64_t run = 0; run < 100'000; ++run) {
    Rng rng(1, run);
    const std::uint64_t first = rng.below(10);
    ++singles.at(first);
    ++pairs.at(first * 10 + rng.below(10));
  }
  EXPECT_LT(chi_square(singles, 10'000), 27.9);
  EXPECT_LT(chi_square(pairs, 1'000), 149.0);
}

// 100,000 flips at 3/8: 37,500 with the standard deviation sqrt(100000 * 3/8 * 5/8) = 153; 800 is 5 of them.
TEST(Rng, ChanceIsTheFractionItSays) {
  Rng rng(3);
  int hits = 0;
  for (int i = 0; i < 100'000; ++i) hits += rng.chance(3, 8) ? 1 : 0;
  EXPECT_NEAR(hits, 37'500, 800);
  EXPECT_FALSE(rng.chance(0, 5));
  EXPECT_TRUE(rng.chance(5, 5));
}

// The mean of 100,000 is 1/2 with the standard deviation sqrt(1/12 / 100000) = 0.0009.
TEST(Rng, UnitIsInTheHalfOpenInterval) {
  Rng rng(4);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = rng.unit();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

TEST(RngDeathTest, ChoosingAmongNothingIsADefect) { EXPECT_DEATH(Rng(1).below(0), "a choice among nothing"); }

}  // namespace
}  // namespace gainsay::rng_test
