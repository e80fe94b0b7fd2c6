// Liveness where executions end, in random small systems: warm monitors, properties of endless executions, faults that
// must be over in the end, disk faults, monitors that spawned actors tell. All searches, explore and the enumerator
// agree.
#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/explorer/random_search.test.hpp"

namespace gainsay::random_live_test {
namespace {

using random_search::Case;
using random_search::Totals;

std::uint64_t worlds_wanted() {
  if (const char* text = std::getenv("GAINSAY_RANDOM_SYSTEMS")) return std::strtoull(text, nullptr, 10);
  return random_search::long_run() ? 100'000 : 2500;  // a minute of CPU without optimisation
}

TEST(RandomLive, CompleteSearchesAgreeWithTheEnumerator) {
  const auto cases = [](std::uint64_t number) -> std::vector<Case> {
    const std::string first = std::to_string(number % 7);
    return {{"dfs", {}}, {"sdpor", {{"first", first}}}, {"odpor", {{"first", first}}}, {"dpor", {}}};
  };
  const Totals totals =
      random_search::compare_all(random_system::draw_live, 800'000, worlds_wanted() / 5, cases);
  EXPECT_GT(totals.systems, worlds_wanted() / 100);
}

TEST(RandomLive, ExploreAgreesWithTheEnumerator) {
  std::uint64_t compared = 0;
  std::uint64_t hot = 0;
  std::uint64_t obliged = 0;
  for (std::uint64_t number = 900'000; number < 900'000 + worlds_wanted(); ++number) {
    const random_system::Features features = random_system::draw_live(number);
    SCOPED_TRACE(random_system::text(features));
    const Scenario scenario =
        Scenario::of("random", [&](World& world) { random_system::fill(world, features); });
    const Enumeration all = enumerate(scenario.build({}), {.configurations_max = 1000});
    if (!all.complete()) continue;
    ++compared;
    obliged += features.obliged ? 1 : 0;
    std::set<std::string> expected;
    for (const auto& [key, count] : all.violations) expected.insert(key);
    hot += expected.contains("warmth") || expected.contains("comes back") ? 1 : 0;
    const ExploreResult explored = explore(scenario, {}, {.keep_going = true});
    std::set<std::string> found;
    for (const FoundViolation& each : explored.violations) found.insert(violation_key(each.violation));
    EXPECT_EQ(found, expected);
    if (expected.empty()) {
      EXPECT_EQ(explored.end_states, all.final_states.size());
      EXPECT_EQ(explored.live.size(), (features.warmth ? 1U : 0U) + (features.endless_property ? 1U : 0U));
    }
    if (HasFailure()) break;
  }
  fmt::print("{} worlds compared, {} with a hot end, {} with faults that must be over\n", compared, hot,
             obliged);
  EXPECT_GT(compared, worlds_wanted() / 10);
  EXPECT_GT(obliged, compared / 10);
}

}  // namespace
}  // namespace gainsay::random_live_test
