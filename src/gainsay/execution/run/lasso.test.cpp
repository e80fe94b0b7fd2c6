// Loops among worlds, against the definition of fairness, on random executions.
#include "gainsay/execution/run/lasso.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::lasso_test {
namespace {

struct Visited {
  std::uint64_t fingerprint = 0;
  std::vector<std::uint64_t> enabled;
  std::uint64_t executed = 0;  // from here to the next
};

bool has(const std::vector<std::uint64_t>& events, std::uint64_t event) {
  return std::find(events.begin(), events.end(), event) != events.end();
}

// Every event that is enabled in all worlds of the loop is executed on it.
bool is_fair(const std::vector<Visited>& worlds, std::size_t from) {
  for (std::uint64_t event = 1; event <= 8; ++event) {
    bool always = true;
    bool executed = false;
    for (std::size_t i = from; i + 1 < worlds.size(); ++i) {
      always = always && has(worlds[i].enabled, event);
      executed = executed || worlds[i].executed == event;
    }
    if (always && !executed) return false;
  }
  return true;
}

// Of the earlier visits to the last world, the last, the last but one, but three, but seven and so on are tried.
std::optional<std::uint32_t> first_fair_loop(const std::vector<Visited>& worlds) {
  std::size_t visits = 0;
  for (std::size_t from = worlds.size() - 1; from-- > 0;) {
    if (worlds[from].fingerprint != worlds.back().fingerprint) continue;
    ++visits;
    if ((visits & (visits - 1)) == 0 && is_fair(worlds, from)) return static_cast<std::uint32_t>(from);
  }
  return std::nullopt;
}

TEST(LassoWatch, FindsTheFairLoopsOfRandomExecutions) {
  std::size_t found = 0;
  std::size_t unfair = 0;
  for (std::uint64_t number = 1; number <= 3000; ++number) {
    Rng rng(number);
    // What is enabled and what is executed hangs on the world, mostly.
    const std::uint64_t kinds = 2 + rng.below(4);
    const std::uint64_t events = 2 + rng.below(4);
    std::vector<Visited> worlds;
    LassoWatch watch;
    const auto done = [&](std::uint32_t step) { return LassoWatch::Done{worlds[step].executed, {}}; };
    for (std::uint32_t step = 0; step < 40; ++step) {
      Visited visited;
      visited.fingerprint = 1 + rng.below(kinds);
      Rng of_world(number * 100 + visited.fingerprint);
      for (std::uint64_t event = 1; event <= events; ++event) {
        if (of_world.chance(3, 4)) visited.enabled.push_back(event);
      }
      if (visited.enabled.empty()) visited.enabled.push_back(1);
      visited.executed = visited.enabled[rng.chance(3, 4) ? 0 : rng.below(visited.enabled.size())];
      worlds.push_back(visited);
      const auto loop = watch.note(step, visited.fingerprint, visited.enabled, 0, done);
      ASSERT_EQ(loop, first_fair_loop(worlds)) << "execution " << number << ", step " << step;
      found += loop ? 1 : 0;
      unfair += loop ? 0 : 1;
    }
  }
  EXPECT_GT(found, 10'000U);
  EXPECT_GT(unfair, 10'000U);
}

}  // namespace
}  // namespace gainsay::lasso_test
