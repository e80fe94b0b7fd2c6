#include "gainsay/base/byte_row.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::byte_row_test {
namespace {

void expect_same(const ByteRow& row, const std::vector<std::uint8_t>& twin, std::uint8_t wanted) {
  ASSERT_EQ(row.size(), twin.size());
  for (std::size_t first = 0; first < twin.size(); first += 64) {
    std::uint64_t expected = 0;
    for (std::size_t k = 0; k < 64 && first + k < twin.size(); ++k) {
      ASSERT_EQ(row[first + k], twin[first + k]);
      if (twin[first + k] == wanted) expected |= std::uint64_t{1} << k;
    }
    ASSERT_EQ(row.matching(first, wanted), expected);
  }
}

// Bytes that differ in one bit, or in the highest, are where such tricks go wrong. 0 is what lies behind the end.
TEST(ByteRow, IsTheRowThatAVectorIs) {
  const std::vector<std::uint8_t> values = {0, 1, 2, 127, 128, 129, 254, 255};
  Rng rng(1, 0);
  ByteRow row;
  std::vector<std::uint8_t> twin;
  for (int turn = 0; turn < 40'000; ++turn) {
    const std::uint8_t byte = values[rng.below(values.size())];
    const std::size_t what = rng.below(16);
    if (what < 8 || twin.empty()) {
      row.push_back(byte);
      twin.push_back(byte);
    } else if (what < 15) {
      const std::size_t index = rng.below(twin.size());
      if (what < 12) {
        row.erase(index);
        twin.erase(twin.begin() + static_cast<std::ptrdiff_t>(index));
      } else {
        row.set(index, byte);
        twin[index] = byte;
      }
    } else if (rng.below(8) == 0) {
      const std::size_t size = rng.below(200);
      row.resize(size);
      twin.resize(size, 0);
    }
    expect_same(row, twin, values[rng.below(values.size())]);
  }
}

}  // namespace
}  // namespace gainsay::byte_row_test
