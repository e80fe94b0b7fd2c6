#include "gainsay/family/coverage.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/rng.hpp"

namespace gainsay::family {
namespace {

TEST(Coverage, TheoremThreeOneInBothDirections) {
  for (const double p : {0.5, 0.25, 1.0 / 6, 0.01, 1e-6}) {
    for (const double goals : {1.0, 2.0, 60.0, 1e6, 1e30}) {
      for (const double epsilon : {0.5, 0.05, 0.01, 1e-9}) {
        const double m = std::log(goals);
        const std::uint64_t needed = tests_needed(m, p, epsilon);
        const std::uint64_t sharp = tests_needed_sharp(m, p, epsilon);
        EXPECT_EQ(needed, static_cast<std::uint64_t>(std::max(1.0, std::ceil((m - std::log(epsilon)) / p))));
        EXPECT_LE(sharp, needed);
        EXPECT_GE(confidence_after(m, p, needed), 1 - epsilon);
        EXPECT_GE(confidence_after(m, p, sharp), (1 - epsilon) * (1 - 1e-12));
        if (sharp > 1) {
          EXPECT_LT(confidence_after(m, p, sharp - 1), 1 - epsilon);
        }
        EXPECT_LE(tests_that_exist(m, p), needed);
      }
    }
  }
}

TEST(Coverage, CertainTestsAndSingleGoals) {
  EXPECT_EQ(tests_needed(std::log(100), 1, 0.01), 1U);
  EXPECT_EQ(tests_that_exist(0, 0.001), 1U);  // one goal: one test that covers it
  EXPECT_EQ(confidence_after(0, 1, 1), 1.0);
  EXPECT_EQ(confidence_after(std::log(1e6), 0.01, 3), 0.0);  // nothing known yet, not a negative number
  EXPECT_EQ(confidence_after(0, 0.5, 0), 0.0);
}

// 20 goals, each test covers each with probability 1/4: the share of families of the stated size that cover
// all must be at least 0.9. Of 400 families the mean would be 360 or more; 5 standard deviations are 30.
TEST(Coverage, RandomFamiliesOfThatSizeCoverAsOftenAsPromised) {
  const std::uint64_t tests = tests_needed(std::log(20), 0.25, 0.1);
  Rng rng(7);
  int covered = 0;
  for (int family = 0; family < 400; ++family) {
    std::uint32_t missing = (1U << 20) - 1;
    for (std::uint64_t t = 0; t < tests; ++t) {
      for (int goal = 0; goal < 20; ++goal) {
        if (rng.chance(1, 4)) missing &= ~(1U << goal);
      }
    }
    covered += missing == 0 ? 1 : 0;
  }
  EXPECT_GE(covered, 330);
}

// Example 3.1: 2250 amalgamated operations, 60 of them wanted, 80 %: a sequence of 61.
TEST(Coverage, PropositionThreeTwoAnswersTheExampleOfTheThesis) {
  EXPECT_EQ(operations_needed(1, 2250, 60, 0.2), 61U);
  // k = 3, r = 2, one target: pieces of length 3 with p = 1/8; 8 log 20 = 23.97, so 24 pieces.
  EXPECT_EQ(operations_needed(3, 2, 1, 0.05), 72U);
  EXPECT_LE(operations_needed(3, 2, 1, 0.05), std::ceil(3 + 3 * 8 * std::log(20)));
  EXPECT_EQ(operations_needed(2, 3, 9, 0.5), 2U);
  EXPECT_EQ(operations_needed(2000, 1000, 1, 0.5), too_many);
}

TEST(Coverage, AntichainsByTheUnionBoundAndByTheLocalLemma) {
  // d = 2, n = 3: six pairs, p = 1/2: 2 log 6 = 3.58. Local lemma: 2 (1 + log(6 - 0)) = 5.58.
  EXPECT_EQ(antichain_union_bound(3, 2), 4U);
  EXPECT_EQ(antichain_lovasz_bound(3, 2), 6U);
  // n = 10, d = 3: 720 triples, 210 of them disjoint from a given one: 6 (1 + log 510) = 43.4.
  EXPECT_EQ(antichain_union_bound(10, 3), static_cast<std::uint64_t>(std::ceil(6 * std::log(720))));
  EXPECT_EQ(antichain_lovasz_bound(10, 3), 44U);
  // Asymptotically the local lemma needs (d-1)/d of the union bound.
  const double ratio = static_cast<double>(antichain_lovasz_bound(1'000'000'000, 3)) /
                       static_cast<double>(antichain_union_bound(1'000'000'000, 3));
  EXPECT_NEAR(ratio, 2.0 / 3, 0.06);
  EXPECT_EQ(antichain_union_bound(2, 3), 1U);  // no triples at all
}

TEST(Coverage, BoundsOfPctAndPctcp) {
  EXPECT_DOUBLE_EQ(pctcp_bound(2, 5, 1), 0.5);
  EXPECT_DOUBLE_EQ(pctcp_bound(2, 5, 2), 0.1);
  EXPECT_DOUBLE_EQ(pct_bound(3, 10, 3), 1.0 / 300);
  EXPECT_EQ(chains_for_width(4), 10U);
  EXPECT_EQ(chains_for_width(5), 15U);
  EXPECT_DOUBLE_EQ(schedule_indices(3, 10, 3), 270);
  // Corollary 6.8: fewer than w^2 n^(d-1).
  EXPECT_LT(schedule_indices(chains_for_width(4), 20, 3), 16.0 * 400);
}

TEST(Coverage, RunsForAConfidenceAndBack) {
  EXPECT_EQ(runs_for_confidence(0.5, 0.95), 5U);  // 1 - 2^-5 = 0.969, 1 - 2^-4 = 0.9375
  EXPECT_EQ(runs_for_confidence(0.5, 0.75), 2U);  // exactly, not one more
  EXPECT_EQ(runs_for_confidence(0.1, 0.95), 29U);
  EXPECT_EQ(runs_for_confidence(1, 0.99), 1U);
  EXPECT_NEAR(confidence_after_runs(0.1, 29), 1 - std::pow(0.9, 29), 1e-12);
  EXPECT_NEAR(static_cast<double>(runs_for_confidence(1e-15, 0.95)), 1e15 * std::log(20), 1e10);
}

TEST(Coverage, RefusesWhatMakesNoSense) {
  EXPECT_THROW(tests_needed(0, 0, 0.1), UserError);
  EXPECT_THROW(tests_needed(0, 1.5, 0.1), UserError);
  EXPECT_THROW(tests_needed(0, 0.5, 0), UserError);
  EXPECT_THROW(tests_needed(0, 0.5, 1), UserError);
  EXPECT_THROW(tests_needed(-1, 0.5, 0.1), UserError);
  EXPECT_THROW(tests_needed(std::nan(""), 0.5, 0.1), UserError);
  EXPECT_THROW(runs_for_confidence(0.5, 1), UserError);
  EXPECT_THROW(pctcp_bound(2, 5, 0), UserError);
  EXPECT_THROW(pctcp_bound(0, 5, 1), UserError);
  EXPECT_THROW(pctcp_bound(2, 0, 1), UserError);
  EXPECT_THROW(pctcp_bound(2, 1, 3), UserError);
  EXPECT_THROW(operations_needed(0, 2, 1, 0.5), UserError);
  EXPECT_THROW(operations_needed(1, 2, 3, 0.5), UserError);
  EXPECT_THROW(chains_for_width(0), UserError);
}

}  // namespace
}  // namespace gainsay::family
