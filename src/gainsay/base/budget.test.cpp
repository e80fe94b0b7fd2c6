#include "gainsay/base/budget.hpp"

#include <gtest/gtest.h>

namespace gainsay::budget_test {
namespace {

using std::chrono::milliseconds;

TEST(Budget, WithoutLimitsIsNeverOver) {
  const Budget budget;
  EXPECT_EQ(budget.over(), StopReason::none);
  EXPECT_EQ(budget.over(~std::uint64_t{0}), StopReason::none);
  EXPECT_FALSE(budget.has_deadline());
  EXPECT_EQ(budget.text(StopReason::none), "");
}

TEST(Budget, SaysWhichLimitItIs) {
  std::atomic<bool> stop{false};
  std::atomic<std::size_t> lowest{5};
  const Budget all = Budget(std::chrono::hours(1), 1000).until(&stop).called_off_below(lowest, 5);
  EXPECT_EQ(all.over(1000), StopReason::none);
  EXPECT_EQ(all.over(1001), StopReason::memory);
  EXPECT_EQ(all.with_memory(2000).over(1001), StopReason::none);
  lowest = 4;
  EXPECT_EQ(all.over_by_flag(), StopReason::called_off);
  stop = true;
  EXPECT_EQ(all.over_by_flag(), StopReason::interrupted);
  EXPECT_EQ(all.over(), StopReason::interrupted);
  EXPECT_EQ(Budget(milliseconds(0)).over(), StopReason::time);
  EXPECT_EQ(Budget(milliseconds(0)).over_by_flag(), StopReason::none);
}

TEST(Budget, CopiesShareTheClock) {
  const Budget budget(milliseconds(0));
  EXPECT_EQ(budget.with_steps(7).with_memory(8).over(), StopReason::time);
  EXPECT_EQ(budget.with_steps(7).steps_max(), 7U);
  EXPECT_EQ(budget.until(nullptr).over_by_flag(), StopReason::none);
}

TEST(Budget, NamesTheLimitInWords) {
  const Budget budget(std::chrono::seconds(2), std::uint64_t{1} << 20U);
  EXPECT_NE(budget.text(StopReason::time).find("2"), std::string::npos);
  EXPECT_NE(budget.text(StopReason::memory).find("memory"), std::string::npos);
  EXPECT_EQ(budget.text(StopReason::interrupted), "interrupted");
}

// Waits for at most ten seconds.
bool raised_soon(const BudgetAlarm& alarm) {
  const Budget patience(std::chrono::seconds(10));
  while (!alarm.raised() && !patience.is_over()) std::this_thread::yield();
  return alarm.raised();
}

TEST(BudgetAlarm, IsRaisedByTheClockAndByTheFlag) {
  const BudgetAlarm clock(Budget(milliseconds(5)));
  EXPECT_TRUE(raised_soon(clock));
  EXPECT_EQ(clock.reason(), StopReason::time);

  std::atomic<bool> stop{false};
  const BudgetAlarm flag(Budget(std::chrono::hours(1)).until(&stop));
  EXPECT_FALSE(flag.raised());
  EXPECT_EQ(flag.reason(), StopReason::none);
  stop = true;
  EXPECT_TRUE(raised_soon(flag));
  EXPECT_EQ(flag.reason(), StopReason::interrupted);
}

TEST(BudgetAlarm, EndsWithItsOwner) {
  const Budget clock;
  { const BudgetAlarm never{Budget(std::chrono::hours(1))}; }
  EXPECT_LT(clock.elapsed_s(), 60);
}

}  // namespace
}  // namespace gainsay::budget_test
