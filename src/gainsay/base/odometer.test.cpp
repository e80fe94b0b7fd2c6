#include "gainsay/base/odometer.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace gainsay::odometer_test {
namespace {

struct Digit {
  std::uint32_t answer = 0;
  std::uint32_t among = 1;
};
using Sequence = std::vector<std::uint32_t>;

// All sequences; `among` says how many answers the next question has, 0: nothing is asked any more.
template <class Among> std::vector<Sequence> all(const Among& among) {
  std::vector<Sequence> sequences;
  Odometer<Digit> odometer;
  do {
    Sequence sequence;
    while (const std::uint32_t count = among(sequence)) {
      if (odometer.at_end())
        odometer.add({0, count});
      else
        odometer.read();
      sequence.push_back(odometer.digits()[sequence.size()].answer);
    }
    sequences.push_back(std::move(sequence));
  } while (odometer.advance());
  EXPECT_TRUE(odometer.empty());
  return sequences;
}

TEST(Odometer, CountsTheLastDigitFirst) {
  EXPECT_EQ(
      all([](const Sequence& s) { return s.size() < 2 ? 2 + static_cast<std::uint32_t>(s.size()) : 0; }),
      (std::vector<Sequence>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
}

TEST(Odometer, AnAnswerDecidesWhatIsAskedNext) {
  EXPECT_EQ(all([](const Sequence& s) -> std::uint32_t {
              if (s.empty()) return 3;
              return s.size() == 1 && s[0] == 1 ? 2 : 0;
            }),
            (std::vector<Sequence>{{0}, {1, 0}, {1, 1}, {2}}));
  EXPECT_EQ(all([](const Sequence&) { return 0; }), (std::vector<Sequence>{{}}));
}

TEST(Odometer, GoesOnFromAnyPlace) {
  Odometer<Digit> odometer;
  odometer.add({0, 2});
  odometer.add({0, 1});
  odometer.add({0, 3});
  ASSERT_TRUE(odometer.advance());
  EXPECT_EQ(odometer.last().answer, 1U);
  odometer.seek(2);
  EXPECT_FALSE(odometer.at_end());
  EXPECT_EQ(odometer.read().answer, 1U);
  EXPECT_TRUE(odometer.at_end());
  odometer.seek(1);
  odometer.cut();
  EXPECT_EQ(odometer.size(), 1U);
  ASSERT_TRUE(odometer.advance());
  EXPECT_FALSE(odometer.advance());
}

}  // namespace
}  // namespace gainsay::odometer_test
