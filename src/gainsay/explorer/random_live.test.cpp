// Liveness where executions end, in random small systems: warm monitors, properties of endless executions, faults that
// must be over in the end, disk faults, monitors that spawned actors tell. All searches, explore and the enumerator
// agree.
#include <map>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/explorer/random_search.test.hpp"

namespace gainsay::random_live_test {
namespace {

using random_search::Case;
using random_search::Totals;

// Worlds of all shards together.
std::uint64_t worlds_wanted() {
  if (const char* text = std::getenv("GAINSAY_RANDOM_SYSTEMS")) return std::strtoull(text, nullptr, 10);
  return random_search::long_run() ? 100'000 : 5000;
}

constexpr std::uint64_t shards = 5;

class RandomLive : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomLive, CompleteSearchesAgreeWithTheEnumerator) {
  const auto cases = [](std::uint64_t number) -> std::vector<Case> {
    const std::string first = std::to_string(number % 7);
    return {{"dfs", {}}, {"sdpor", {{"first", first}}}, {"odpor", {{"first", first}}}, {"dpor", {}}};
  };
  const std::uint64_t count = worlds_wanted() / shards / 5;
  const Totals totals =
      random_search::compare_all(random_system::draw_live, 800'000 + GetParam() * count, count, cases);
  EXPECT_GT(totals.systems, count / 20);
}

// A tenth of the worlds is timed and a fifth has queue order, which reductions do not know.
TEST_P(RandomLive, ExploreAgreesWithTheEnumerator) {
  const std::uint64_t count = worlds_wanted() / shards;
  const std::uint64_t from = 900'000 + GetParam() * count;
  std::uint64_t compared = 0;
  std::map<std::string, std::uint64_t> with;
  for (std::uint64_t number = from; number < from + count; ++number) {
    random_system::Features features = random_system::draw_live(number);
    const bool timed = number % 10 == 3;
    if (number % 5 == 4) features.order = Delivery::queue;
    if (timed) {  // every order of equal times makes more of them
      features.timer_budget = 0;
      features.outside = std::min(features.outside, 2);
    }
    SCOPED_TRACE(random_system::text(features) + (timed ? ", timed" : ""));
    const Scenario scenario = Scenario::of("random", [&](World& world) {
      random_system::fill(world, features);
      if (!timed) return;
      world.simulated_time();
      world.latency(Duration(number % 3), Duration(3));
    });
    const Enumeration all = enumerate(scenario.build({}), {.configurations_max = 1000});
    if (!all.complete()) continue;
    ++compared;
    std::set<std::string> expected;
    for (const auto& [key, violations] : all.violations) expected.insert(key);
    const auto count_if = [&](bool has, const char* what) { with[what] += has ? 1 : 0; };
    count_if(timed, "timed");
    count_if(features.order == Delivery::queue, "queue order");
    count_if(features.warmth, "warm monitors");
    count_if(features.warmth && features.spawns, "spawned subjects");
    count_if(features.obliged, "obliged faults");
    count_if(features.failing_writes + features.tears + features.losing_writes > 0, "disk faults");
    count_if(expected.contains("warmth") || expected.contains("comes back"), "a hot end");
    const ExploreResult explored = explore(scenario, {}, {.keep_going = true});
    std::set<std::string> found;
    for (const FoundViolation& each : explored.violations) found.insert(violation_key(each.violation));
    EXPECT_EQ(found, expected);
    if (expected.empty() && !timed) {
      EXPECT_EQ(explored.end_states, all.final_states.size());
    }
    if (expected.empty()) {
      EXPECT_EQ(explored.live.size(), (features.warmth ? 1U : 0U) + (features.endless_property ? 1U : 0U));
    }
    if (HasFailure()) break;
  }
  fmt::print("{} worlds compared\n", compared);
  for (const auto& [what, worlds] : with) fmt::print("  {} with {}\n", worlds, what);
  EXPECT_GT(compared, count / 10);
  for (const auto& [what, worlds] : with) EXPECT_GT(worlds, compared / 100) << what;
  EXPECT_GT(with["obliged faults"], compared / 10);
}

INSTANTIATE_TEST_SUITE_P(Shards, RandomLive, testing::Range(std::uint64_t{0}, shards));

}  // namespace
}  // namespace gainsay::random_live_test
