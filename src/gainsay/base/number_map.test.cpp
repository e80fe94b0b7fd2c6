#include "gainsay/base/number_map.hpp"

#include <map>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::number_map_test {
namespace {

// Keys as they are met: pairs of small numbers, places in memory, anything; half of the questions are about keys that
// are not there.
TEST(NumberMap, IsTheMapThatAMapIs) {
  for (std::uint64_t kind = 0; kind < 3; ++kind) {
    Rng rng(kind, 0);
    const auto draw = [&]() -> std::uint64_t {
      if (kind == 0) return (rng.below(64) << 32U) + rng.below(64);
      return kind == 1 ? 0x7f0000000000ULL + rng.below(4096) * 16 : rng.next() >> 1U;
    };
    NumberMap map;
    std::map<std::uint64_t, std::uint32_t> twin;
    for (std::uint32_t turn = 0; turn < 20'000; ++turn) {
      const std::uint64_t key = draw();
      const std::uint32_t* number = map.find(key);
      const auto known = twin.find(key);
      ASSERT_EQ(number != nullptr, known != twin.end());
      if (number != nullptr) {
        ASSERT_EQ(*number, known->second);
      } else if (rng.below(2) == 0) {
        map.add(key, turn);
        twin.emplace(key, turn);
      }
      ASSERT_EQ(map.size(), twin.size());
      if (rng.below(8'000) > 0) continue;
      map.clear();
      twin.clear();
    }
    for (const auto& [key, number] : twin) ASSERT_EQ(*map.find(key), number);
  }
}

TEST(NumberMapDeathTest, AKeyGetsOneNumber) {
  NumberMap map;
  map.add(1, 7);
  EXPECT_DEATH(map.add(1, 8), "a key gets one number");
  EXPECT_DEATH(map.add(~std::uint64_t{0}, 8), "that key stands for none");
}

}  // namespace
}  // namespace gainsay::number_map_test
