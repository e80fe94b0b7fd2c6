#include "gainsay/base/bit_row.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::bit_row_test {
namespace {

using Set = std::set<std::size_t>;

std::size_t nth(const Set& set, std::size_t n) {
  return *std::next(set.begin(), static_cast<std::ptrdiff_t>(n));
}
std::size_t count_before(const Set& set, std::size_t index) {
  return static_cast<std::size_t>(std::distance(set.begin(), set.lower_bound(index)));
}
Set without(const Set& set, const Set& others) {
  Set left;
  std::set_difference(set.begin(), set.end(), others.begin(), others.end(), std::inserter(left, left.end()));
  return left;
}

void expect_same(const BitRow& row, const Set& twin, const BitRow& others, const Set& other_twin) {
  for (std::size_t i = 0; i < 260; ++i) {
    ASSERT_EQ(row[i], twin.contains(i)) << i;
    ASSERT_EQ(row.count_before(i), count_before(twin, i)) << i;
    ASSERT_EQ(row.count_without_before(others, i), count_before(without(twin, other_twin), i)) << i;
  }
  ASSERT_EQ(row.count(), twin.size());
  Set visited;
  row.each([&](std::size_t place) { visited.insert(visited.end(), place); });
  ASSERT_EQ(visited, twin);
  for (std::size_t n = 0; n < twin.size(); ++n) {
    ASSERT_EQ(row.nth(n), nth(twin, n));
    ASSERT_EQ(row.nth_last(twin.size() - 1 - n), nth(twin, n));
  }
  const Set left = without(twin, other_twin);
  ASSERT_EQ(row.count_without(others), left.size());
  for (std::size_t n = 0; n < left.size(); ++n) ASSERT_EQ(row.nth_without(others, n), nth(left, n));
  BitRow positions;
  positions.set(300);  // something else was in it
  positions.set_positions(row, others);
  ASSERT_EQ(positions.count(), left.size());
  for (std::size_t n = 0; n < twin.size(); ++n) ASSERT_EQ(positions[n], left.contains(nth(twin, n)));
}

// Rows of up to 200 places cross the ends of words; some are nearly full, some nearly empty.
TEST(BitRow, IsASetOfPlaces) {
  Rng rng(1);
  for (int round = 0; round < 60; ++round) {
    BitRow rows[2];
    Set twins[2];
    const std::size_t most = 1 + rng.below(200);
    const std::uint64_t share = 1 + rng.below(9);
    for (int step = 0; step < 300; ++step) {
      const std::size_t which = rng.below(2);
      const std::size_t place = rng.below(most);
      const bool value = rng.below(10) < share;
      rows[which].set(place, value);
      value ? (void)twins[which].insert(place) : (void)twins[which].erase(place);
      if (step % 60 == 0) expect_same(rows[0], twins[0], rows[1], twins[1]);
    }
    rows[0].fill(most, [&](std::size_t i) { return twins[1].contains(i); });
    expect_same(rows[0], twins[1], {}, {});
    rows[0].clear();
    EXPECT_EQ(rows[0].count(), 0U);
  }
}

// Where the n-th of the places that stay was, n is afterwards.
Set squeezed(const Set& twin, const Set& places) {
  Set left;
  std::size_t n = 0;
  for (const std::size_t place : places) {
    if (twin.contains(place)) left.insert(n);
    ++n;
  }
  return left;
}

TEST(BitRow, ClosesGaps) {
  Rng rng(2);
  for (int round = 0; round < 400; ++round) {
    const std::size_t most = 1 + rng.below(250);
    const std::uint64_t share = 1 + rng.below(9);
    BitRow row;
    BitRow places;
    Set twin;
    Set place_twin;
    for (std::size_t i = 0; i < most; ++i) {
      if (rng.below(10) < share) {
        places.set(i);
        place_twin.insert(i);
      }
      if (rng.below(2) == 0) {
        row.set(i);
        twin.insert(i);
      }
    }
    row.squeeze(places);
    expect_same(row, squeezed(twin, place_twin), {}, {});
  }
}

Set row_of(const BitTable& table, std::size_t r) {
  Set set;
  table.each(r, [&](std::size_t place) { set.insert(place); });
  return set;
}

// Rows that come, go and get wider; those of places that are gone leave with them.
TEST(BitTable, IsARowOfSets) {
  Rng rng(3);
  for (int round = 0; round < 300; ++round) {
    BitTable table;
    std::vector<Set> twin;
    table.reset_all(0, 1);
    const std::size_t count = 1 + rng.below(150);
    for (std::size_t place = 0; place < count; ++place) {
      if (place == table.words() * 64) table.set_words(table.words() + 1);
      (void)table.add_row();
      twin.emplace_back();
      for (int i = 0; i < 6; ++i) {
        const std::size_t r = rng.below(twin.size());
        const std::size_t at = rng.below(place + 1);
        const bool value = rng.below(3) != 0;
        table.set(r, at, value);
        value ? (void)twin[r].insert(at) : (void)twin[r].erase(at);
        ASSERT_EQ(table.has(r, at), value);
      }
    }
    ASSERT_EQ(table.rows(), twin.size());
    for (std::size_t r = 0; r < twin.size(); ++r) ASSERT_EQ(row_of(table, r), twin[r]);
    BitRow places;
    Set place_twin;
    for (std::size_t i = 0; i < count; ++i) {
      if (rng.below(3) != 0) continue;
      places.set(i);
      place_twin.insert(i);
    }
    table.squeeze_rows(places);
    ASSERT_EQ(table.rows(), place_twin.size());
    std::size_t r = 0;
    for (const std::size_t place : place_twin)
      ASSERT_EQ(row_of(table, r++), squeezed(twin[place], place_twin));
    table.set_words((place_twin.size() + 63) / 64 + 1);
    r = 0;
    for (const std::size_t place : place_twin)
      ASSERT_EQ(row_of(table, r++), squeezed(twin[place], place_twin));
  }
}

}  // namespace
}  // namespace gainsay::bit_row_test
