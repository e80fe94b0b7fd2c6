// Counts and samplers: exact, and uniform.
#include "gainsay/family/partitions/sampler.hpp"

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/family/partitions/counting.hpp"

namespace gainsay::family {
namespace {

TEST(Counting, StirlingNumbersAreThoseOfTheLists) {
  for (std::size_t n = 1; n <= 9; ++n) {
    for (std::size_t k = 1; k <= n; ++k)
      EXPECT_EQ(stirling(n, k), all_partitions(n, k).size()) << n << " into " << k;
  }
  EXPECT_EQ(stirling(3, 4), 0);
  EXPECT_EQ(stirling(0, 0), 1);
  EXPECT_EQ(partitions_with_sizes({3, 2}), 10);
  EXPECT_EQ(partitions_with_sizes({2, 2}), 3);
  EXPECT_EQ(partitions_with_sizes({2, 2, 1}), 15);
}

// Another formula, for large ones: k! S(n, k) = sum over i of (-1)^i C(k, i) (k - i)^n.
TEST(Counting, LargeStirlingNumbersAreExact) {
  for (const auto& [n, k] : std::vector<std::pair<std::size_t, std::size_t>>{
           {1000, 2}, {1000, 3}, {1000, 17}, {1000, 500}, {1000, 990}, {137, 61}}) {
    Big surjections = 0;
    for (std::size_t i = 0; i <= k; ++i) {
      const Big term = binomial(k, i) * power_of(k - i, n);
      surjections += i % 2 == 0 ? term : Big(-term);
    }
    EXPECT_EQ(stirling(n, k) * factorial_of(k), surjections) << n << " into " << k;
  }
}

TEST(Counting, RatiosAndLogarithmsOfLargeNumbers) {
  EXPECT_DOUBLE_EQ(ratio(8, 15), 8.0 / 15);
  EXPECT_DOUBLE_EQ(ratio(power_of(10, 400) * 3, power_of(10, 400) * 7), 3.0 / 7);
  EXPECT_DOUBLE_EQ(ratio(1, power_of(2, 900)), std::ldexp(1.0, -900));
  EXPECT_EQ(ratio(0, 5), 0);
  EXPECT_NEAR(log_of(power_of(10, 500)), 500 * std::log(10.0), 1e-9);
  EXPECT_DOUBLE_EQ(log_of(12), std::log(12.0));
}

// The whole proof of uniformity: ranks are drawn uniformly (below), and every partition has exactly one rank.
TEST(Sampler, EveryPartitionHasOneRank) {
  for (std::size_t n = 1; n <= 8; ++n) {
    for (std::size_t k = 1; k <= n; ++k) {
      const StirlingTable table(n, k);
      std::set<Partition> seen;
      for (Big rank = 0; rank < table.count(); ++rank) {
        const Partition partition = table.unrank(rank);
        EXPECT_EQ(partition.blocks(), k);
        EXPECT_EQ(partition.nodes(), n);
        seen.insert(partition);
      }
      EXPECT_EQ(Big(seen.size()), table.count()) << n << " into " << k;
    }
  }
}

TEST(Sampler, DrawsBelowLargeNumbers) {
  Rng rng(1);
  const Big n = power_of(10, 100);
  Big sum = 0;
  constexpr int draws = 4000;
  for (int i = 0; i < draws; ++i) {
    const Big drawn = below(n, rng);
    ASSERT_TRUE(drawn >= 0 && drawn < n);
    sum += drawn;
  }
  // The mean of 4,000 uniform draws lies within 5 standard errors, 5 / sqrt(12 * 4000) = 0.0228, of one half but for
  // a chance of 6e-7.
  EXPECT_NEAR(ratio(sum, n * draws), 0.5, 0.0228);
  EXPECT_EQ(below(1, rng), 0);
}

// Chi-square over all partitions that may come. With c of them and e draws expected of each, the statistic has mean
// c - 1 and variance 2 (c - 1); beyond mean + 6 standard deviations lies less than 1e-5 even for few degrees of
// freedom (by the normal tail 1e-9), and the seed is fixed.
void expect_uniform(const Sampler& sampler) {
  const PartitionFamily all = sampler.all();
  std::map<Partition, double> times;
  for (const Partition& partition : all) times[partition] = 0;
  Rng rng(7);
  const std::size_t draws = all.size() * 400;
  for (std::size_t i = 0; i < draws; ++i) {
    const auto found = times.find(sampler.draw(rng));
    ASSERT_NE(found, times.end()) << sampler.name();
    found->second += 1;
  }
  double chi = 0;
  for (const auto& [partition, count] : times) chi += (count - 400) * (count - 400) / 400;
  const auto freedom = static_cast<double>(all.size() - 1);
  EXPECT_LE(chi, freedom + 6 * std::sqrt(2 * freedom) + 1e-9) << sampler.name();
}

TEST(Sampler, IsUniform) {
  for (std::size_t n = 2; n <= 6; ++n) {
    for (std::size_t k = 1; k <= n; ++k) {
      expect_uniform(Sampler::uniform(n, k));
      expect_uniform(Sampler::balanced(n, k));
    }
  }
  expect_uniform(Sampler::semibalanced(4));
  expect_uniform(Sampler::semibalanced(6));
  expect_uniform(Sampler::sized({3, 1}));
  expect_uniform(Sampler::sized({3, 2, 2}));
}

TEST(Sampler, DrawsAmongAThousandNodes) {
  for (const std::size_t k : {2U, 3U, 40U, 500U, 999U, 1000U}) {
    const Sampler sampler = Sampler::uniform(1000, k);
    Rng rng(k);
    for (int i = 0; i < 3; ++i) {
      const Partition partition = sampler.draw(rng);
      EXPECT_EQ(partition.nodes(), 1000U);
      EXPECT_EQ(partition.blocks(), k);
    }
  }
  EXPECT_THROW(Sampler::uniform(1001, 2), UserError);
  EXPECT_THROW(Sampler::uniform(3, 4), UserError);
}

}  // namespace
}  // namespace gainsay::family
