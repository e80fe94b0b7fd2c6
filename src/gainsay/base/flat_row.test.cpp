#include "gainsay/base/flat_row.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::flat_row_test {
namespace {

struct Entry {
  std::uint64_t a = 7;
  std::uint64_t b = 0;
  std::uint32_t c = 0;

  friend bool operator==(const Entry&, const Entry&) = default;
};

TEST(FlatRow, IsTheRowThatAVectorIs) {
  Rng rng(1, 0);
  FlatRow<Entry> row;
  std::vector<Entry> twin;
  for (std::uint32_t turn = 0; turn < 40'000; ++turn) {
    const Entry entry{rng.next(), rng.next(), turn};
    const std::size_t what = rng.below(32);
    if (what < 14 || twin.empty()) {
      row.push_back(entry);
      twin.push_back(entry);
    } else if (what < 16) {  // one of its own
      const std::size_t index = rng.below(twin.size());
      row.push_back(row[index]);
      twin.push_back(Entry(twin[index]));
    } else if (what < 28) {
      const std::size_t index = rng.below(twin.size());
      if (index + 1 == twin.size()) {
        row.pop_back();
      } else {
        row.erase(index);
      }
      twin.erase(twin.begin() + static_cast<std::ptrdiff_t>(index));
    } else if (what == 28) {
      const std::size_t size = rng.below(40);
      row.resize(size);
      twin.resize(size);
    } else if (what == 29) {
      const std::size_t size = rng.below(40);
      row.assign(size, entry);
      twin.assign(size, entry);
    } else if (what == 30) {  // a copy, over one that is longer or shorter
      FlatRow<Entry> copy;
      copy.resize(rng.below(80));
      copy = row;
      row.push_back(entry);
      row = copy;
      ASSERT_TRUE(std::equal(copy.begin(), copy.end(), twin.begin(), twin.end()));
    } else {
      FlatRow<Entry> moved(std::move(row));
      ASSERT_TRUE(row.empty());  // NOLINT(bugprone-use-after-move)
      row.push_back(entry);
      row = std::move(moved);
    }
    ASSERT_TRUE(std::equal(row.begin(), row.end(), twin.begin(), twin.end()));
    ASSERT_EQ(row.empty(), twin.empty());
    if (!twin.empty()) {
      ASSERT_EQ(row.back(), twin.back());
    }
  }
}

}  // namespace
}  // namespace gainsay::flat_row_test
