// Faults of every kind in random small systems: explore, hunts and an enumerator of executions agree on end states and
// violations, and every violation replays.
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/explorer/enumerate.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/explorer/random_system.test.hpp"

namespace gainsay::random_faults_test {
namespace {

std::set<std::string> keys_of(const std::vector<FoundViolation>& violations) {
  std::set<std::string> keys;
  for (const FoundViolation& found : violations) keys.insert(violation_key(found.violation));
  return keys;
}

TEST(RandomFaults, ExploreHuntsAndTheEnumeratorAgree) {
  std::uint64_t compared = 0;
  std::uint64_t violated = 0;
  std::set<EventKind> seen;
  for (std::uint64_t number = 700'000; number < 700'300; ++number) {
    const random_system::Features features = random_system::draw_faulty(number);
    SCOPED_TRACE(random_system::text(features));
    const Scenario scenario =
        Scenario::of("random", [&](World& world) { random_system::fill(world, features); });
    const Blueprint blueprint = random_system::build(features);
    const Enumeration all = enumerate(blueprint, {.configurations_max = 20'000});
    if (!all.complete()) continue;
    ++compared;
    std::set<std::string> expected;
    for (const auto& [key, count] : all.violations) expected.insert(key);
    const ExploreResult explored = explore(scenario, {}, {.keep_going = true});
    EXPECT_EQ(keys_of(explored.violations), expected);
    if (expected.empty()) {
      EXPECT_TRUE(explored.complete);
      EXPECT_EQ(explored.end_states, all.final_states.size());
    }
    for (const FoundViolation& found : explored.violations) {
      ++violated;
      const Replay replay = replay_steps(blueprint, decisions_of(found.document, blueprint), 1000);
      EXPECT_FALSE(replay.diverged_at) << replay.divergence;
      ASSERT_TRUE(replay.outcome.violation);
      EXPECT_EQ(violation_key(*replay.outcome.violation), violation_key(found.violation));
    }
    for (const char* strategy : {"random", "pctcp", "pos"}) {
      for (const bool swarm : {false, true}) {
        HuntOptions options;
        options.strategy = strategy;
        options.runs = 64;
        options.seed = number;
        options.swarm = swarm;
        options.keep_going = true;
        options.watch = [&](const Execution& execution, const RunOutcome&) {
          for (const StepRecord& record : execution.records()) seen.insert(record.kind);
        };
        const HuntResult hunted = hunt(scenario, {}, options);
        for (const std::string& key : keys_of(hunted.violations)) EXPECT_TRUE(expected.contains(key)) << key;
      }
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(compared, 150U);
  EXPECT_GT(violated, 20U);
  for (const EventKind kind : {EventKind::isolate, EventKind::lost, EventKind::recreate,
                               EventKind::fail_write, EventKind::tear_write, EventKind::lose_write})
    EXPECT_TRUE(seen.contains(kind)) << kind_name(kind);
}

// Violations behind violations, optional timers, changed messages, crashes under causal order, properties of one and of
// several actors beside monitors: whatever judges a step, all say the same of it.
TEST(RandomFaults, ExploreAndTheEnumeratorAgreeOnWhatHides) {
  std::uint64_t compared = 0;
  std::uint64_t several = 0;
  for (std::uint64_t number = 720'000; number < 720'300; ++number) {
    random_system::Features features = random_system::draw_hidden(number);
    features.actors = 2;
    SCOPED_TRACE(random_system::text(features));
    const Scenario scenario =
        Scenario::of("random", [&](World& world) { random_system::fill(world, features); });
    const Enumeration all = enumerate(scenario.build({}), {.configurations_max = 5'000});
    if (!all.complete()) continue;
    ++compared;
    std::set<std::string> expected;
    for (const auto& [key, count] : all.violations) expected.insert(key);
    several += expected.size() > 1 ? 1 : 0;
    const ExploreResult explored = explore(scenario, {}, {.keep_going = true});
    EXPECT_EQ(keys_of(explored.violations), expected);
    if (expected.empty()) {
      EXPECT_EQ(explored.end_states, all.final_states.size());
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(compared, 100U);
  EXPECT_GT(several, 20U);
}

}  // namespace
}  // namespace gainsay::random_faults_test
