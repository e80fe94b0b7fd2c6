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

// Every event that is enabled in all worlds of the loop (weak), or in one of them (strong), is executed on it.
bool is_fair(const std::vector<Visited>& worlds, std::size_t from, FairnessKind fairness) {
  for (std::uint64_t event = 1; event <= 8; ++event) {
    bool always = true;
    bool once = false;
    bool executed = false;
    for (std::size_t i = from; i + 1 < worlds.size(); ++i) {
      always = always && has(worlds[i].enabled, event);
      once = once || has(worlds[i].enabled, event);
      executed = executed || worlds[i].executed == event;
    }
    if ((fairness == FairnessKind::weak ? always : once) && !executed) return false;
  }
  return true;
}

// Of the earlier visits to the last world that count, the last, last but one, but three, but seven and so on are tried.
std::optional<std::uint32_t> first_fair_loop(const std::vector<Visited>& worlds, FairnessKind fairness,
                                             std::uint32_t since, std::uint32_t last_that_counts) {
  std::size_t visits = 0;
  for (std::size_t from = worlds.size() - 1; from-- > since;) {
    if (worlds[from].fingerprint != worlds.back().fingerprint || from > last_that_counts) continue;
    ++visits;
    if ((visits & (visits - 1)) == 0 && is_fair(worlds, from, fairness))
      return static_cast<std::uint32_t>(from);
  }
  return std::nullopt;
}

void compare_on_random_executions(FairnessKind fairness) {
  std::size_t found = 0;
  std::size_t unfair = 0;
  for (std::uint64_t number = 1; number <= 3000; ++number) {
    Rng rng(number);
    // What is enabled and what is executed hangs on the world, mostly.
    const std::uint64_t kinds = 2 + rng.below(4);
    const std::uint64_t events = 2 + rng.below(4);
    std::vector<Visited> worlds;
    LassoWatch watch(fairness);
    const auto done = [&](std::uint32_t step) {
      return LassoWatch::Done{worlds[step].executed, worlds[step].executed, {}};
    };
    // In every second execution heat is over after some steps: loops that begin later do not count.
    const bool is_hot = number % 2 == 0;
    const auto last = static_cast<std::uint32_t>(is_hot ? no_step - 1 : rng.below(30));
    const auto since = static_cast<std::uint32_t>(rng.below(10));
    const std::vector<HeatSpan> heat = {{.since = since, .hot_until = last + 1}};
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
      if (number % 5 == 0 && step == 20) watch.cut(18);  // goes back two steps, and comes here again
      if (number % 5 == 0 && step == 20) {
        for (const std::uint32_t again : {18U, 19U})
          (void)watch.note(again, worlds[again].fingerprint, worlds[again].enabled, since, heat, done);
      }
      const auto loop = watch.note(step, visited.fingerprint, visited.enabled, since, heat, done);
      ASSERT_EQ(loop, first_fair_loop(worlds, fairness, since, last))
          << "execution " << number << ", step " << step;
      found += loop ? 1 : 0;
      unfair += loop ? 0 : 1;
    }
  }
  EXPECT_GT(found, 5'000U);
  EXPECT_GT(unfair, 10'000U);
}

TEST(LassoWatch, FindsTheWeaklyFairLoopsOfRandomExecutions) {
  compare_on_random_executions(FairnessKind::weak);
}
TEST(LassoWatch, FindsTheStronglyFairLoopsOfRandomExecutions) {
  compare_on_random_executions(FairnessKind::strong);
}

}  // namespace
}  // namespace gainsay::lasso_test
