#include "gainsay/base/check.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace gainsay::check_test {
namespace {

TEST(CheckDeathTest, SaysWhatFailedWhereAndWhy) {
  const int legs = 3;
  EXPECT_DEATH(GAINSAY_CHECK(legs == 4, "a horse has four"),
               "internal check failed at .*check\\.test\\.cpp:[0-9]+: legs == 4 \\(a horse has four\\)");
}

TEST(CheckDeathTest, PrintsWhatTheScopesOfThisThreadKnowOutermostFirst) {
  EXPECT_DEATH(
      {
        const CheckScope outer([] { return std::string("seed 7"); });
        const CheckScope inner([] { return std::string("step 12"); });
        GAINSAY_CHECK(false, "");
      },
      "seed 7\nstep 12\nThis is a bug in Gainsay");
}

TEST(CheckDeathTest, LeftAndForeignScopesAreSilent) {
  EXPECT_DEATH(
      {
        {
          const CheckScope left([] { return std::string("left behind"); });
        }
        std::jthread other([](const std::stop_token& stop) {
          const CheckScope foreign([] { return std::string("foreign"); });
          while (!stop.stop_requested()) std::this_thread::yield();
        });
        GAINSAY_CHECK(1 > 2, "nothing to add");
      },
      "\\(nothing to add\\)\nThis is a bug");
}

TEST(Check, EvaluatesItsConditionOnceAndNothingElseWhenItHolds) {
  int evaluated = 0;
  int described = 0;
  const auto why = [&]() -> std::string_view {
    ++described;
    return "never needed";
  };
  GAINSAY_CHECK(++evaluated == 1, why());
  EXPECT_EQ(evaluated, 1);
  EXPECT_EQ(described, 0);
}

TEST(Check, UserErrorIsAnOrdinaryException) {
  try {
    throw UserError("no such scenario");
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "no such scenario");
  }
}

}  // namespace
}  // namespace gainsay::check_test
