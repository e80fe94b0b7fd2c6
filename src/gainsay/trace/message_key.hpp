// MessageKey: what a message is about, as the scenario says (World::key). Under keyed dependence two deliveries at
// one actor are independent where their keys do not meet.
#pragma once

#include <cstdint>

namespace gainsay {

struct MessageKey {
  enum class Kind : std::uint8_t {
    unlisted,  // the scenario says nothing of this type
    key,
    any,   // depends on every key
    none,  // depends on nothing
  };
  Kind kind = Kind::unlisted;
  std::uint64_t key = 0;

  friend bool operator==(const MessageKey&, const MessageKey&) = default;
};

// Whether deliveries with these keys at one actor depend on each other. A message whose type has no key depends on
// all of them, or, with `unlisted_is_free`, on none.
constexpr bool keys_meet(const MessageKey& a, const MessageKey& b, bool unlisted_is_free) {
  using Kind = MessageKey::Kind;
  const auto kind = [&](const MessageKey& key) {
    if (key.kind != Kind::unlisted) return key.kind;
    return unlisted_is_free ? Kind::none : Kind::any;
  };
  if (kind(a) == Kind::none || kind(b) == Kind::none) return false;
  if (kind(a) == Kind::any || kind(b) == Kind::any) return true;
  return a.key == b.key;
}

}  // namespace gainsay
