// All engines agree: on random systems dfs and explore find the same violations, explore's counterexample is
// as long as the shortest execution of dfs, and random hunts find nothing that dfs does not.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/strategy/searches/dfs.hpp"
#include "tests/twin/table_system.hpp"

namespace twin::engines_test {
namespace {

using gainsay::Delivery;

// Every violated property with its shortest execution, by dfs; nothing if there are too many executions.
std::optional<std::map<std::string, std::size_t>> by_dfs(const gainsay::Blueprint& blueprint) {
  constexpr std::size_t too_many = 3'000;
  std::map<std::string, std::size_t> found;
  gainsay::Execution execution(blueprint, {.steps_max = 100});
  gainsay::DfsStrategy dfs;
  for (std::size_t runs = 0; const auto keep = dfs.begin({runs, 1, 100}); ++runs) {
    if (runs == too_many) return std::nullopt;
    const gainsay::RunOutcome outcome = execution.run(dfs, *keep);
    if (!outcome.violation) continue;
    const auto [known, added] = found.emplace(outcome.violation->property, outcome.steps);
    known->second = std::min(known->second, outcome.steps);
  }
  return found;
}

std::map<std::string, std::size_t> by_explore(const gainsay::Scenario& scenario, unsigned workers) {
  std::map<std::string, std::size_t> found;
  for (const auto& each :
       gainsay::explore(scenario, {}, {.workers = workers, .keep_going = true}).violations) {
    EXPECT_NE(each.violation.property, "nondeterminism") << each.violation.message;
    found[each.violation.property] = each.document.steps.size();
  }
  return found;
}

void compare(const Flavour& flavour, std::uint64_t first_seed, int wanted) {
  std::size_t violated = 0;
  std::uint64_t seed = first_seed;
  for (int done = 0; done < wanted; ++seed) {
    Table made = Maker(seed, flavour).make();
    made.order = static_cast<Delivery>(seed % 5);
    const gainsay::Scenario scenario = scenario_of(made, flavour.gates != 0);
    const auto expected = by_dfs(scenario.build());
    if (!expected) continue;
    ++done;
    violated += expected->size();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    ASSERT_EQ(by_explore(scenario, 1 + seed % 3), *expected);
    const auto random = gainsay::hunt(scenario, {}, {.runs = 100, .seed = seed, .keep_going = true});
    for (const auto& each : random.violations) ASSERT_TRUE(expected->contains(each.violation.property));
  }
  EXPECT_GT(violated, static_cast<std::size_t>(wanted / 4));
}

TEST(Engines, AgreeOnPlainSystems) { compare({.choices = 6, .failures = 10, .invariants = 1}, 100'000, 120); }

TEST(Engines, AgreeOnSystemsWithTimersAndGates) {
  compare({.choices = 8, .timers = 3, .gates = 6, .failures = 12, .halts = 12, .invariants = 1}, 200'000,
          100);
}

TEST(Engines, AgreeOnSystemsWithFaults) {
  compare({.pending_max = 3, .ttl_max = 1, .timers = 6, .failures = 12, .invariants = 1, .faults = true},
          300'000, 100);
}

TEST(Engines, AgreeOnSystemsWithMixedOrders) {
  compare({.choices = 8, .failures = 12, .invariants = 1, .mixed_orders = true}, 400'000, 100);
}

}  // namespace
}  // namespace twin::engines_test
