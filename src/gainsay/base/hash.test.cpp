#include "gainsay/base/hash.hpp"

#include <bit>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gainsay::hash_test {
namespace {

// Ids in trace files and in other people's notes are made of these: a change here breaks every trace ever
// written.
TEST(Hash, IsTheSameForever) {
  EXPECT_EQ(hash_text(""), 0x8659a183de168848ULL);
  EXPECT_EQ(hash_text("gainsay"), 0x35f8a197013a3647ULL);
  EXPECT_EQ(hash_text("flush_race::Flush"), 0x8c39ec22333555e7ULL);
  EXPECT_EQ(mix(1, 2), 0xa77d938f29f08a28ULL);
  EXPECT_EQ(scramble(1), 0x3c0aad46f555e0b9ULL);
  Hasher seeded(42);
  seeded.add(7);
  EXPECT_EQ(seeded.finish(), 0xa515a11ceaf92c0aULL);
}

TEST(Hash, CanBeComputedByTheCompiler) {
  constexpr std::uint64_t at_compile_time = hash_text("Prepare");
  constexpr std::uint64_t seeded = [] {
    Hasher hasher(9);
    hasher.add(1);
    return hasher.finish();
  }();
  Hasher at_run_time(9);
  at_run_time.add(1);
  EXPECT_EQ(at_compile_time, hash_text(std::string("Prepare")));
  EXPECT_EQ(seeded, at_run_time.finish());
}

TEST(Hash, TellsApartWhatOnlyDiffersInLength) {
  const std::string zeros(40, '\0');
  std::set<std::uint64_t> seen;
  for (std::size_t n = 0; n <= zeros.size(); ++n) seen.insert(hash_text(zeros.substr(0, n)));
  EXPECT_EQ(seen.size(), zeros.size() + 1);
}

TEST(Hash, TellsApartWhereATextIsCutInTwo) {
  std::set<std::uint64_t> seen;
  const std::string_view text = "abcdefghijklmnopqrstuvwxyz";
  for (std::size_t n = 0; n <= text.size(); ++n) {
    Hasher hasher;
    hasher.add_text(text.substr(0, n));
    hasher.add_text(text.substr(n));
    seen.insert(hasher.finish());
  }
  EXPECT_EQ(seen.size(), text.size() + 1);
}

TEST(Hash, DependsOnOrder) {
  Hasher ab;
  ab.add(1);
  ab.add(2);
  Hasher ba;
  ba.add(2);
  ba.add(1);
  EXPECT_NE(ab.finish(), ba.finish());
  EXPECT_NE(mix(1, 2), mix(2, 1));
  EXPECT_NE(Hasher(1).finish(), Hasher(2).finish());
}

// Among m = 300,000 random 64-bit values the expected number of equal pairs is m^2 / 2^65 = 2.4e-9.
TEST(Hash, SmallNumbersAndPairsOfThemDoNotCollide) {
  std::set<std::uint64_t> seen;
  std::size_t made = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i, ++made) {
    Hasher hasher;
    hasher.add(i);
    seen.insert(hasher.finish());
  }
  for (std::uint64_t i = 0; i < 450; ++i) {
    for (std::uint64_t j = 0; j < 450; ++j, ++made) {
      Hasher hasher;
      hasher.add(i);
      hasher.add(j);
      seen.insert(hasher.finish());
    }
  }
  EXPECT_EQ(seen.size(), made);
  EXPECT_FALSE(seen.contains(0));
}

// Fingerprints add hashes up, so each must look random on its own: flipping one input bit flips each output
// bit with probability 1/2. Over n = 64 * 500 flips a share has the standard deviation 1/(2 sqrt(32000)) =
// 0.0028; 0.015 is > 5 of them.
TEST(Hash, OneBitOfInputTurnsHalfOfTheOutput) {
  std::vector<std::size_t> turned(64, 0);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const auto hash_of = [](std::uint64_t word) {
      Hasher hasher;
      hasher.add(word);
      return hasher.finish();
    };
    for (int bit = 0; bit < 64; ++bit) {
      const std::uint64_t flipped = hash_of(i) ^ hash_of(i ^ (std::uint64_t{1} << bit));
      for (std::size_t out = 0; out < 64; ++out) turned[out] += (flipped >> out) & 1U;
    }
  }
  for (std::size_t out = 0; out < 64; ++out) {
    EXPECT_NEAR(static_cast<double>(turned[out]) / (64 * 500), 0.5, 0.015) << "output bit " << out;
  }
}

// scramble is a bijection: it is undone step by step, so no two ids are ever merged by it.
TEST(Hash, ScrambleCanBeUndone) {
  constexpr std::uint64_t factor = 0xe9846af9b1a615dULL;
  std::uint64_t inverse = factor;  // Newton: each round doubles the number of right bits
  for (int i = 0; i < 6; ++i) inverse *= 2 - factor * inverse;
  ASSERT_EQ(factor * inverse, 1U);
  for (std::uint64_t x :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x8000000000000000}, ~std::uint64_t{0}}) {
    std::uint64_t y = scramble(x);
    y ^= (y >> 28U) ^ (y >> 56U);
    y *= inverse;
    y ^= y >> 32U;
    y *= inverse;
    y ^= y >> 32U;
    EXPECT_EQ(y, x);
  }
}

}  // namespace
}  // namespace gainsay::hash_test
