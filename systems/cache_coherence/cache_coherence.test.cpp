#include <gmock/gmock.h>

#include "systems/system_test.hpp"

namespace cache_coherence {
namespace {

using system_test::expect_clean;
using system_test::find_bug;

constexpr std::uint64_t budget = 1'000;

TEST(CacheCoherence, SeededBugsAreFound) {
  for (const char* bug : {"early_grant", "kept_copy"}) {
    const auto found = find_bug("cache_coherence", {{"bug", bug}}, budget);
    EXPECT_EQ(found.violation.property, "coherence") << bug;
    EXPECT_THAT(found.violation.message, testing::HasSubstr("has the line exclusively, and"));
  }
}

TEST(CacheCoherence, FixedFormIsCoherent) {
  expect_clean("cache_coherence", {}, 10 * budget);
  for (const char* order : {"fifo", "mailbox"}) expect_clean("cache_coherence", {{"order", order}}, budget);
  expect_clean("cache_coherence", {{"asks", "40"}, {"caches", "5"}}, budget);
}

// Nothing but deadlocks and incoherence can go wrong, and in no state of the small worlds either does.
TEST(CacheCoherence, FixedFormIsCoherentInAllStates) {
  for (const auto& [caches, asks] : {std::pair{"2", "4"}, std::pair{"3", "3"}}) {
    const auto result =
        gainsay::explore(gainsay::find_scenario("cache_coherence"), {{"caches", caches}, {"asks", asks}}, {});
    EXPECT_TRUE(result.complete) << result.incomplete_because;
    EXPECT_TRUE(result.violations.empty());
    EXPECT_GT(result.states, 1'000U);
  }
}

// An invalidation that overtakes the grant before it finds a cache that has nothing to give up.
TEST(CacheCoherence, LinksMustKeepTheirOrder) {
  const auto found = find_bug("cache_coherence", {{"order", "unordered"}}, budget);
}

// Two rows of the tables are there for the seeded bugs only.
TEST(CacheCoherence, RandomRunsGoThroughTheTables) {
  const auto result = system_test::hunt("cache_coherence", {}, {.strategy = "random", .runs = 1'000});
  EXPECT_EQ(result.coverage.size(), 2U);
  for (const gainsay::MachineCoverage& machine : result.coverage) {
    EXPECT_THAT(machine.states.never, testing::IsEmpty());
    EXPECT_THAT(machine.transitions.never,
                testing::ElementsAre(machine.machine == "Host" ? "receiving on InvalidateAck"
                                                               : "upgrading on GrantExclusive -> exclusive"));
  }
}

}  // namespace
}  // namespace cache_coherence
