#include "gainsay/execution/world/least_sums.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::least_sums_test {
namespace {

// Whole numbers, some of them without end, and many that are equal.
TEST(LeastSums, AreTheLeastInBothWays) {
  constexpr double never = std::numeric_limits<double>::infinity();
  Rng rng(3);
  for (int round = 0; round < 2'000; ++round) {
    const std::size_t width = rng.chance(1, 2) ? 8 : 12;
    const auto number = [&] { return rng.chance(1, 5) ? never : static_cast<double>(rng.below(9)) - 4; };
    std::vector<double> until(width);
    std::vector<double> bounds(width * width);
    std::generate(until.begin(), until.end(), number);
    std::generate(bounds.begin(), bounds.end(), number);
    std::vector<double> wanted(width, never);
    std::uint64_t counts = 0;
    for (std::size_t b = 0; b < width; ++b) {
      for (std::size_t c = 0; c < width; ++c)
        wanted[b] = std::min(wanted[b], until[c] + bounds[b * width + c]);
      counts |= std::uint64_t{until[b] <= wanted[b]} << b;
    }
    std::vector<double> found(width);
    ASSERT_EQ(least_sums::find(width, until.data(), bounds.data(), found.data()), counts);
    ASSERT_EQ(found, wanted);
    std::fill(found.begin(), found.end(), 0);
    ASSERT_EQ(least_sums::portable::find(width, until.data(), bounds.data(), found.data()), counts);
    ASSERT_EQ(found, wanted);
  }
}

}  // namespace
}  // namespace gainsay::least_sums_test
