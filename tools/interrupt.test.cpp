#include "tools/interrupt.hpp"

#include <gtest/gtest.h>

namespace gainsay::tools {
namespace {

TEST(Interrupt, TheFirstSignalOnlyRaisesTheFlag) {
  for (const int signal : Interrupt::signals) {
    const Interrupt interrupt;
    EXPECT_FALSE(interrupt.flag()->load());
    std::raise(signal);
    EXPECT_TRUE(interrupt.flag()->load());
  }
}

TEST(Interrupt, TheSecondSignalKills) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto twice = [](int first, int second) {
    const Interrupt interrupt;
    std::raise(first);
    std::raise(second);
  };
  EXPECT_EXIT(twice(SIGINT, SIGINT), testing::KilledBySignal(SIGINT), "");
  EXPECT_EXIT(twice(SIGTERM, SIGINT), testing::KilledBySignal(SIGINT), "");
}

TEST(Interrupt, WhatWasThereBeforeComesBack) {
  struct sigaction ignoring {};
  ignoring.sa_handler = SIG_IGN;
  struct sigaction before {};
  sigaction(SIGINT, &ignoring, &before);
  { const Interrupt interrupt; }
  struct sigaction after {};
  sigaction(SIGINT, &before, &after);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
}

}  // namespace
}  // namespace gainsay::tools
