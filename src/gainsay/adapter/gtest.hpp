// GoogleTest adapter: a scenario is a test; a violation fails it with the printed trace.
//
//   GAINSAY_TEST(flush_race, {.runs = 10'000});                        // hunts the scenario of that name
//   GAINSAY_TEST(flush_race, {.strategy = "dfs"}, {{"bug", "none"}});  // with options of the scenario
//   EXPECT_TRUE(gainsay::holds("paxos", {.runs = 1'000}));             // inside any test
//   EXPECT_TRUE(gainsay::holds(my_scenario, {.strategy = "dfs"}));
//
// What could not be decided (a cut search, a goal never reached) fails as well: a green test means "ok",
// nothing less.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/report/show.hpp"

namespace gainsay {

// Success, or a failure that explains itself: verdict, counterexample, warnings.
inline ::testing::AssertionResult holds(const Scenario& scenario, const HuntOptions& options = {},
                                        const OptionTexts& scenario_options = {}) {
  HuntResult result;
  try {
    result = hunt(scenario, scenario_options, options);
  } catch (const UserError& error) {
    return ::testing::AssertionFailure() << error.what();
  }
  if (result.verdict() == Verdict::ok) return ::testing::AssertionSuccess();
  ::testing::AssertionResult failure = ::testing::AssertionFailure();
  if (result.violations.empty()) {
    failure << "scenario " << result.scenario << ": undecided after " << result.runs << " runs of strategy "
            << result.strategy << " (seed " << result.seed << ")";
  }
  for (const FoundViolation& found : result.violations) {
    failure << "scenario " << result.scenario << " is violated: " << found.violation.property << ": "
            << found.violation.message << "\n(strategy " << result.strategy << ", seed " << result.seed
            << ", run " << found.first_run << ")\n\n"
            << space_time_diagram(found.document, ShowOptions{}) << "\n";
  }
  for (const std::string& warning : result.warnings) failure << "\nwarning: " << warning;
  return failure;
}

inline ::testing::AssertionResult holds(const std::string& scenario, const HuntOptions& options = {},
                                        const OptionTexts& scenario_options = {}) {
  try {
    return holds(find_scenario(scenario), options, scenario_options);
  } catch (const UserError& error) {
    return ::testing::AssertionFailure() << error.what();
  }
}

}  // namespace gainsay

// The braces of designated initialisers hold commas; the macro puts the arguments back together.
#define GAINSAY_TEST(scenario, ...)                                                   \
  TEST(Gainsay, scenario) {                                                           \
    EXPECT_TRUE(::gainsay::holds(std::string(#scenario) __VA_OPT__(, ) __VA_ARGS__)); \
  }
