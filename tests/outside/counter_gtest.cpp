// The same scenario as tests of GoogleTest.
#include <gainsay/adapter/gtest.hpp>
#include <gtest/gtest.h>

GAINSAY_TEST(counter, {.strategy = "dfs"});

TEST(Counter, LosesAnUpdateWhereItIsReadFirst) {
  const auto result = gainsay::holds("counter", {.strategy = "dfs"}, {{"bug", "lost_update"}});
  EXPECT_FALSE(result);
  EXPECT_NE(std::string(result.message()).find("an update was lost"), std::string::npos) << result.message();
}
