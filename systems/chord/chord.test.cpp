#include <gmock/gmock.h>

#include "systems/system_test.hpp"

namespace chord {
namespace {

using system_test::expect_clean;

// 29 random runs of 100; missing it in 200 runs: 0.71^200 = 2e-30.
TEST(Chord, AKeyOutsideTheRingIsPassedOnForEver) {
  const auto found = system_test::find_bug("chord", {{"bug", "outside_ring"}}, 200);
  EXPECT_EQ(found.violation.property, "queries are answered");
  EXPECT_THAT(found.violation.message, testing::HasSubstr("key 17"));
}

TEST(Chord, FixedFormAnswersEveryQuery) {
  expect_clean("chord", {}, 5'000);
  expect_clean("chord", {{"nodes", "2"}, {"queries", "4"}}, 2'000);
  expect_clean("chord", {{"nodes", "5"}, {"queries", "4"}}, 2'000);
  for (const char* order : {"fifo", "mailbox"}) expect_clean("chord", {{"order", order}}, 2'000);
}

}  // namespace
}  // namespace chord
