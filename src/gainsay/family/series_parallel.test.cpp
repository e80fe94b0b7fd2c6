#include "gainsay/family/series_parallel.hpp"

#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/complaint.test.hpp"
#include "gainsay/family/enumerate.test.hpp"
#include "gainsay/family/hitting.hpp"
#include "gainsay/family/verify.hpp"

namespace gainsay::family {
namespace {

using testing::HasSubstr;

TEST(SeriesParallel, ReadsExpressions) {
  const NamedSpOrder parsed = parse_series_parallel("a . (b | c.d) . e");
  const Poset p = parsed.order.poset();
  EXPECT_EQ(p, parse_relations("a, b, c, d, e, a<b<e, a<c<d<e").poset);
  EXPECT_EQ(parsed.order.text(parsed.names), "a . (b | c . d) . e");
  EXPECT_EQ(parsed.order.height(), 4U);
  EXPECT_EQ(parsed.order.parallels(), 1U);
  EXPECT_EQ(parsed.order.widest_parallel(), 2U);
  const NamedSpOrder flat = parse_series_parallel("((a||b)|(c))|d");
  EXPECT_EQ(flat.order.text(flat.names), "a | b | c | d");
  EXPECT_EQ(flat.order.widest_parallel(), 4U);
  EXPECT_EQ(flat.order.parallels(), 1U);
}

TEST(SeriesParallel, SaysWhatIsWrongWithAnExpression) {
  EXPECT_THAT(complaint_of([] { parse_series_parallel("a . | b"); }),
              HasSubstr("column 5: expected an element's name or '(', found '|'"));
  EXPECT_THAT(complaint_of([] { parse_series_parallel("(a | b"); }),
              HasSubstr("column 7: expected '.', '|' or ')', found the end"));
  EXPECT_THAT(complaint_of([] { parse_series_parallel("a) . b"); }), HasSubstr("this ')' closes nothing"));
  EXPECT_THAT(complaint_of([] { parse_series_parallel("a b"); }),
              HasSubstr("column 3: expected '.', '|' or the end, found 'b'"));
  EXPECT_THAT(complaint_of([] { parse_series_parallel(""); }),
              HasSubstr("column 1: expected an element's name"));
  EXPECT_THAT(complaint_of([] { parse_series_parallel("a.b | c.b | c.d"); }),
              HasSubstr("column 9: element 'b' occurs twice"));
  EXPECT_THAT(complaint_of([] { parse_series_parallel(std::string(600, '(')); }),
              HasSubstr("nested brackets"));
}

TEST(SeriesParallel, EnumeratesAsTheTablesDo) {
  const std::size_t counts[] = {0, 1, 2, 5, 15, 48, 167, 602};  // OEIS A003430
  for (std::size_t n = 1; n <= 7; ++n) EXPECT_EQ(enumerate::series_parallel_shapes(n).size(), counts[n]);
}

TEST(SeriesParallel, IsRecognisedExactlyWhereThereIsNoZigZag) {
  for (std::size_t n = 1; n <= 6; ++n) {
    enumerate::upgrowing_posets(n, [&](const Poset& p) {
      const auto decomposed = decompose(p);
      const auto zigzag = find_zigzag(p);
      ASSERT_EQ(std::holds_alternative<ZigZag>(decomposed), zigzag.has_value());
      if (const auto* order = std::get_if<SpOrder>(&decomposed)) {
        EXPECT_EQ(order->poset(), p);
        EXPECT_EQ(order->height(), height(p));
      } else {
        const ZigZag& z = std::get<ZigZag>(decomposed);
        EXPECT_TRUE(p.less(z.a, z.b) && p.less(z.c, z.b) && p.less(z.c, z.d));
        EXPECT_TRUE(p.incomparable(z.a, z.c) && p.incomparable(z.a, z.d) && p.incomparable(z.b, z.d));
      }
    });
  }
}

bool is_binary_semilattice(const Poset& p) {
  for (Element x = 0; x < p.size(); ++x) {
    if (p.immediate_successors(x).size() > 2) return false;
    for (Element y = 0; y < p.size(); ++y) {
      bool infimum = false;
      for (Element z = 0; z < p.size() && !infimum; ++z) {
        infimum = p.at_most(z, x) && p.at_most(z, y);
        for (Element u = 0; u < p.size() && infimum; ++u)
          infimum = !(p.at_most(u, x) && p.at_most(u, y)) || p.at_most(u, z);
      }
      if (!infimum) return false;
    }
  }
  return true;
}

std::size_t log2_up(std::size_t n) { return n <= 1 ? 0 : static_cast<std::size_t>(std::bit_width(n - 1)); }

// Lemma 5.8, Proposition 5.6 and Corollary 5.11 on all series-parallel orders with up to seven elements.
TEST(SeriesParallel, FamiliesOfAllSmallOrdersAreHittingAndWithinTheirBounds) {
  for (std::size_t n = 1; n <= 7; ++n) {
    for (const std::string& shape : enumerate::series_parallel_shapes(n)) {
      const SpOrder order = enumerate::series_parallel(shape);
      const Poset p = order.poset();
      const std::size_t bound = order.height() + order.parallels() * log2_up(order.widest_parallel());

      const SpOrder extended = binary_semilattice(order);
      EXPECT_LE(extended.height(), bound) << shape;
      const Poset semilattice = extended.poset();
      EXPECT_TRUE(is_binary_semilattice(semilattice)) << shape;
      std::vector<Element> originals(n);
      for (Element x = 0; x < n; ++x) originals[x] = x;
      EXPECT_EQ(restriction(semilattice, originals), p) << shape;

      const auto [left, right] = order.realiser();
      EXPECT_FALSE(missed_tuple(p, {left, right}, 2)) << shape;

      const Family family = series_parallel_family(order);
      EXPECT_FALSE(missed_tuple(p, family, 3)) << shape;
      EXPECT_LE(family.size(), 4 * bound) << shape;
      EXPECT_LE(family.size(), 4 * extended.height()) << shape;
    }
  }
}

}  // namespace
}  // namespace gainsay::family
