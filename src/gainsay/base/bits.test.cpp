#include "gainsay/base/bits.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::bits_test {
namespace {

// Sparse, dense and mixed words, and those at the ends.
std::vector<std::uint64_t> words() {
  std::vector<std::uint64_t> all = {0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 63U, 0xff00ff00ff00ff00ULL};
  Rng rng(1);
  for (int i = 0; i < 3'000; ++i) {
    const std::uint64_t a = rng.next();
    const std::uint64_t b = rng.next();
    all.push_back(i % 3 == 0 ? a : i % 3 == 1 ? a & b & rng.next() : a | b | rng.next());
  }
  return all;
}

std::vector<std::size_t> numbers(std::uint64_t word) {
  std::vector<std::size_t> in;
  for (std::size_t i = 0; i < 64; ++i) {
    if ((word >> i & 1U) != 0) in.push_back(i);
  }
  return in;
}

TEST(Bits, CountAndFindAsALoopDoes) {
  for (const std::uint64_t word : words()) {
    const std::vector<std::size_t> in = numbers(word);
    ASSERT_EQ(bits::count(word), in.size());
    ASSERT_EQ(bits::portable::count(word), in.size());
    for (std::size_t n = 0; n < in.size(); ++n) {
      ASSERT_EQ(bits::nth(word, n), in[n]);
      ASSERT_EQ(bits::portable::nth(word, n), in[n]);
    }
    std::vector<std::size_t> visited;
    bits::each(word, [&](std::size_t each) { visited.push_back(each); });
    ASSERT_EQ(visited, in);
  }
}

TEST(Bits, CloseTheGapsBetweenPlaces) {
  const std::vector<std::uint64_t> all = words();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint64_t word = all[i];
    const std::uint64_t places = all[all.size() - 1 - i];
    std::uint64_t wanted = 0;
    std::size_t to = 0;
    for (const std::size_t place : numbers(places)) wanted |= (word >> place & 1U) << to++;
    ASSERT_EQ(bits::gather(word, places), wanted);
    ASSERT_EQ(bits::portable::gather(word, places), wanted);
  }
}

}  // namespace
}  // namespace gainsay::bits_test
