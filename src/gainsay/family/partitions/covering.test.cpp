// Families against their definitions, by brute force, and against the bounds of the thesis.
#include "gainsay/family/partitions/covering.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/family/coverage.hpp"
#include "gainsay/family/partitions/chances.hpp"

namespace gainsay::family {
namespace {

// Every notion for n nodes and all k and l that fit.
std::vector<Notion> all_notions(std::size_t n) {
  std::vector<Notion> notions;
  for (std::size_t k = 2; k <= n; ++k) notions.push_back(Notion::split(n, k));
  for (std::size_t k = 1; k < n; ++k) {
    for (std::size_t l = k; k + l <= n; ++l) notions.push_back(Notion::separate(n, k, l));
  }
  if (n >= 3) notions.push_back(Notion::isolate_minority(n));
  return notions;
}

// What a goal is, said once more and differently: for each pair of nodes whether they must be together or apart.
bool does(const CutTest& test, const Goal& goal) {
  for (std::size_t i = 0; i < goal.sides.size(); ++i) {
    for (const Node a : goal.sides[i]) {
      for (std::size_t j = 0; j < goal.sides.size(); ++j) {
        for (const Node b : goal.sides[j]) {
          if ((test.partition.block_of(a) == test.partition.block_of(b)) != (i == j)) return false;
        }
      }
    }
  }
  if (goal.bridge && test.partition.block_of(goal.sides.back().front()) != test.bridge) return false;
  if (!goal.minority) return true;
  std::size_t others = 0;
  for (Node node = 0; node < test.partition.nodes(); ++node)
    others += test.partition.block_of(node) == test.partition.block_of(goal.sides[0][0]) ? 0 : 1;
  return test.partition.nodes() - others < others;
}

// Chances are counted over all partitions that may be drawn.
TEST(Chances, AreSharesOfAllPartitions) {
  for (std::size_t n = 2; n <= 7; ++n) {
    std::vector<Notion> notions = all_notions(n);
    if (n >= 3) notions.push_back(Notion::bridge(n, 1, 1, 1));
    if (n >= 5) notions.push_back(Notion::bridge(n, 2, 1, 1));
    for (const Notion& notion : notions) {
      std::vector<Sampler> samplers = {Sampler::uniform(n, notion.blocks()),
                                       Sampler::balanced(n, notion.blocks())};
      if (n % 2 == 0 && n >= 4 && notion.blocks() == 2) samplers.push_back(Sampler::semibalanced(n));
      for (const Sampler& sampler : samplers) {
        const CutTests tests =
            notion.kind == Notion::Kind::bridge ? bridged_tests(sampler.all()) : tests_of(sampler.all());
        const std::vector<Goal> goals = notion.goals();
        EXPECT_EQ(Big(goals.size()), goals_counted_once(notion)) << notion.text() << " of " << n;
        const Chance chance = chance_of(sampler, notion);
        for (const Goal& goal : goals) {
          std::size_t met = 0;
          for (const CutTest& test : tests) {
            met += does(test, goal) ? 1 : 0;
            EXPECT_EQ(does(test, goal), met_by(test.partition, goal, test.bridge));
          }
          EXPECT_EQ(chance.met * tests.size(), chance.of * met)
              << notion.text() << " of " << n << " by " << sampler.name();
        }
      }
    }
  }
}

TEST(Covering, FamiliesCoverAndKeepTheBoundsOfTheThesis) {
  for (std::size_t n = 2; n <= 9; ++n) {
    for (const Notion& notion : all_notions(n)) {
      const Covering covering = covering_family(notion);
      for (const Goal& goal : notion.goals()) {
        const bool met = std::any_of(covering.tests.begin(), covering.tests.end(),
                                     [&](const CutTest& test) { return does(test, goal); });
        EXPECT_TRUE(met) << notion.text() << " of " << n << ": " << text_of(goal);
      }
      for (const CutTest& test : covering.tests) EXPECT_EQ(test.partition.blocks(), notion.blocks());
      const auto bound = thesis_bound(Sampler::uniform(n, notion.blocks()), notion, 0.5);
      ASSERT_TRUE(bound);
      EXPECT_LE(covering.tests.size(), bound->exists) << notion.text() << " of " << n;
      // Also below Theorem 3.1 with the exact chance.
      const double p = chance_of(Sampler::uniform(n, notion.blocks()), notion).value();
      EXPECT_LE(covering.tests.size(), tests_that_exist(log_of(goals_counted_by_thesis(notion)), p));
      EXPECT_TRUE(covering.least || n > 6) << notion.text() << " of " << n;
    }
  }
}

// No smaller set of partitions does it: all sets of one less are tried, where these are few.
TEST(Covering, TheLeastAreLeast) {
  for (std::size_t n = 2; n <= 6; ++n) {
    for (const Notion& notion : all_notions(n)) {
      const CutTests candidates = candidates_of(notion);
      const std::vector<Goal> goals = notion.goals();
      const std::size_t size = covering_family(notion).tests.size() - 1;
      double sets = 1;
      for (std::size_t i = 0; i < size; ++i)
        sets *= static_cast<double>(candidates.size() - i) / static_cast<double>(i + 1);
      if (sets * static_cast<double>(goals.size()) > 2e7 || goals.size() > 64) continue;
      std::vector<std::uint64_t> met;
      for (const CutTest& test : candidates) {
        std::uint64_t mask = 0;
        for (std::size_t g = 0; g < goals.size(); ++g)
          mask |= does(test, goals[g]) ? std::uint64_t{1} << g : 0;
        met.push_back(mask);
      }
      const std::uint64_t all =
          goals.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << goals.size()) - 1;
      const auto covers = [&](const auto& self, std::size_t from, std::size_t left,
                              std::uint64_t done) -> bool {
        if (done == all) return true;
        if (left == 0) return false;
        for (std::size_t c = from; c + left <= met.size(); ++c) {
          if (self(self, c + 1, left - 1, done | met[c])) return true;
        }
        return false;
      };
      EXPECT_FALSE(covers(covers, 0, size, 0)) << notion.text() << " of " << n << ": " << size << " suffice";
    }
  }
}

// Remark 1: floor(log2 n) + 1 by the thesis, ceil(log2 n) from 0; with fewer, two nodes would have the same bits.
TEST(Covering, TwoBlocksByBits) {
  for (std::size_t n = 2; n <= 70; ++n) {
    const auto whole = static_cast<double>(n);
    const PartitionFamily thesis = splitting_by_bits_of_thesis(n);
    EXPECT_EQ(thesis.size(), static_cast<std::size_t>(std::floor(std::log2(whole))) + 1);
    const PartitionFamily ours = splitting_by_bits(n);
    EXPECT_EQ(ours.size(), static_cast<std::size_t>(std::ceil(std::log2(whole))));
    const std::vector<Goal> goals = Notion::split(n, 2).goals();
    EXPECT_TRUE(count_met(goals, tests_of(thesis)).all());
    EXPECT_TRUE(count_met(goals, tests_of(ours)).all());
  }
  EXPECT_EQ(splitting_by_bits(5).size(), 3U);  // example 4.1
}

TEST(Covering, ByPolynomialsForManyNodes) {
  for (const auto& [n, k] : std::vector<std::pair<std::size_t, std::size_t>>{{40, 3}, {60, 3}, {26, 4}}) {
    const Notion notion = Notion::split(n, k);
    const auto family = hashed_family(notion);
    ASSERT_TRUE(family) << n << " into " << k;
    EXPECT_TRUE(count_met(notion.goals(), tests_of(*family)).all()) << n << " into " << k;
    EXPECT_LT(static_cast<double>(family->size()), yao_size(n, k));
  }
  for (const std::size_t n : {20U, 30U}) {
    const Notion notion = Notion::separate(n, 1, 2);
    const auto family = hashed_family(notion);
    ASSERT_TRUE(family);
    EXPECT_TRUE(count_met(notion.goals(), tests_of(*family)).all()) << n;
  }
  // A thousand nodes: fewer than the 94 that the thesis says exist, and fewer than any that are drawn.
  const auto large = hashed_family(Notion::split(1000, 3));
  ASSERT_TRUE(large);
  EXPECT_LE(large->size(), 49U);
}

// 3 x 3 x 3 nodes: three of them at distance: the place that tells them apart exists by the argument, and a sample of
// a million triples of 1,000 nodes agrees. (All triples are 166 million.)
TEST(Covering, ByPolynomialsSplitsAThousandNodes) {
  const PartitionFamily family = *hashed_family(Notion::split(1000, 3));
  Rng rng(3);
  for (int i = 0; i < 200'000; ++i) {
    const auto a = static_cast<Node>(rng.below(1000));
    const auto b = static_cast<Node>(rng.below(1000));
    const auto c = static_cast<Node>(rng.below(1000));
    if (a == b || a == c || b == c) continue;
    const bool split = std::any_of(family.begin(), family.end(), [&](const Partition& p) {
      return p.block_of(a) != p.block_of(b) && p.block_of(a) != p.block_of(c) &&
             p.block_of(b) != p.block_of(c);
    });
    ASSERT_TRUE(split) << a << " " << b << " " << c;
  }
}

TEST(Covering, BridgesAndRoles) {
  const Covering bridges = covering_family(Notion::bridge(5, 1, 1, 1));
  EXPECT_TRUE(count_met(Notion::bridge(5, 1, 1, 1).goals(), bridges.tests).all());
  const Notion roles = Notion::separate_roles(5, {1, {0, 1}}, {2, {2, 3, 4}});
  EXPECT_EQ(roles.goals().size(), 6U);  // 2 leaders, 3 pairs of storage
  EXPECT_TRUE(count_met(roles.goals(), covering_family(roles).tests).all());
  EXPECT_THROW(Notion::separate_roles(5, {1, {0, 1}}, {2, {1, 2, 3}}), UserError);
  EXPECT_THROW(Notion::split(3, 4), UserError);
  EXPECT_THROW(Notion::separate(3, 2, 2), UserError);
}

// The numbers of chapter 4, from its formulas: 80 % is epsilon = 0.2.
TEST(Chances, NumbersOfTheThesis) {
  const auto split = thesis_bound(Sampler::uniform(5, 2), Notion::split(5, 2), 0.2);
  EXPECT_EQ(split->exists, 4U);  // example 4.1: 4, and 2 more
  EXPECT_EQ(split->needed, 6U);
  const auto separate = thesis_bound(Sampler::uniform(4, 2), Notion::separate(4, 2, 2), 0.2);
  EXPECT_EQ(separate->exists, 45U);  // example 4.2
  EXPECT_EQ(tests_that_exist(std::log(6), 1.0 / 8), 15U);
  EXPECT_NEAR(thesis_confidence(std::log(5), 0.4, 9), 0.863, 0.0005);  // example 4.3: 86 %
  for (const std::size_t n : {3U, 5U, 21U, 101U}) {
    const Notion minority = Notion::isolate_minority(n);
    const double log_n = std::log(static_cast<double>(n));
    EXPECT_EQ(thesis_bound(Sampler::uniform(n, 2), minority, 0.1)->exists, std::ceil(3 * log_n));
    EXPECT_GE(chance_of(Sampler::uniform(n, 2), minority).value(), 1.0 / 3 - 1e-15);  // Lemma 4.9
    EXPECT_EQ(thesis_bound(Sampler::balanced(n, 2), minority, 0.1)->exists,
              std::ceil(2 * (1 + 1.0 / (n - 1)) * log_n));
  }
  for (const std::size_t n : {4U, 6U, 20U, 100U}) {
    const Notion minority = Notion::isolate_minority(n);
    const double log_n = std::log(static_cast<double>(n));
    EXPECT_EQ(thesis_bound(Sampler::uniform(n, 2), minority, 0.1)->exists, std::ceil(7 * log_n));
    EXPECT_GE(chance_of(Sampler::uniform(n, 2), minority).value(), 1.0 / 7 - 1e-15);  // Lemma 4.12
    EXPECT_EQ(thesis_bound(Sampler::semibalanced(n), minority, 0.1)->exists,
              std::ceil(2 * (1 + 2.0 / (n - 2)) * log_n));
  }
}

// Theorem 4.5: balanced partitions split no worse than arbitrary ones.
TEST(Chances, BalancedPartitionsSplitNoWorse) {
  for (std::size_t n = 2; n <= 30; ++n) {
    for (std::size_t k = 2; k <= n; ++k) {
      const Notion notion = Notion::split(n, k);
      const Chance uniform = chance_of(Sampler::uniform(n, k), notion);
      const Chance balanced = chance_of(Sampler::balanced(n, k), notion);
      EXPECT_GE(balanced.met * uniform.of, uniform.met * balanced.of) << n << " into " << k;
    }
  }
}

}  // namespace
}  // namespace gainsay::family
