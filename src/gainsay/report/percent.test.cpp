#include "gainsay/report/percent.hpp"

#include <gtest/gtest.h>

namespace gainsay {
namespace {

TEST(Percent, LessThanAllIsNeverAHundred) {
  EXPECT_EQ(percent_text(1), "100 %");
  EXPECT_EQ(percent_text(9'999'999.0 / 10'000'000), "over 99.99 %");
  EXPECT_EQ(percent_text(0.9996, 3), "over 99.9 %");
  EXPECT_EQ(percent_text(0.9999), "99.99 %");
  EXPECT_EQ(percent_text(0.9999996, 3, 9), "99.99996 %");
  EXPECT_EQ(percent_text(1 - 1e-15, 3, 9), "over 99.9999999 %");
  EXPECT_EQ(percent_text(0.5), "50 %");
  EXPECT_EQ(percent_text(0.03125), "3.125 %");
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(0.001), "0.1 %");
}

}  // namespace
}  // namespace gainsay
