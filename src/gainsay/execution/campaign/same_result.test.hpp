// Whether two hunts came to the same, for tests of determinism.
#pragma once

#include <gtest/gtest.h>

#include "gainsay/trace/results.hpp"

namespace gainsay {

// Everything but the time it took and how often handlers were called.
inline void expect_same(const HuntResult& a, const HuntResult& b) {
  EXPECT_EQ(a.runs, b.runs);
  EXPECT_EQ(a.buggy_runs, b.buggy_runs);
  EXPECT_EQ(a.first_bug_run, b.first_bug_run);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.steps_max_seen, b.steps_max_seen);
  EXPECT_EQ(a.enabled_max_seen, b.enabled_max_seen);
  EXPECT_EQ(a.enabled_max_sum, b.enabled_max_sum);
  EXPECT_EQ(a.cut_runs, b.cut_runs);
  EXPECT_EQ(a.starved_runs, b.starved_runs);
  EXPECT_EQ(a.scouts.steps, b.scouts.steps);
  EXPECT_EQ(a.scouts.unfair_steps_max, b.scouts.unfair_steps_max);
  EXPECT_EQ(a.distinct_traces, b.distinct_traces);
  EXPECT_EQ(a.complete, b.complete);
  EXPECT_EQ(a.complete_for, b.complete_for);
  EXPECT_EQ(a.unreached_goals, b.unreached_goals);
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(a.exit_code(), b.exit_code());
  ASSERT_EQ(a.violations.size(), b.violations.size());
  for (std::size_t i = 0; i < a.violations.size(); ++i) {
    EXPECT_EQ(a.violations[i].violation, b.violations[i].violation);
    EXPECT_EQ(a.violations[i].runs, b.violations[i].runs);
    EXPECT_EQ(a.violations[i].first_run, b.violations[i].first_run);
    EXPECT_EQ(a.violations[i].document, b.violations[i].document);
  }
}

}  // namespace gainsay
