#include "systems/ds2_harness/harness.hpp"

#include <gmock/gmock.h>

namespace ds2 {
namespace {

std::string text(const std::string& harness, std::size_t agents) {
  std::string all;
  for (const Operation& each : operations(harness, agents))
    all += (all.empty() ? "" : " ") + std::string(each.writes ? "w" : "r") + std::to_string(each.ordinal) +
           ">" + std::to_string(each.agent + 1);
  return all;
}

// What is left out still takes its turn.
TEST(Ds2Harness, OperationsGoAroundBeforeTheyAreChosen) {
  EXPECT_EQ(text("2r+1w", 2), "w0>1 r0>2 r1>1");
  EXPECT_EQ(text("2r+2w", 2), "w0>1 r0>2 r1>1 w1>2");
  EXPECT_EQ(text("2r+2w", 3), "w0>1 r0>2 r1>3 w1>1");
  EXPECT_EQ(text("3r+1w", 2), "w0>1 r0>2 r1>1 r2>1");
  EXPECT_EQ(text("0r+3w", 2), "w0>1 w1>2 w2>1");
}

TEST(Ds2Harness, WhatIsNoHarnessIsRefused) {
  for (const char* bad : {"", "2r", "2w+1r", "r+w", "2r+1w ", "9r+1w", "-1r+1w", "0r+0w", "2r+1"}) {
    try {
      operations(bad, 2);
      ADD_FAILURE() << bad << " was accepted";
    } catch (const gainsay::UserError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("expected reads and writes, such as 2r+1w or 2r+2w"));
    }
  }
}

}  // namespace
}  // namespace ds2
