#include <gmock/gmock.h>

#include "systems/system_test.hpp"

namespace fabric {
namespace {

using system_test::expect_clean;
using system_test::find_bug;

constexpr std::uint64_t budget = 3'000;

TEST(Fabric, AnIdleSecondaryIsElectedAndThenPromoted) {
  const auto found = find_bug("fabric", {{"bug", "promotion"}}, budget);
  EXPECT_THAT(found.violation.message,
              testing::AnyOf("a replica that is primary is promoted to active secondary",
                             testing::HasSubstr("replica lacks operation")));
}

// The paper's symptom, not only the loss of data that an empty primary causes as well.
TEST(Fabric, ThePromotionOfAPrimaryIsSeen) {
  const auto result = system_test::hunt("fabric", {{"bug", "promotion"}},
                                        {.strategy = "random", .runs = budget, .keep_going = true});
  bool seen = false;
  for (const auto& found : result.violations)
    seen = seen || found.violation.message == "a replica that is primary is promoted to active secondary";
  EXPECT_TRUE(seen);
}

TEST(Fabric, WhatComesBeforeTheCopyMustBeKept) {
  const auto found = find_bug("fabric", {{"bug", "dropped_replication"}}, budget);
  EXPECT_EQ(found.violation.property, "replicas agree");
}

TEST(Fabric, FixedFormKeepsWhatItAnswered) {
  expect_clean("fabric", {}, system_test::long_tests() ? 10 * budget : budget);
  expect_clean("fabric", {{"failures", "0"}}, budget / 3);
  expect_clean("fabric", {{"failures", "3"}}, budget);
  for (const char* order : {"fifo", "mailbox"}) expect_clean("fabric", {{"order", order}}, budget / 3);
}

}  // namespace
}  // namespace fabric
