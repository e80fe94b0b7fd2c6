#include "gainsay/explorer/exact_store.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace gainsay::exact_store_test {
namespace {

using Content = std::vector<std::uint32_t>;

TEST(ExactStore, AStateIsFiledUnderItsFingerprint) {
  ExactStore store;
  EXPECT_EQ(store.key_of(7, Content{1, 2, 3}), 7U);
  EXPECT_EQ(store.key_of(7, Content{1, 2, 3}), 7U);
  EXPECT_EQ(store.key_of(8, Content{1, 2}), 8U);
  EXPECT_EQ(store.collisions(), 0U);
}

// Different states with one fingerprint are told apart, for good: this is what exact means.
TEST(ExactStore, TellsStatesWithOneFingerprintApart) {
  ExactStore store;
  std::set<std::uint64_t> keys;
  for (std::uint32_t i = 0; i < 50; ++i) {
    keys.insert(store.key_of(7, Content{i}));
    keys.insert(store.key_of(7, Content{i, 0}));  // one is the beginning of the other
  }
  EXPECT_EQ(keys.size(), 100U);
  EXPECT_FALSE(keys.contains(0));
  EXPECT_GT(store.collisions(), 0U);
  for (std::uint32_t i = 0; i < 50; ++i) EXPECT_TRUE(keys.contains(store.key_of(7, Content{i})));
  EXPECT_TRUE(keys.contains(store.key_of(7, Content{3, 0})));
}

TEST(ExactStore, TakesTheEmptyState) {
  ExactStore store;
  EXPECT_EQ(store.key_of(1, Content{}), 1U);
  EXPECT_NE(store.key_of(1, Content{0}), 1U);
}

}  // namespace
}  // namespace gainsay::exact_store_test
