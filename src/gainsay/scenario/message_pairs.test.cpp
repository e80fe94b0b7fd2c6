#include "gainsay/scenario/message_pairs.hpp"

#include <gtest/gtest.h>

namespace gainsay::message_pairs_test {
namespace {

struct Put {
  int key = 0;
};
struct Get {
  int key = 0;
};
struct Ping {};

TEST(StatedPairs, AnswersInBothOrdersAndRemembers) {
  StatedPairs pairs;
  int asked = 0;
  pairs.state(reflect::value_type<Put>(), reflect::value_type<Get>(), [&](const void* put, const void* get) {
    ++asked;
    return static_cast<const Put*>(put)->key == static_cast<const Get*>(get)->key;
  });
  const auto number = [&](const auto& message) {
    return pairs.number_of(reflect::value_type<std::decay_t<decltype(message)>>(), &message);
  };
  const std::uint32_t put = *number(Put{1});
  EXPECT_EQ(number(Put{1}), put);
  EXPECT_NE(number(Put{2}), put);
  EXPECT_EQ(number(Ping{}), std::nullopt);
  EXPECT_EQ(pairs.dependent(put, *number(Get{1})), true);
  EXPECT_EQ(pairs.dependent(*number(Get{1}), put), true);
  EXPECT_EQ(pairs.dependent(put, *number(Get{2})), false);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(pairs.dependent(put, *number(Get{2})), false);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(pairs.dependent(put, put), std::nullopt) << "nothing is said of two puts";
}

// One that forgets to be symmetric is taken for dependent where either order is.
TEST(StatedPairs, OfOneTypeEitherOrderCounts) {
  StatedPairs pairs;
  pairs.state(reflect::value_type<Put>(), reflect::value_type<Put>(), [](const void* a, const void* b) {
    return static_cast<const Put*>(a)->key < static_cast<const Put*>(b)->key;
  });
  const Put lesser{1}, greater{2};
  const std::uint32_t a = *pairs.number_of(reflect::value_type<Put>(), &lesser);
  const std::uint32_t b = *pairs.number_of(reflect::value_type<Put>(), &greater);
  EXPECT_EQ(pairs.dependent(a, b), true);
  EXPECT_EQ(pairs.dependent(b, a), true);
  EXPECT_EQ(pairs.dependent(a, a), false);
}

}  // namespace
}  // namespace gainsay::message_pairs_test
