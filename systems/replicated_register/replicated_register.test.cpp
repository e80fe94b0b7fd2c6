#include <gmock/gmock.h>

#include "gainsay/base/check.hpp"
#include "systems/system_test.hpp"

namespace replicated_register {
namespace {

using system_test::expect_clean;
using system_test::find_bug;
using system_test::search_all;
using testing::HasSubstr;

TEST(ReplicatedRegister, AStaleReadIsFoundAndExplained) {
  const auto found = find_bug("replicated_register", {{"bug", "early_answer"}}, 200);
  EXPECT_EQ(found.violation.property, "linearizable");
  EXPECT_THAT(found.violation.message, HasSubstr("not linearizable: "));
  EXPECT_THAT(found.violation.message, HasSubstr("cannot be placed"));
}

// One client: write, replicate, replicated, stored, load, loaded, one after the other: one execution, and it reads what
// it wrote. Answered early, the load races with the replicate: it is stale in some.
TEST(ReplicatedRegister, AllExecutionsOfOneClientAreKnown) {
  const auto fixed = search_all("replicated_register", {{"clients", "1"}});
  EXPECT_EQ(fixed.runs, 1U);
  EXPECT_EQ(fixed.buggy_runs, 0U);
  const auto stale = search_all("replicated_register", {{"clients", "1"}, {"bug", "early_answer"}});
  EXPECT_GT(stale.buggy_runs, 0U);
  EXPECT_LT(stale.buggy_runs, stale.runs);
}

TEST(ReplicatedRegister, FixedFormIsRight) {
  expect_clean("replicated_register", {{"clients", "2"}}, 1000);
  expect_clean("replicated_register", {{"clients", "3"}}, 1000);
}

TEST(ReplicatedRegister, ExploreRefusesToJudgeAHistory) {
  try {
    gainsay::explore(gainsay::find_scenario("replicated_register"), {}, {});
    FAIL() << "nothing was thrown";
  } catch (const gainsay::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("has a history property ('linearizable')"));
    EXPECT_THAT(error.what(), HasSubstr("use hunt"));
  }
  const auto result =
      gainsay::explore(gainsay::find_scenario("replicated_register"), {}, {.without_histories = true});
  EXPECT_TRUE(result.complete);
  EXPECT_GT(result.states, 1U);
}

}  // namespace
}  // namespace replicated_register
