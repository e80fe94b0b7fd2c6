#include "gainsay/base/pair_row.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::pair_row_test {
namespace {

using Pair = PairRow::Pair;

void expect_same(const PairRow& row, const std::vector<Pair>& twin, Pair wanted, std::size_t end) {
  ASSERT_EQ(row.size(), twin.size());
  for (std::size_t i = 0; i < twin.size(); ++i) ASSERT_EQ(row[i], twin[i]);
  for (std::size_t first = 0; first < end; first += 64) {
    std::uint64_t by_first = 0;
    std::uint64_t by_both = 0;
    const std::size_t behind = std::min(end, first + 64);
    for (std::size_t i = first; i < behind; ++i) {
      if (PairRow::first_of(twin[i]) == PairRow::first_of(wanted))
        by_first |= std::uint64_t{1} << (i - first);
      if (twin[i] == wanted) by_both |= std::uint64_t{1} << (i - first);
    }
    ASSERT_EQ(row.matching_first(first, behind, PairRow::first_of(wanted)), by_first);
    ASSERT_EQ(row.matching_both(first, behind, wanted), by_both);
  }
  const auto is = [](std::size_t i) { return i % 3 != 0; };
  const auto last_of = [&](const auto& is_one) {
    for (std::size_t i = end; i-- > 0;) {
      if (is(i) && is_one(twin[i])) return i;
    }
    return end;
  };
  ASSERT_EQ(row.last_first(end, PairRow::first_of(wanted), is),
            last_of([&](Pair pair) { return PairRow::first_of(pair) == PairRow::first_of(wanted); }));
  ASSERT_EQ(row.last_both(end, wanted, is), last_of([&](Pair pair) { return pair == wanted; }));
}

// Bytes that differ in one bit, or in the highest, are where such tricks go wrong. 0 is what lies behind the end.
TEST(PairRow, IsTheRowThatAVectorIs) {
  const std::vector<std::uint8_t> values = {0, 1, 2, 127, 128, 129, 254, 255};
  Rng rng(1, 0);
  const auto draw = [&] {
    const std::uint8_t first = values[rng.below(values.size())];
    const std::uint8_t second = values[rng.below(values.size())];
    const Pair pair = PairRow::pair(first, second);
    EXPECT_EQ(PairRow::first_of(pair), first);
    EXPECT_EQ(PairRow::second_of(pair), second);
    return pair;
  };
  PairRow row;
  std::vector<Pair> twin;
  for (int turn = 0; turn < 40'000; ++turn) {
    const Pair pair = draw();
    const std::size_t what = rng.below(16);
    if (what < 8 || twin.empty()) {
      row.push_back(pair);
      twin.push_back(pair);
    } else if (what < 15) {
      const std::size_t index = rng.below(twin.size());
      if (what < 13) {
        row.erase(index);
        twin.erase(twin.begin() + static_cast<std::ptrdiff_t>(index));
      } else {
        row.set(index, pair);
        twin[index] = pair;
      }
    } else if (rng.below(64) == 0) {
      row.clear();
      twin.clear();
    }
    expect_same(row, twin, draw(), rng.below(twin.size() + 1));
  }
}

}  // namespace
}  // namespace gainsay::pair_row_test
