#include "gainsay/adapter/gtest.hpp"

#include <gtest/gtest-spi.h>

#include "gainsay/gainsay.hpp"

namespace adapter_example {

struct Put {
  int value = 0;
};
struct Cell {
  using Receives = gainsay::Messages<Put>;
  int last = 0;
  void on(const Put& put, gainsay::Context& ctx) {
    ctx.check(put.value > last, "values must grow");
    last = put.value;
  }
};
struct Options {
  bool ordered = true;
};

GAINSAY_SCENARIO(adapter_growing, "two values that must arrive in order", Options) {
  const auto cell = world.spawn<Cell>("cell");
  if (options.ordered) world.order(gainsay::Delivery::fifo);
  world.send(cell, Put{1});
  world.send(cell, Put{2});
}

}  // namespace adapter_example

// The macro itself: a passing scenario is a passing test.
GAINSAY_TEST(adapter_growing, {.strategy = "dfs"});

TEST(Adapter, AViolationFailsWithThePrintedTrace) {
  const auto result = gainsay::holds("adapter_growing", {.strategy = "dfs"}, {{"ordered", "false"}});
  ASSERT_FALSE(result);
  const std::string text = result.message();
  EXPECT_NE(text.find("values must grow"), std::string::npos) << text;
  EXPECT_NE(text.find("Put{value: 2}"), std::string::npos) << text;
  EXPECT_NE(text.find("cell"), std::string::npos) << text;
}

TEST(Adapter, AnUndecidedSearchFails) {
  // One of two executions is not a proof.
  const auto result = gainsay::holds("adapter_growing", {.strategy = "dfs", .runs = 0});
  ASSERT_FALSE(result);
  EXPECT_NE(std::string(result.message()).find("undecided"), std::string::npos);
}

TEST(Adapter, AMisspelledScenarioNamesTheNearest) {
  const auto result = gainsay::holds("adapter_growin");
  ASSERT_FALSE(result);
  EXPECT_NE(std::string(result.message()).find("did you mean 'adapter_growing'"), std::string::npos);
}

TEST(Adapter, AFailingExpectationIsReportedByGoogleTest) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_TRUE(gainsay::holds("adapter_growing", {.strategy = "dfs"}, {{"ordered", "false"}})),
      "values must grow");
}
