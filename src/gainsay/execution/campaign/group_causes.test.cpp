#include "gainsay/execution/campaign/group_causes.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/run/document.hpp"

namespace gainsay::group_causes_test {
namespace {

struct Mark {
  int n = 0;
};

// Two defects that one monitor sees. The smallest execution of the first has one step, of the second two.
struct Careless {
  using Receives = Messages<Mark>;
  std::vector<int> got;
  void on(const Mark& mark, Context& ctx) {
    got.push_back(mark.n);
    const bool one_was_there = std::find(got.begin(), got.end(), 1) != got.end();
    if (got.front() == 5) ctx.violate("memory", "a block is freed twice");
    if (mark.n == 0 && one_was_there)
      ctx.violate("memory", "block " + std::to_string(got.size()) + " is used after it was freed");
  }
};

Scenario careless() {
  return Scenario::of("careless", [](World& world) {
    const auto actor = world.spawn<Careless>("actor");
    for (int i = 0; i < 6; ++i) world.send(actor, Mark{i});
  });
}

HuntResult hunted(bool by_cause, unsigned jobs = 1) {
  HuntOptions how{.strategy = "random", .runs = 300, .jobs = jobs, .keep_going = true};
  how.by_cause = by_cause;
  return hunt(careless(), {}, how);
}

TEST(GroupCauses, OneMonitorThatSeesTwoDefectsIsTwoFindings) {
  const HuntResult by_property = hunted(false);
  ASSERT_EQ(by_property.violations.size(), 1U);
  const HuntResult result = hunted(true);
  ASSERT_EQ(result.violations.size(), 2U);
  std::uint64_t runs = 0;
  std::vector<std::pair<std::string, std::size_t>> smallest;
  for (const FoundViolation& found : result.violations) {
    runs += found.runs;
    smallest.emplace_back(found.violation.message, found.document.steps.size());
  }
  // What is smaller is not what it was made from: the second defect stays the second one.
  EXPECT_THAT(smallest,
              testing::UnorderedElementsAre(testing::Pair("actor: a block is freed twice", 1U),
                                            testing::Pair("actor: block 2 is used after it was freed", 2U)));
  EXPECT_EQ(runs, result.buggy_runs);
  EXPECT_EQ(result.buggy_runs, by_property.buggy_runs);
  EXPECT_EQ(result.first_bug_run, by_property.first_bug_run);
}

TEST(GroupCauses, WhatIsReportedReplays) {
  const Blueprint blueprint = careless().build();
  for (const FoundViolation& found : hunted(true).violations) {
    const Replay replay = replay_steps(blueprint, decisions_of(found.document, blueprint),
                                       found.document.steps_max, found.violation);
    EXPECT_FALSE(replay.diverged_at) << replay.divergence;
    EXPECT_EQ(replay.outcome.violation, found.violation);
  }
}

TEST(GroupCauses, DoesNotDependOnTheNumberOfJobs) {
  const HuntResult one = hunted(true);
  const HuntResult two = hunted(true, 2);
  ASSERT_EQ(one.violations.size(), two.violations.size());
  for (std::size_t i = 0; i < one.violations.size(); ++i) {
    EXPECT_EQ(one.violations[i].violation, two.violations[i].violation);
    EXPECT_EQ(one.violations[i].runs, two.violations[i].runs);
    EXPECT_EQ(one.violations[i].first_run, two.violations[i].first_run);
    EXPECT_EQ(one.violations[i].document.steps, two.violations[i].document.steps);
  }
}

}  // namespace
}  // namespace gainsay::group_causes_test
