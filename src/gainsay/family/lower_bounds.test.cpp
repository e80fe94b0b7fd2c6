#include "gainsay/family/lower_bounds.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "gainsay/family/coverage.hpp"
#include "gainsay/family/enumerate.test.hpp"
#include "gainsay/family/verify.hpp"

namespace gainsay::family {
namespace {

// By brute force: all chains, as sets of elements.
std::size_t chain_beside_by_sets(const Poset& poset) {
  std::size_t best = 0;
  for (std::uint32_t set = 1; set < (1U << poset.size()); ++set) {
    bool chain = true;
    std::size_t size = 0;
    for (Element x = 0; x < poset.size(); ++x) {
      if ((set >> x & 1U) == 0) continue;
      ++size;
      for (Element y = 0; y < x; ++y) chain = chain && ((set >> y & 1U) == 0 || !poset.incomparable(x, y));
    }
    for (Element beside = 0; chain && beside < poset.size(); ++beside) {
      bool alone = (set >> beside & 1U) == 0;
      for (Element x = 0; x < poset.size(); ++x)
        alone = alone && ((set >> x & 1U) == 0 || poset.incomparable(x, beside));
      if (alone) best = std::max(best, size);
    }
  }
  return best;
}

TEST(LowerBounds, ChainsBesideAnElement) {
  for (std::size_t n = 1; n <= 5; ++n) {
    enumerate::upgrowing_posets(n, [&](const Poset& poset) {
      ASSERT_EQ(chain_beside(poset), chain_beside_by_sets(poset));
      if (const auto tree = as_tree(poset)) {
        ASSERT_EQ(chain_beside(*tree), chain_beside(poset));
      }
    });
  }
}

// No family is smaller than what is said, and where the least is known the best bound is close.
TEST(LowerBounds, NeverExceedTheLeastFamily) {
  std::size_t tight = 0, all = 0;
  for (std::size_t n = 1; n <= 4; ++n) {
    enumerate::upgrowing_posets(n, [&](const Poset& poset) {
      for (std::size_t d = 1; d <= 4; ++d) {
        const auto least = least_family(poset, d);
        ASSERT_TRUE(least);
        const std::uint64_t bound = lower_bounds(recognise(poset), &poset, d).front().schedules;
        ASSERT_LE(bound, least->family.size());
        ++all;
        tight += bound == least->family.size() ? 1 : 0;
      }
    });
  }
  EXPECT_GT(tight, all / 2) << tight << " of " << all;
}

// d = 3, r = 1: log2(w - 1). d = 5, r = 2: log3((w - 1)(w - 2)).
TEST(LowerBounds, Antichains) {
  EXPECT_EQ(antichain_lower_bound(1, 3), 1U);
  EXPECT_EQ(antichain_lower_bound(100, 2), 2U);
  EXPECT_EQ(antichain_lower_bound(1025, 3), 10U);
  EXPECT_EQ(antichain_lower_bound(1026, 3), 11U);
  EXPECT_EQ(antichain_lower_bound(1026, 4), 11U);
  EXPECT_EQ(antichain_lower_bound(1026, 5),
            static_cast<std::uint64_t>(std::ceil(std::log(1025.0 * 1024.0) / std::log(3.0))));
  for (std::uint64_t d = 3; d <= 8; ++d) {
    for (std::uint64_t w = d; w < 3000; w = w * 3 / 2)
      EXPECT_LE(antichain_lower_bound(w, d), antichain_lovasz_bound(w, d)) << w << " " << d;
  }
}

TEST(LowerBounds, TheStandardExampleHasItsOptimum) {
  for (std::size_t n = 3; n <= 6; ++n) {
    const Poset poset = standard_example(n);
    const OrderFacts facts = recognise(poset);
    ASSERT_TRUE(facts.standard);
    const BuiltFamily built = build(facts, &poset, 2, 1);
    EXPECT_EQ(built.plan.construction, Construction::standard);
    EXPECT_EQ(built.family.size(), n);
    EXPECT_FALSE(missed_tuple(poset, built.family, 2));
    EXPECT_EQ(lower_bounds(facts, &poset, 2).front().schedules, n);
  }
  EXPECT_FALSE(recognise(standard_example(2)).standard) << "two chains";
  EXPECT_FALSE(recognise(antichain(6)).standard);
}

TEST(LowerBounds, TheLocalLemmaWithADegree) {
  // Example 3.3: d-tuples of an antichain. N = (1 + log(c + 1)) / -log(1 - 1/d!) is never more than the stated one.
  for (std::uint64_t n : {6U, 20U, 100U}) {
    const double c =
        falling_factorial(static_cast<double>(n), 3) - falling_factorial(static_cast<double>(n - 3), 3) - 1;
    const std::uint64_t tests = tests_by_local_lemma(1.0 / 6, c);
    EXPECT_LE(tests, antichain_lovasz_bound(n, 3));
    EXPECT_LE(std::exp(1.0) * std::pow(5.0 / 6, static_cast<double>(tests)) * (c + 1), 1 + 1e-9);
    EXPECT_GT(std::exp(1.0) * std::pow(5.0 / 6, static_cast<double>(tests) - 1) * (c + 1), 1);
  }
  EXPECT_EQ(tests_by_local_lemma(1, 5), 1U);
  EXPECT_EQ(tests_by_local_lemma(0.5, 0), 2U);  // e / 2^N <= 1
}

}  // namespace
}  // namespace gainsay::family
