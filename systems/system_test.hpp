// What the tests of the bundled systems share: hunts whose findings are replayed at once.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/explorer/explore.hpp"

namespace system_test {

// Whether the violation's trace, followed step by step without the memo, ends in the same violation and reads
// the same.
inline void expect_replays(const gainsay::HuntResult& result, const gainsay::FoundViolation& found) {
  const gainsay::Blueprint blueprint = gainsay::find_scenario(result.scenario).build(result.options);
  const gainsay::Replay replay = gainsay::replay_steps(
      blueprint, gainsay::decisions_of(found.document, blueprint), found.document.steps_max, found.violation);
  EXPECT_FALSE(replay.diverged_at) << replay.divergence;
  ASSERT_TRUE(replay.outcome.violation);
  EXPECT_EQ(*replay.outcome.violation, found.violation);
  EXPECT_EQ(replay.document.steps, found.document.steps);
}

// Hunts, and demands that every trace replays.
inline gainsay::HuntResult hunt(const std::string& scenario, const gainsay::OptionTexts& options,
                                const gainsay::HuntOptions& how) {
  gainsay::HuntResult result = gainsay::hunt(gainsay::find_scenario(scenario), options, how);
  EXPECT_TRUE(result.unreached_goals.empty() || result.buggy_runs > 0) << result.unreached_goals.front();
  for (const gainsay::FoundViolation& found : result.violations) expect_replays(result, found);
  return result;
}

// The first bug within `runs` random executions; fails the test if there is none.
inline gainsay::FoundViolation find_bug(const std::string& scenario, const gainsay::OptionTexts& options,
                                        std::uint64_t runs) {
  const gainsay::HuntResult result = hunt(scenario, options, {.strategy = "random", .runs = runs});
  EXPECT_EQ(result.violations.size(), 1U) << scenario << ": no bug in " << runs << " runs";
  return result.violations.empty() ? gainsay::FoundViolation{} : result.violations.front();
}

// The share of random executions that are wrong must be within five standard deviations of `expected`: a correct
// program fails this with probability 6e-7.
inline void expect_share(const std::string& scenario, const std::string& bug, double expected) {
  const std::uint64_t runs = 40'000;
  const gainsay::HuntResult result =
      hunt(scenario, {{"bug", bug}}, {.strategy = "random", .runs = runs, .keep_going = true});
  const double sigma = std::sqrt(expected * (1 - expected) / static_cast<double>(runs));
  EXPECT_EQ(result.runs, runs);
  EXPECT_NEAR(static_cast<double>(result.buggy_runs) / static_cast<double>(runs), expected, 5 * sigma);
}

// `runs` random executions without a violation, none of them cut short.
inline void expect_clean(const std::string& scenario, const gainsay::OptionTexts& options,
                         std::uint64_t runs) {
  const gainsay::HuntResult result = hunt(scenario, options, {.strategy = "random", .runs = runs});
  for (const gainsay::FoundViolation& found : result.violations) {
    ADD_FAILURE() << found.violation.property << ": " << found.violation.message;
  }
  EXPECT_EQ(result.runs, runs);
  EXPECT_EQ(result.cut_runs, 0U);
}

// All executions, to completion; a million of them are too many.
inline gainsay::HuntResult search_all(const std::string& scenario, const gainsay::OptionTexts& options) {
  gainsay::HuntResult result =
      hunt(scenario, options, {.strategy = "dfs", .runs = 1'000'000, .keep_going = true});
  EXPECT_TRUE(result.complete);
  return result;
}

// All states, and so many of them. The counts in the tests were found by another enumerator as well (which
// shares the handlers with the kernel and nothing of execution/ or explorer/), but for the two bigger sizes
// of paxos.
inline void expect_states(const std::string& scenario, const gainsay::OptionTexts& options,
                          std::uint64_t states, std::uint64_t transitions,
                          const gainsay::ExploreOptions& how = {}) {
  const gainsay::ExploreResult result = gainsay::explore(gainsay::find_scenario(scenario), options, how);
  for (const gainsay::FoundViolation& found : result.violations) {
    ADD_FAILURE() << found.violation.property << ": " << found.violation.message;
  }
  EXPECT_TRUE(result.complete) << result.incomplete_because;
  EXPECT_TRUE(result.unreached_goals.empty()) << result.unreached_goals.front();
  EXPECT_EQ(result.states, states);
  EXPECT_EQ(result.transitions, transitions);
}

// A shortest execution that ends in a violation.
inline gainsay::TraceDocument shortest_violation(const std::string& scenario,
                                                 const gainsay::OptionTexts& options) {
  const gainsay::ExploreResult result = gainsay::explore(gainsay::find_scenario(scenario), options, {});
  EXPECT_EQ(result.violations.size(), 1U);
  return result.violations.empty() ? gainsay::TraceDocument{} : result.violations.front().document;
}

// Tests that take minutes are asked for by GAINSAY_LONG.
inline bool long_tests() { return std::getenv("GAINSAY_LONG") != nullptr; }

}  // namespace system_test
