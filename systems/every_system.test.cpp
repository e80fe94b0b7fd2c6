// What must hold of every bundled system and every seeded bug: the result of a hunt depends neither on the
// number of jobs, nor on the memo, nor on how the runner backtracks; and handlers are deterministic.
#include <set>
#include <string>
#include <vector>

#include "gainsay/execution/campaign/same_result.test.hpp"
#include "systems/system_test.hpp"

namespace every_system {
namespace {

using gainsay::HuntOptions;
using gainsay::HuntResult;

struct Subject {
  std::string scenario;
  gainsay::OptionTexts options;
};

void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.scenario; }

std::string name_of(const testing::TestParamInfo<Subject>& subject) {
  return subject.param.scenario + "_" + subject.param.options[0].second;
}

// Every scenario with every value of its option `bug`.
std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const gainsay::Scenario* scenario : gainsay::scenarios()) {
    for (const gainsay::OptionInfo& option : scenario->options()) {
      if (option.name != "bug") continue;
      for (const std::string& bug : option.values) all.push_back({scenario->name(), {{"bug", bug}}});
      if (scenario->name() == "paxos")
        all.back().options.push_back({"proposers", "3"});  // or `lowest` does not show
    }
  }
  return all;
}

// Systems whose timers never rest get fewer and shorter runs, and so do those that are executed live; those with many
// different local states get fewer.
HuntResult hunt(const Subject& subject, HuntOptions how) {
  const std::set<std::string> slow = {"extent_manager", "replicating_storage", "migrating_table",
                                      "viewstamped_replication_code"};
  const std::set<std::string> many_states = {"cassandra_paxos",
                                             "chain_replication",
                                             "chronos",
                                             "elasticsearch_intersecting",
                                             "etcd_reads",
                                             "fabric",
                                             "kafka_isr",
                                             "multi_paxos",
                                             "viewstamped_replication",
                                             "zookeeper_election"};
  if (slow.contains(subject.scenario)) {
    how.runs = 20;
    how.steps_max = 600;
  } else if (many_states.contains(subject.scenario)) {
    how.runs = 150;
  }
  return gainsay::hunt(gainsay::find_scenario(subject.scenario), subject.options, how);
}

class EverySystem : public testing::TestWithParam<Subject> {};

TEST_P(EverySystem, GivesTheSameResultOnTwoThreads) {
  for (const char* strategy : {"random", "portfolio"}) {
    for (const bool keep_going : {false, true}) {
      HuntOptions how{.strategy = strategy, .runs = 1'500, .keep_going = keep_going};
      const HuntResult one = hunt(GetParam(), how);
      how.jobs = 2;
      expect_same(one, hunt(GetParam(), how));
    }
  }
}

TEST_P(EverySystem, GivesTheSameResultWithoutTheMemo) {
  HuntOptions how{.strategy = "random", .runs = 3'000, .keep_going = true};
  const HuntResult memoised = hunt(GetParam(), how);
  how.memo = false;
  expect_same(memoised, hunt(GetParam(), how));
}

TEST_P(EverySystem, IsSearchedTheSameWithSnapshotsAndByExecutingAgain) {
  HuntOptions how{.strategy = "dfs", .runs = 3'000, .keep_going = true};
  const HuntResult snapshots = hunt(GetParam(), how);
  how.backtracking = gainsay::Backtracking::reexecution;
  const HuntResult executed_again = hunt(GetParam(), how);
  expect_same(snapshots, executed_again);
  how.memo = false;
  expect_same(snapshots, hunt(GetParam(), how));
}

TEST_P(EverySystem, IsDeterministic) {
  const HuntResult once = hunt(GetParam(), {.strategy = "random", .runs = 200, .keep_going = true});
  const HuntResult verified =
      hunt(GetParam(), {.strategy = "random", .runs = 200, .keep_going = true, .verify_determinism = true});
  expect_same(once, verified);
}

TEST_P(EverySystem, ReplaysWhatItFinds) {
  const HuntResult result = hunt(GetParam(), {.strategy = "random", .runs = 3'000, .keep_going = true});
  if (GetParam().options[0].second == "none") {
    EXPECT_TRUE(result.violations.empty()) << "the fixed form is flagged";
    return;
  }
  if (result.violations.empty()) GTEST_SKIP() << "not found in so few random runs; its own test finds it";
  for (const gainsay::FoundViolation& found : result.violations) system_test::expect_replays(result, found);
}

INSTANTIATE_TEST_SUITE_P(Systems, EverySystem, testing::ValuesIn(subjects()), name_of);

}  // namespace
}  // namespace every_system
