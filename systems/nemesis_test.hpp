// What the tests of the systems with families of cuts share: hunts by nemesis, and the share of runs that is wrong.
#pragma once

#include <cmath>
#include <string>

#include "gainsay/execution/campaign/shrink_violation.hpp"
#include "systems/system_test.hpp"

namespace nemesis_test {

using gainsay::HuntResult;
using gainsay::OptionTexts;

// All operations come before anybody has noticed the cut.
inline const OptionTexts unsettled = {{"settle", "0"}, {"wait", "0"}};

inline HuntResult hunt(const std::string& scenario, const OptionTexts& options, const OptionTexts& nemesis,
                       std::uint64_t runs, bool keep_going) {
  gainsay::HuntOptions how{.strategy = "nemesis", .runs = runs, .keep_going = keep_going};
  how.strategy_options = nemesis;
  return system_test::hunt(scenario, options, how);
}

// Within five standard deviations of the arithmetic: a right program fails this with probability 6e-7, and the seed is
// fixed. Where the arithmetic says never, never.
inline void expect_share(const std::string& scenario, const OptionTexts& options, const OptionTexts& nemesis,
                         double expected, std::uint64_t runs = 20'000) {
  const HuntResult result = hunt(scenario, options, nemesis, runs, true);
  EXPECT_EQ(result.runs, runs);
  EXPECT_EQ(result.cut_runs, 0U);
  const double sigma = std::sqrt(expected * (1 - expected) / static_cast<double>(runs));
  EXPECT_NEAR(static_cast<double>(result.buggy_runs) / static_cast<double>(runs), expected, 5 * sigma)
      << scenario << ": " << result.guarantee.statement;
}

inline void expect_clean(const std::string& scenario, const OptionTexts& options, const OptionTexts& nemesis,
                         std::uint64_t runs) {
  const HuntResult result = hunt(scenario, options, nemesis, runs, false);
  for (const gainsay::FoundViolation& found : result.violations)
    ADD_FAILURE() << found.violation.property << ": " << found.violation.message;
  EXPECT_EQ(result.runs, runs);
}

// Steps of the smallest execution with its cuts that shrinking the first violation gives; it replays.
inline std::size_t shrunk_steps(const std::string& scenario, const OptionTexts& options,
                                const OptionTexts& nemesis, std::uint64_t runs = 20'000) {
  const HuntResult result = hunt(scenario, options, nemesis, runs, false);
  EXPECT_EQ(result.violations.size(), 1U);
  if (result.violations.empty()) return 0;
  const gainsay::Blueprint blueprint = gainsay::find_scenario(scenario).build(options);
  const gainsay::FoundViolation& found = result.violations.front();
  const auto [shrunk, violation] =
      gainsay::shrink_violation(blueprint, gainsay::decisions_of(found.document, blueprint), found.violation,
                                {.cuts = gainsay::Cutbacks::keep_cuts});
  const gainsay::Replay replay =
      gainsay::replay_steps(blueprint, shrunk.decisions(), found.document.steps_max, violation);
  EXPECT_FALSE(replay.diverged_at) << replay.divergence;
  EXPECT_TRUE(replay.outcome.violation);
  return shrunk.steps.size();
}

}  // namespace nemesis_test
