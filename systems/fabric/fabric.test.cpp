#include <gmock/gmock.h>

#include "systems/fabric/key_value.hpp"
#include "systems/system_test.hpp"

namespace fabric {
namespace {

using system_test::expect_clean;
using system_test::find_bug;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t budget = 3'000;

// --- the platform ---

TEST(Fabric, AnIdleSecondaryIsElectedAndThenPromoted) {
  const auto found = find_bug("fabric", {{"bug", "promotion"}}, budget);
  EXPECT_EQ(found.violation.message, "a replica that is primary is promoted to active secondary");
}

TEST(Fabric, WhatComesBeforeTheCopyMustBeKept) {
  const auto found = find_bug("fabric", {{"bug", "dropped_replication"}}, budget);
  EXPECT_EQ(found.violation.property, "replicas agree");
}

// 13 of 10,000 random runs show it: missing it in 10,000 has a probability of 2e-6.
TEST(Fabric, AReplicaThatWentAnotherWayMustBeCopiedWhole) {
  const auto found = find_bug("fabric", {{"bug", "false_progress"}}, 10'000);
  EXPECT_EQ(found.violation.property, "replicas agree");
  // Without a disk every copy is whole.
  expect_clean("fabric", {{"bug", "false_progress"}, {"persistent", "false"}}, budget);
}

TEST(Fabric, FixedFormKeepsWhatItAnswered) {
  const std::uint64_t runs = system_test::long_tests() ? 10 * budget : budget;
  expect_clean("fabric", {}, 2 * runs);
  expect_clean("fabric", {{"failures", "0"}}, budget / 3);
  expect_clean("fabric", {{"failures", "3"}}, runs);
  expect_clean("fabric", {{"failures", "3"}, {"persistent", "false"}}, runs);
  expect_clean("fabric", {{"services", "2"}, {"requests", "4"}, {"failures", "2"}}, budget / 3);
  expect_clean("fabric", {{"clients", "3"}, {"requests", "6"}}, budget / 3);
  for (const char* order : {"fifo", "mailbox"}) expect_clean("fabric", {{"order", order}}, budget / 3);
}

// --- services ---

TEST(Fabric, AKeyValueServiceMustNotAnswerEarly) {
  const auto found = find_bug("fabric", {{"bug", "early_answer"}}, budget);
  EXPECT_EQ(found.violation.property, "linearizable");
}

TEST(Fabric, AStageMustNotListenBeforeItHasItsIndex) {
  const auto found = find_bug("fabric", {{"bug", "null_index"}, {"service", "cscale"}}, budget);
  EXPECT_EQ(found.violation.property, "exception");
  EXPECT_THAT(found.violation.message, HasSubstr("bad optional access"));
}

TEST(Fabric, EveryItemGoesThroughTheGraph) {
  const std::uint64_t runs = system_test::long_tests() ? 10 * budget : budget;
  expect_clean("fabric", {{"service", "cscale"}}, runs);
  expect_clean("fabric", {{"service", "cscale"}, {"failures", "0"}}, budget / 10);
  expect_clean("fabric", {{"service", "cscale"}, {"failures", "3"}}, runs / 3);
  expect_clean("fabric", {{"service", "cscale"}, {"failures", "3"}, {"persistent", "false"}}, runs / 3);
}

TEST(KeyValueService, CopiesWhatCameAfter) {
  KeyValue from;
  from.apply(1, {{}, {.key = 1, .value = 10}});
  from.apply(2, {{}, {.key = 2, .value = 20}});
  from.apply(3, {{}, {.key = 1, .value = 11}});
  KeyValue to;
  to.apply(1, {{}, {.key = 1, .value = 10}});
  std::vector<Lsn> copied;
  for (const KeyValue::Part& part : from.copy(1)) {
    copied.push_back(part.lsn);
    to.paste(part);
  }
  EXPECT_THAT(copied, ElementsAre(2, 3));
  EXPECT_EQ(to.value(1), 11U);
  EXPECT_EQ(to.value(2), 20U);
  to.erase();
  EXPECT_EQ(to.value(1), 0U);
}

}  // namespace
}  // namespace fabric
