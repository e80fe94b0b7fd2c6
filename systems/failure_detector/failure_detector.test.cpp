#include <gmock/gmock.h>

#include "systems/system_test.hpp"

namespace failure_detector {
namespace {

using system_test::expect_clean;
using system_test::find_bug;

// Nodes that are never halted, and rounds enough for answers to be late.
const gainsay::OptionTexts six_rounds = {{"halts", "false"}, {"rounds", "6"}};

gainsay::OptionTexts with(gainsay::OptionTexts options, const std::string& name, const std::string& value) {
  options.emplace_back(name, value);
  return options;
}

// Rare: 2 random runs in 50,000. What is tested is this seed, whose run 10,590 shows it.
TEST(FailureDetector, StalePongsLetPingsPileUp) {
  const auto found = find_bug("failure_detector", with(six_rounds, "bug", "stale_pongs"), 12'000);
  EXPECT_EQ(found.violation.property, "pings are answered");
  EXPECT_EQ(found.violation.message, "a node has more than three pings to answer");
}

// 2 random runs in 100; missing it in 2,000 runs: 0.98^2000 = 3e-18.
TEST(FailureDetector, AClientThatRegistersLateIsNotTold) {
  const auto found = find_bug("failure_detector", {{"bug", "late_client"}}, 2'000);
  EXPECT_EQ(found.violation.property, "failures are reported");
}

TEST(FailureDetector, FixedFormKeepsBothPromises) {
  expect_clean("failure_detector", six_rounds, 12'000);
  expect_clean("failure_detector", {}, 2'000);
  expect_clean("failure_detector", {{"order", "mailbox"}}, 2'000);
  expect_clean("failure_detector", {{"nodes", "4"}}, 500);
  expect_clean("failure_detector", {{"rounds", "1"}}, 500);  // a bound for who is not halted
}

}  // namespace
}  // namespace failure_detector
