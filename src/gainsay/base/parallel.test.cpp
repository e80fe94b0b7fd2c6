#include "gainsay/base/parallel.hpp"

#include <atomic>
#include <stdexcept>

#include <gtest/gtest.h>

namespace gainsay::parallel_test {
namespace {

TEST(RunTogether, EachWorkerWorksOnce) {
  for (const unsigned count : {1U, 2U, 5U}) {
    std::vector<std::atomic<int>> worked(count);
    run_together(count, [&](unsigned worker) { ++worked[worker]; });
    for (const std::atomic<int>& times : worked) EXPECT_EQ(times, 1);
  }
}

TEST(RunTogether, WhatAWorkerThrowsIsThrownAfterAllHaveEnded) {
  std::atomic<int> ended{0};
  EXPECT_THROW(run_together(3,
                            [&](unsigned worker) {
                              if (worker == 1) throw std::runtime_error("one of three");
                              ++ended;
                            }),
               std::runtime_error);
  EXPECT_EQ(ended, 2);
}

}  // namespace
}  // namespace gainsay::parallel_test
