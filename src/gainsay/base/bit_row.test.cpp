#include "gainsay/base/bit_row.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::bit_row_test {
namespace {

// The same with one truth value for each entry.
struct Twin {
  std::vector<bool> bits;

  std::size_t count_before(std::size_t index) const {
    return static_cast<std::size_t>(
        std::count(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(index), true));
  }
  std::vector<std::size_t> places(bool value) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (bits[i] == value) places.push_back(i);
    }
    return places;
  }
};

void expect_same(const BitRow& row, const Twin& twin) {
  for (std::size_t i = 0; i < twin.bits.size(); ++i) {
    ASSERT_EQ(row[i], twin.bits[i]) << i;
    ASSERT_EQ(row.count_before(i), twin.count_before(i)) << i;
  }
  ASSERT_FALSE(row[twin.bits.size()]);
  ASSERT_EQ(row.count(), twin.count_before(twin.bits.size()));
  const std::vector<std::size_t> clear = twin.places(false);
  for (std::size_t n = 0; n < clear.size(); ++n) ASSERT_EQ(row.nth_clear(n), clear[n]);
  ASSERT_EQ(row.nth_clear(clear.size()), twin.bits.size());
}

// Rows of up to 200 entries cross the ends of words; every mixture of set and clear bits is as likely as its
// opposite, and some rows are nearly full or nearly empty.
TEST(BitRow, IsARowOfTruthValues) {
  Rng rng(1);
  for (int round = 0; round < 60; ++round) {
    BitRow row;
    Twin twin;
    const std::uint64_t share = 1 + rng.below(9);
    const std::size_t most = 1 + rng.below(200);
    for (int step = 0; step < 300; ++step) {
      const std::size_t size = twin.bits.size();
      if (size < most && rng.below(3) != 0) {
        const bool value = rng.below(10) < share;
        twin.bits.push_back(value);
        row.set(size, value);
      } else if (size > 0 && rng.below(2) == 0) {
        const std::size_t at = rng.below(size);
        twin.bits.erase(twin.bits.begin() + static_cast<std::ptrdiff_t>(at));
        row.erase(at);
      } else if (size > 0) {
        const std::size_t at = rng.below(size);
        twin.bits[at] = !twin.bits[at];
        row.set(at, twin.bits[at]);
      }
      if (step % 10 == 0) expect_same(row, twin);
    }
    row.clear();
    EXPECT_EQ(row.count(), 0U);
    EXPECT_EQ(row.nth_clear(100), 100U);
  }
}

}  // namespace
}  // namespace gainsay::bit_row_test
