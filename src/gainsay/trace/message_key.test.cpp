#include "gainsay/trace/message_key.hpp"

#include <gtest/gtest.h>

namespace gainsay {
namespace {

using Kind = MessageKey::Kind;

TEST(MessageKey, MeetsWhatMayTouchTheSame) {
  const MessageKey one{Kind::key, 1};
  const MessageKey two{Kind::key, 2};
  const MessageKey any{Kind::any, 0};
  const MessageKey none{Kind::none, 0};
  const MessageKey unlisted{};
  const auto meet = [](const MessageKey& a, const MessageKey& b, bool unlisted_is_free) {
    EXPECT_EQ(keys_meet(a, b, unlisted_is_free), keys_meet(b, a, unlisted_is_free));
    return keys_meet(a, b, unlisted_is_free);
  };
  for (const bool free : {false, true}) {
    EXPECT_TRUE(meet(one, one, free));
    EXPECT_FALSE(meet(one, two, free));
    EXPECT_TRUE(meet(one, any, free));
    EXPECT_TRUE(meet(any, any, free));
    for (const MessageKey& each : {one, two, any, none, unlisted}) EXPECT_FALSE(meet(none, each, free));
    EXPECT_EQ(meet(one, unlisted, free), !free);
    EXPECT_EQ(meet(unlisted, unlisted, free), !free);
    EXPECT_EQ(meet(any, unlisted, free), !free);
  }
}

TEST(MessageKey, TwoReadsOfOneKeyDoNotMeet) {
  const MessageKey write{Kind::key, 1};
  const MessageKey read{Kind::key, 1, true};
  EXPECT_FALSE(keys_meet(read, read, false));
  EXPECT_TRUE(keys_meet(read, write, false));
  EXPECT_TRUE(keys_meet(read, MessageKey{Kind::any, 0}, false));
}

// What is said of a pair goes before its keys.
class SaidOfPairs final : public MessagePairs {
 public:
  std::optional<bool> dependent(std::uint32_t a, std::uint32_t b) const override {
    return a == b ? std::optional(true) : std::nullopt;
  }
};
TEST(MessageKey, WhatIsSaidOfPairsComesFirst) {
  const SaidOfPairs pairs;
  const MessageKey one{Kind::key, 1, false, &pairs, 7};
  const MessageKey two{Kind::key, 2, false, &pairs, 7};
  const MessageKey three{Kind::key, 3, false, &pairs, 8};
  EXPECT_TRUE(keys_meet(one, two, false));
  EXPECT_FALSE(keys_meet(one, three, false));
}

}  // namespace
}  // namespace gainsay
