#include "gainsay/base/byte_match.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::byte_match_test {
namespace {

// Bytes that differ in one bit, or in the highest, are where such tricks go wrong.
TEST(MatchingBytes, AreThoseThatAreEqual) {
  const std::vector<std::uint8_t> values = {0, 1, 2, 127, 128, 129, 254, 255};
  Rng rng(1, 0);
  for (int turn = 0; turn < 20'000; ++turn) {
    std::vector<std::uint8_t> bytes(rng.below(65));
    for (std::uint8_t& byte : bytes) byte = values[rng.below(values.size())];
    const std::uint8_t wanted = values[rng.below(values.size())];
    std::uint64_t expected = 0;
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      if (bytes[k] == wanted) expected += std::uint64_t{1} << k;
    }
    ASSERT_EQ(matching_bytes(bytes.data(), bytes.size(), wanted), expected) << "turn " << turn;
  }
}

}  // namespace
}  // namespace gainsay::byte_match_test
