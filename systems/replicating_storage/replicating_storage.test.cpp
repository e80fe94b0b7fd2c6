#include "systems/late_report_test.hpp"
#include "systems/system_test.hpp"

namespace replicating_storage {
namespace {

using system_test::expect_clean;
using system_test::find_bug;

constexpr std::uint64_t budget = 100;

TEST(ReplicatingStorage, ALateReportRaisesADeadNode) {
  const auto found = find_bug("replicating_storage", {{"bug", "late_report"}}, budget);
  EXPECT_EQ(found.violation.property, "repair");
  EXPECT_TRUE(system_test::reports_after_failure(found.document.steps, "FaultInject", "NotifyFailure"));
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
