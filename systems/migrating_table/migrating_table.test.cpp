#include "systems/system_test.hpp"

namespace migrating_table {
namespace {

using gainsay::OptionTexts;
using system_test::expect_clean;

struct Case {
  const char* bug;
  const char* inputs;
  const char* start;
  std::uint64_t runs;  // within so many of the portfolio's it is found for 19 of 20 seeds
};

// The rows of the paper's table, in its order, and late_switch.
const std::vector<Case> cases = {
    {"query_atomic_filter_shadowing", "patient", "filled", 3'000},
    {"query_streamed_lock", "generated", "filled", 300},
    {"query_streamed_back_up_new_stream", "patient", "filled", 500},
    {"delete_no_leave_tombstones_etag", "patient", "filled", 300},
    {"delete_primary_key", "patient", "filled", 300},
    {"ensure_partition_switched_from_populated", "patient", "filled", 3'000},
    {"tombstone_output_etag", "patient", "filled", 300},
    {"query_streamed_filter_shadowing", "directed", "filled", 50},
    {"migrate_skip_prefer_old", "directed", "filled", 300},
    {"migrate_skip_use_new_with_tombstones", "directed", "filled", 300},
    {"insert_behind_migrator", "directed", "empty", 50},
    {"late_switch", "directed", "empty", 500},
};

OptionTexts options_of(const Case& each) {
  return {{"bug", each.bug}, {"inputs", each.inputs}, {"start", each.start}};
}

TEST(MigratingTable, EverySeededBugIsFound) {
  for (const Case& each : cases) {
    const auto result =
        system_test::hunt("migrating_table", options_of(each), {.strategy = "portfolio", .runs = each.runs});
    EXPECT_EQ(result.violations.size(), 1U) << each.bug;
  }
}

TEST(MigratingTable, EverySeededBugIsFoundForFreshSeeds) {
  if (!system_test::long_tests()) GTEST_SKIP() << "takes minutes; set GAINSAY_LONG=1";
  for (const Case& each : cases) {
    int found = 0;
    for (std::uint64_t seed = 2'001; seed <= 2'020; ++seed) {
      const auto result = gainsay::hunt(gainsay::find_scenario("migrating_table"), options_of(each),
                                        {.strategy = "portfolio", .runs = each.runs, .seed = seed});
      found += result.buggy_runs > 0 ? 1 : 0;
    }
    EXPECT_GE(found, 19) << each.bug;
  }
}

// The scripts need the bugs they are for.
TEST(MigratingTable, FixedFormBehavesLikeOneTable) {
  const std::uint64_t runs = system_test::long_tests() ? 30'000 : 500;
  for (const char* inputs : {"generated", "patient", "directed"}) {
    for (const char* start : {"filled", "empty"})
      expect_clean("migrating_table", {{"inputs", inputs}, {"start", start}}, runs);
  }
  for (const char* order : {"unordered", "fifo"})
    expect_clean("migrating_table", {{"inputs", "patient"}, {"order", order}}, runs / 5);
  const auto result =
      system_test::hunt("migrating_table", {{"inputs", "patient"}}, {.strategy = "portfolio", .runs = runs});
  EXPECT_EQ(result.buggy_runs, 0U);
}

// Scripts of one bug do not betray another, whose condition they never meet.
TEST(MigratingTable, TheScriptForSkippedStatesNeedsTheSkip) {
  for (const char* bug : {"tombstone_output_etag", "delete_primary_key", "query_streamed_lock"})
    expect_clean("migrating_table", {{"bug", bug}, {"inputs", "directed"}}, 200);
}

}  // namespace
}  // namespace migrating_table
