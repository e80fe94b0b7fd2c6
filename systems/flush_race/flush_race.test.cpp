#include "systems/system_test.hpp"

namespace flush_race {
namespace {

using system_test::expect_clean;
using system_test::expect_share;
using system_test::find_bug;
using system_test::search_all;

// Terminate out of {log, terminate}, then flush out of {log, flush}: 1/2 * 1/2. With 40,000 runs five
// standard deviations are 5 * sqrt(1/4 * 3/4 / 40,000) = 0.0108.
TEST(FlushRace, OneRandomRunInFourOvertakes) { expect_share("flush_race", "overtake", 1.0 / 4); }

// The same two choices, then log out of {log, flushed}: 1/8; five standard deviations are 0.0083.
TEST(FlushRace, OneRandomRunInEightSandwiches) { expect_share("flush_race", "sandwich", 1.0 / 8); }

// Missing overtake in 100 runs: (3/4)^100 = 3e-13. Missing sandwich in 200: (7/8)^200 = 3e-12.
TEST(FlushRace, SeededBugsAreFoundAtOnce) {
  const auto overtake = find_bug("flush_race", {{"bug", "overtake"}}, 100);
  EXPECT_EQ(overtake.violation.message, "log arrived after flush");

  const auto sandwich = find_bug("flush_race", {{"bug", "sandwich"}}, 200);
  EXPECT_EQ(sandwich.violation.property, "nothing slips into the flush");
  std::vector<std::string> messages;
  for (const auto& step : sandwich.document.steps) messages.push_back(step.message);
  EXPECT_EQ(messages, (std::vector<std::string>{"Request", "Terminate{logs: 0}", "Flush{logs: 0}", "Log"}));
}

// After the request, log can stand before terminate, flush, flushed or after any of them: 4 executions. It is
// late in the last two, and between flush and flushed in one of these.
TEST(FlushRace, AllExecutionsAreKnown) {
  const auto overtake = search_all("flush_race", {{"bug", "overtake"}});
  EXPECT_EQ(overtake.runs, 4U);
  EXPECT_EQ(overtake.buggy_runs, 2U);
  const auto sandwich = search_all("flush_race", {{"bug", "sandwich"}});
  EXPECT_EQ(sandwich.runs, 4U);
  EXPECT_EQ(sandwich.buggy_runs, 1U);
}

// The flush waits for the log, so log stands before or after terminate: 2 executions.
TEST(FlushRace, FixedFormIsRightInAllExecutions) {
  const auto fixed = search_all("flush_race", {});
  EXPECT_EQ(fixed.runs, 2U);
  EXPECT_EQ(fixed.buggy_runs, 0U);
  expect_clean("flush_race", {}, 2'000);
}

}  // namespace
}  // namespace flush_race
