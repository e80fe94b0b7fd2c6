#include "gainsay/family/hitting.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/family/choose.hpp"
#include "gainsay/family/coverage.hpp"
#include "gainsay/family/enumerate.test.hpp"
#include "gainsay/family/realiser.hpp"
#include "gainsay/family/strong.hpp"
#include "gainsay/family/verify.hpp"

namespace gainsay::family {
namespace {

using testing::HasSubstr;

std::size_t power(std::size_t n, std::size_t k) { return k == 0 ? 1 : n * power(n, k - 1); }

TEST(Verify, JudgesByTheDefinition) {
  const Poset p = parse_relations("a<b, c").poset;  // a 0, b 1, c 2
  EXPECT_TRUE(is_admissible(p, {0, 2, 1}));
  EXPECT_FALSE(is_admissible(p, {1, 2, 0}));
  EXPECT_FALSE(is_admissible(p, {2, 2}));
  EXPECT_TRUE(hits({0, 2, 1}, {0, 1}));
  EXPECT_FALSE(hits({0, 2, 1}, {1, 2}));
  EXPECT_EQ(missed_tuple(p, {{0, 1, 2}, {2, 0, 1}}, 2), std::nullopt);
  EXPECT_EQ(missed_tuple(p, {{0, 1, 2}}, 2), (Tuple{2, 0}));
  EXPECT_EQ(missed_tuple(p, {{0, 1, 2}, {2, 0, 1}}, 3), (Tuple{0, 2, 1}));
  // Strongly: c comes as late as it can, after b.
  EXPECT_TRUE(strongly_hits(p, {0, 1, 2}, {2}));
  EXPECT_FALSE(strongly_hits(p, {0, 2, 1}, {2}));
  EXPECT_TRUE(strongly_hits(p, {0, 2, 1}, {2, 1}));
  EXPECT_EQ(strongly_missed_tuple(p, {{0, 1, 2}}, 1), (Tuple{0}));
  EXPECT_EQ(admissible_tuples(p, 2).size(), 5U);
  EXPECT_EQ(all_tuples(p, 2).size(), 6U);
}

TEST(Antichain, FamiliesUpToSevenElementsAreHittingAndWithinTheUnionBound) {
  for (std::size_t n = 1; n <= 7; ++n) {
    for (std::size_t d = 1; d <= 4; ++d) {
      Rng rng(n, d);
      const AntichainFamily built = antichain_family(n, d, rng);
      EXPECT_FALSE(missed_tuple(antichain(n), built.family, d)) << n << " " << d;
      EXPECT_TRUE(built.verified);
      if (d <= 2) {
        EXPECT_EQ(built.family.size(), std::min(n, d));
      } else if (n >= d) {
        EXPECT_LE(built.family.size(), antichain_union_bound(n, d)) << n << " " << d;
        EXPECT_LE(built.family.size(), antichain_lovasz_bound(n, d)) << n << " " << d;
        EXPECT_EQ(built.family.size(), built.sampled + built.repaired - built.thinned);
      }
    }
  }
}

TEST(Antichain, LargeOnesAreSampledWithAStatedChanceOfFailure) {
  Rng rng(3);
  const AntichainFamily built = antichain_family(40, 3, rng, 1e-6, 1000);
  EXPECT_FALSE(built.verified);
  EXPECT_EQ(built.family.size(), tests_needed(log_falling_factorial(40, 3), 1.0 / 6, 1e-6));
  EXPECT_FALSE(missed_tuple(antichain(40), built.family, 3));
}

TEST(ChainWithIndependent, IsOptimal) {
  for (std::size_t n = 1; n <= 4; ++n) {
    const Poset p = chain_with_independent(n);
    for (std::size_t d = 1; d <= 4; ++d) {
      const Family family = chain_with_independent_family(n, d);
      EXPECT_FALSE(missed_tuple(p, family, d));
      EXPECT_EQ(family.size(), d == 1 ? 1U : d == 2 ? 2U : n + 1);
      if (d <= n + 1) {
        EXPECT_EQ(least_family(p, d)->family.size(), family.size()) << n << " " << d;
      }
    }
  }
}

TEST(General, FamiliesOfAllPosetsWithUpToFiveElementsAreHittingAndWithinTheirBounds) {
  for (std::size_t n = 1; n <= 5; ++n) {
    for (const Poset& p : enumerate::posets(n)) {
      const auto realiser = dimension_two_realiser(p);
      for (std::size_t d = 1; d <= 4; ++d) {
        const Family general = general_family(p, d);
        EXPECT_FALSE(missed_tuple(p, general, d));
        EXPECT_LE(general.size(), power(n, d - 1));
        const Family of_two = dimension_two_family(p, *realiser, d);
        EXPECT_FALSE(missed_tuple(p, of_two, d));
        if (d >= 2) {
          EXPECT_LE(of_two.size(), 2 * power(n, d - 2));
        }
        const BuiltFamily built = build(recognise(p), &p, d, 1);
        EXPECT_FALSE(missed_tuple(p, built.family, d));
        EXPECT_LE(static_cast<double>(built.family.size()), built.plan.size);
      }
    }
  }
}

// No construction is smaller than the least family, and d-hitting families are also (d-1)-hitting.
TEST(Least, IsALowerBoundOfEveryConstruction) {
  for (std::size_t n = 1; n <= 5; ++n) {
    for (const Poset& p : enumerate::posets(n)) {
      std::size_t before = 1;
      for (std::size_t d = 1; d <= std::min<std::size_t>(n, 4); ++d) {
        const auto least = least_family(p, d);
        ASSERT_TRUE(least);
        EXPECT_FALSE(missed_tuple(p, least->family, d));
        EXPECT_LE(least->family.size(), build(recognise(p), &p, d, 1).family.size());
        EXPECT_GE(least->family.size(), before);
        before = least->family.size();
      }
    }
  }
}

// Known from sequence covering arrays: all orders of three among four elements need 6 permutations, among
// five 7; all orders of four among five need 24, which is as few as there are orders of four.
TEST(Least, FindsTheKnownNumbersOfAntichains) {
  EXPECT_EQ(least_family(antichain(4), 2)->family.size(), 2U);
  EXPECT_EQ(least_family(antichain(3), 3)->family.size(), 6U);
  EXPECT_EQ(least_family(antichain(4), 3)->family.size(), 6U);
  EXPECT_EQ(least_family(antichain(5), 3)->family.size(), 7U);
  EXPECT_EQ(least_family(antichain(5), 4)->family.size(), 24U);
}

TEST(StandardExample, NeedsAsManySchedulesAsItHasPairs) {
  for (std::size_t n = 2; n <= (enumerate::long_tests() ? 5U : 4U); ++n) {
    const Poset p = standard_example(n);
    const auto least = least_family(p, 2, 20'000);
    ASSERT_TRUE(least);
    EXPECT_EQ(least->family.size(), n);
    EXPECT_FALSE(missed_tuple(p, least->family, 2));
  }
}

// Proposition 5.3: where a chain of m and an independent element are inside, d >= 3 needs m + 1 schedules.
TEST(Least, KeepsTheLowerBoundOfTheChainInside) {
  EXPECT_GE(least_family(parse_relations("r<a<b<c, r<x").poset, 3)->family.size(), 4U);
}

TEST(Races, PruneToTwiceTheRacingElements) {
  // A backbone of six with three leaves; only the leaves and two backbone elements race (section 5.5).
  const Poset p = parse_relations("a<b<c<d<e<f, b<x, c<y, d<z").poset;
  const auto realiser = dimension_two_realiser(p);
  ASSERT_TRUE(realiser);
  const std::vector<Element> racing{4, 5, 6, 7};
  const Family family = dimension_two_family(p, *realiser, 3, racing);
  EXPECT_LE(family.size(), 2 * racing.size());
  EXPECT_LT(family.size(), dimension_two_family(p, *realiser, 3).size());
  // Every admissible triple of racing elements is hit.
  for (const Tuple& tuple : admissible_tuples(p, 3)) {
    const bool race = std::all_of(tuple.begin(), tuple.end(), [&](Element x) {
      return std::find(racing.begin(), racing.end(), x) != racing.end();
    });
    const bool hit =
        std::any_of(family.begin(), family.end(), [&](const Schedule& s) { return hits(s, tuple); });
    EXPECT_TRUE(hit || !race);
  }
  EXPECT_LE(general_family(p, 3, racing).size(), power(racing.size(), 2));
}

// Theorem 6.2, Remark 3 and Corollary 6.8 on every upgrowing order of every poset.
TEST(Strong, FamiliesAreStronglyHittingAndWithinTheirBounds) {
  for (std::size_t n = 1; n <= 5; ++n) {
    enumerate::upgrowing_posets(n, [&](const Poset& p) {
      const OnlineChains chains = online_chains(p);
      const std::size_t w = width(p);
      EXPECT_LE(chains.chains, chains_for_width(w));
      for (std::size_t d = 1; d <= (n <= 4 ? 3U : 2U); ++d) {
        const Family family = strong_family(p, d);
        EXPECT_FALSE(strongly_missed_tuple(p, family, d));
        EXPECT_FALSE(missed_tuple(p, family, d + 1)) << "a strong d-hitting family is (d+1)-hitting";
        if (d <= n) {
          EXPECT_LE(static_cast<double>(family.size()), schedule_indices(chains.chains, n, d));
        }
      }
    });
  }
}

TEST(Strong, OneScheduleStronglyHitsEveryTupleOfItsIndex) {
  const Poset p = parse_relations("a<b, a<c, b<d, c<e, c<f").poset;
  ASSERT_TRUE(is_upgrowing(p));
  const OnlineChains chains = online_chains(p);
  for (std::uint32_t chain = 0; chain < chains.chains; ++chain) {
    for (Element second = 0; second < p.size(); ++second) {
      const Schedule schedule = strong_schedule(p, chains, {chain, {second}});
      ASSERT_TRUE(is_schedule(p, schedule));
      for (Element first = 0; first < p.size(); ++first) {
        if (first == second || chains.chain_of[first] != chain) continue;
        EXPECT_TRUE(strongly_hits(p, schedule, {first, second}));
      }
    }
  }
}

// The schedule is built online: the one for the first k elements is what is left of the one for all.
TEST(Strong, SchedulesOnlyGrow) {
  enumerate::upgrowing_posets(5, [&](const Poset& p) {
    const std::vector<Element> prefix{0, 1, 2, 3};
    const Poset smaller = restriction(p, prefix);
    const ScheduleIndex index{0, {3, 1}};
    Schedule whole = strong_schedule(p, online_chains(p), index);
    whole.erase(std::find(whole.begin(), whole.end(), 4));
    EXPECT_EQ(strong_schedule(smaller, online_chains(smaller), index), whole);
  });
}

TEST(Strong, LeastFamiliesOfTinyPosets) {
  for (std::size_t n = 1; n <= 4; ++n) {
    for (const Poset& p : enumerate::posets(n)) {
      const auto least = least_strong_family(p, 1);
      ASSERT_TRUE(least);
      EXPECT_FALSE(strongly_missed_tuple(p, least->family, 1));
      EXPECT_LE(least->family.size(), strong_family(p, 1).size());
      EXPECT_GE(least->family.size(), width(p) > 0 ? 1U : 0U);
    }
  }
  // Offline, a strong 1-hitting family of an antichain puts each element last once.
  EXPECT_EQ(least_strong_family(antichain(4), 1)->family.size(), 4U);
}

TEST(Upgrown, RenumbersFromBelow) {
  const Poset p = parse_relations("c<b<a").poset;  // c 0, b 1, a 2
  EXPECT_TRUE(is_upgrowing(p));
  const Relation upside_down[] = {{2, 1}, {1, 0}};
  const Poset q(3, upside_down);
  EXPECT_FALSE(is_upgrowing(q));
  const Upgrown better = upgrown(q);
  EXPECT_TRUE(is_upgrowing(better.poset));
  EXPECT_EQ(better.old_number, (std::vector<Element>{2, 1, 0}));
}

TEST(Choose, TakesTheSmallestConstruction) {
  const Poset fork = parse_relations("a<b, a<c<d").poset;
  EXPECT_EQ(plans(recognise(fork), 2).front().construction, Construction::traversals);
  EXPECT_EQ(plans(recognise(chain(5)), 4).front().construction, Construction::single);
  EXPECT_EQ(plans(recognise(antichain(5)), 2).front().construction, Construction::antichain);
  EXPECT_EQ(plans(recognise(chain_with_independent(3)), 3).front().construction, Construction::chain_and_one);
  EXPECT_EQ(plans(recognise(complete_binary_tree(4).poset()), 3).front().construction,
            Construction::tree_of_three);
  EXPECT_EQ(plans(recognise(standard_example(3)), 2).front().construction, Construction::standard);
  const Poset zigzag = parse_relations("a<b, c<b, c<d").poset;
  const OrderFacts facts = recognise(zigzag);
  EXPECT_TRUE(facts.zigzag);
  EXPECT_EQ(plans(facts, 3).front().construction, Construction::dimension_two);
  EXPECT_THROW(plans(facts, 0), UserError);
}

TEST(Choose, RefusesWhatWouldBeTooLargeAndSaysHowLarge) {
  const Poset p = standard_example(40);
  try {
    build(recognise(p), &p, 5, 1);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("a 5-hitting family of this order of 80 elements would have up to 37,957,920"));
  }
}

}  // namespace
}  // namespace gainsay::family
