#include "gainsay/family/extensions.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::family {
namespace {

constexpr std::size_t plenty = 1'000'000;

long double factorial(int n) { return n < 2 ? 1 : static_cast<long double>(n) * factorial(n - 1); }

TEST(CountSchedules, OfKnownOrders) {
  EXPECT_EQ(count_schedules(Poset(0, {}), plenty), 1.0L);
  EXPECT_EQ(count_schedules(chain(30), plenty), 1.0L);
  EXPECT_EQ(count_schedules(chain_with_independent(9), plenty), 10.0L);
  for (int n = 1; n <= 12; ++n)
    EXPECT_EQ(count_schedules(antichain(static_cast<std::size_t>(n)), plenty), factorial(n));
  // Three chains of 3, 3 and 4: 10! / (3! 3! 4!).
  const std::vector<Relation> chains = {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {6, 7}, {7, 8}, {8, 9}};
  EXPECT_EQ(count_schedules(Poset(10, chains), plenty), 4200.0L);
}

// Against every permutation that respects the order.
TEST(CountSchedules, OfRandomOrders) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + rng.below(7);
    std::vector<Relation> relations;
    for (Element x = 0; x < n; ++x) {
      for (Element y = x + 1; y < n; ++y) {
        if (rng.chance(1, 4)) relations.push_back({x, y});
      }
    }
    const Poset poset(n, relations);
    Schedule schedule(n);
    for (Element x = 0; x < n; ++x) schedule[x] = x;
    long double expected = 0;
    do {
      bool fits = true;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) fits = fits && !poset.less(schedule[j], schedule[i]);
      }
      expected += fits ? 1 : 0;
    } while (std::next_permutation(schedule.begin(), schedule.end()));
    EXPECT_EQ(count_schedules(poset, plenty), expected);
  }
}

TEST(CountSchedules, GivesUpAloud) {
  EXPECT_EQ(count_schedules(antichain(20), 1000), std::nullopt);
  EXPECT_EQ(count_schedules(antichain(10), 1024), factorial(10));
  EXPECT_EQ(count_schedules(antichain(10), 1023), std::nullopt);
  EXPECT_EQ(count_schedules(antichain(70), plenty), std::nullopt);  // 2^70 ideals
}

}  // namespace
}  // namespace gainsay::family
