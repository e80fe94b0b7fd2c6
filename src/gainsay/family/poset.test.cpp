#include "gainsay/family/poset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/complaint.test.hpp"
#include "gainsay/family/enumerate.test.hpp"
#include "gainsay/family/realiser.hpp"
#include "gainsay/family/verify.hpp"

namespace gainsay::family {
namespace {

using testing::HasSubstr;

TEST(Poset, IsClosedUnderTransitivity) {
  const NamedPoset parsed = parse_relations("a<b<c, d<c, e");
  const Poset& p = parsed.poset;
  EXPECT_EQ(parsed.names, (std::vector<std::string>{"a", "b", "c", "d", "e"}));
  EXPECT_TRUE(p.less(0, 2));
  EXPECT_FALSE(p.less(2, 0));
  EXPECT_TRUE(p.incomparable(0, 3));
  EXPECT_EQ(p.immediate_predecessors(2), (std::vector<Element>{1, 3}));
  EXPECT_EQ(p.immediate_successors(0), (std::vector<Element>{1}));
  EXPECT_EQ(layers(p), (std::vector<std::uint32_t>{0, 1, 2, 0, 0}));
  EXPECT_EQ(height(p), 3U);
  EXPECT_EQ(width(p), 3U);
  EXPECT_EQ(text_of({2, 0}, parsed.names), "c a");
}

TEST(Poset, SaysWhatIsWrongWithAnOrder) {
  EXPECT_EQ(complaint_of([] { parse_relations("a<b, b<c<d, d<b"); }), "the order is cyclic: b < c < d < b");
  EXPECT_EQ(complaint_of([] { parse_relations("a<a"); }), "the order is cyclic: a < a");
  EXPECT_THAT(complaint_of([] { parse_relations("a<<b"); }),
              HasSubstr("column 3: expected the name of an element, found '<'"));
  EXPECT_THAT(complaint_of([] { parse_relations("a<b>c"); }),
              HasSubstr("column 4: expected '<' or ',', found '>'"));
  EXPECT_THAT(complaint_of([] { parse_relations("a<"); }), HasSubstr("after the last '<'"));
  EXPECT_THAT(complaint_of([] { parse_relations(" "); }), HasSubstr("no elements"));
  const Relation cycle[] = {{0, 1}, {1, 2}, {2, 1}};
  EXPECT_EQ(complaint_of([&] { Poset(3, cycle); }), "the order is cyclic: 1 < 2 < 1");
  const Relation outside[] = {{0, 7}};
  EXPECT_THAT(complaint_of([&] { Poset(3, outside); }), HasSubstr("not below 3"));
  EXPECT_THAT(complaint_of([] { Poset(1'000'000, {}); }), HasSubstr("1,000,000 elements is too large"));
}

TEST(Poset, WidthAndHeightAgreeWithSubsetsOnEverySmallPoset) {
  for (std::size_t n = 1; n <= 5; ++n) {
    enumerate::upgrowing_posets(n, [&](const Poset& p) {
      std::size_t widest = 0;
      std::size_t highest = 0;
      for (std::uint32_t set = 1; set < 1U << n; ++set) {
        bool antichain = true;
        bool chain = true;
        for (Element x = 0; x < n; ++x) {
          for (Element y = x + 1; y < n; ++y) {
            if (!(set >> x & 1U) || !(set >> y & 1U)) continue;
            (p.incomparable(x, y) ? chain : antichain) = false;
          }
        }
        const auto size = static_cast<std::size_t>(__builtin_popcount(set));
        if (antichain) widest = std::max(widest, size);
        if (chain) highest = std::max(highest, size);
      }
      EXPECT_EQ(width(p), widest);
      EXPECT_EQ(height(p), highest);
    });
  }
}

TEST(Poset, SchedulesAreThePermutationsThatRespectTheOrder) {
  for (const Poset& p : enumerate::posets(4)) {
    std::vector<Schedule> listed;
    EXPECT_TRUE(for_all_schedules(p, [&](const Schedule& s) {
      listed.push_back(s);
      return true;
    }));
    std::vector<Schedule> expected;
    Schedule permutation{0, 1, 2, 3};
    do {
      bool respects = true;
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j)
          respects = respects && !p.less(permutation[j], permutation[i]);
      }
      EXPECT_EQ(is_schedule(p, permutation), respects);
      if (respects) expected.push_back(permutation);
    } while (std::next_permutation(permutation.begin(), permutation.end()));
    EXPECT_EQ(listed, expected);
    EXPECT_EQ(first_schedule(p), expected.front());
  }
  EXPECT_FALSE(is_schedule(chain(3), {0, 1}));
  EXPECT_FALSE(is_schedule(chain(2), {0, 0}));
}

TEST(Poset, CountsKindsAsTheTablesDo) {
  const std::size_t counts[] = {0, 1, 2, 5, 16, 63};  // OEIS A000112
  for (std::size_t n = 1; n <= 5; ++n) EXPECT_EQ(enumerate::posets(n).size(), counts[n]);
}

// By brute force: some two schedules hit every admissible pair.
bool has_dimension_two(const Poset& p) {
  Family all;
  for_all_schedules(p, [&](const Schedule& s) {
    all.push_back(s);
    return true;
  });
  for (const Schedule& a : all) {
    for (const Schedule& b : all) {
      if (!missed_tuple(p, {a, b}, 2)) return true;
    }
  }
  return false;
}

TEST(Realiser, ExistsExactlyForDimensionTwo) {
  for (std::size_t n = 1; n <= 5; ++n) {
    for (const Poset& p : enumerate::posets(n)) {
      const auto realiser = dimension_two_realiser(p);
      ASSERT_TRUE(realiser);  // the least poset of dimension three has six elements
      EXPECT_FALSE(missed_tuple(p, {realiser->first, realiser->second}, 2));
    }
  }
  EXPECT_FALSE(dimension_two_realiser(standard_example(3)));
  EXPECT_FALSE(dimension_two_realiser(standard_example(4)));
}

TEST(Realiser, AgreesWithBruteForceOnSixElements) {
  // 318 kinds; every one that is not of dimension two is S_3 or has a realiser of three.
  std::size_t of_three = 0;
  std::size_t seen = 0;
  enumerate::upgrowing_posets(6, [&](const Poset& p) {
    const auto realiser = dimension_two_realiser(p);
    if (realiser) {
      EXPECT_FALSE(missed_tuple(p, {realiser->first, realiser->second}, 2));
    } else {
      ++of_three;
      if (seen++ < 3) {
        EXPECT_FALSE(has_dimension_two(p));
      }
    }
  });
  EXPECT_GT(of_three, 0U);
}

}  // namespace
}  // namespace gainsay::family
