#include "systems/system_test.hpp"

namespace replicating_storage {
namespace {

using system_test::expect_clean;
using system_test::find_bug;

constexpr std::uint64_t budget = 100;

TEST(ReplicatingStorage, ALateReportRaisesADeadNode) {
  const auto found = find_bug("replicating_storage", {{"bug", "late_report"}}, budget);
  EXPECT_EQ(found.violation.property, "repair");
  const auto& steps = found.document.steps;
  std::string victim;
  for (const auto& step : steps) {
    if (step.message == "FaultInject") victim = step.to;
  }
  bool notified = false;
  bool reported_late = false;
  for (const auto& step : steps) {
    notified = notified || step.message.starts_with("NotifyFailure");
    reported_late = reported_late || (notified && step.to == "manager" && step.from == victim &&
                                      step.message.starts_with("SyncReport"));
  }
  EXPECT_TRUE(reported_late);
}

TEST(ReplicatingStorage, FixedFormRepairsInEveryRun) {
  expect_clean("replicating_storage", {}, 10 * budget);
  for (const char* order : {"unordered", "fifo", "mailbox"})
    expect_clean("replicating_storage", {{"order", order}}, 2 * budget);
  expect_clean("replicating_storage", {{"replicas", "2"}}, budget);
  expect_clean("replicating_storage", {{"replicas", "5"}}, budget);
}

}  // namespace
}  // namespace replicating_storage
