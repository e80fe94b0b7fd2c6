#include "systems/system_test.hpp"

namespace fabric {
namespace {

using system_test::expect_clean;
using system_test::find_bug;

constexpr std::uint64_t budget = 3'000;

TEST(Fabric, AnIdleSecondaryIsElectedAndThenPromoted) {
  const auto found = find_bug("fabric", {{"bug", "promotion"}}, budget);
  EXPECT_EQ(found.violation.message, "a replica that is primary is promoted to active secondary");
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
