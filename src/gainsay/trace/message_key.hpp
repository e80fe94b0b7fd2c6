// MessageKey: what a message is about, as the scenario says (World::key). Under keyed dependence two deliveries at
// one actor are independent where their keys do not meet.
#pragma once

#include <cstdint>
#include <optional>

namespace gainsay {

// What a scenario says of pairs of messages (World::dependence), by the numbers that it gave them.
class MessagePairs {
 public:
  virtual ~MessagePairs() = default;
  // Nothing: it does not say.
  virtual std::optional<bool> dependent(std::uint32_t a, std::uint32_t b) const = 0;
};

struct MessageKey {
  enum class Kind : std::uint8_t {
    unlisted,  // the scenario says nothing of this type
    key,
    any,   // depends on every key
    none,  // depends on nothing
  };
  Kind kind = Kind::unlisted;
  std::uint64_t key = 0;
  bool reads = false;                   // of this key, and changes nothing (World::read_key)
  const MessagePairs* pairs = nullptr;  // what is said of pairs with this one comes first
  std::uint32_t message = 0;            // its number there

  friend bool operator==(const MessageKey&, const MessageKey&) = default;
};

// Whether deliveries with these keys at one actor depend on each other. A message whose type has no key depends on
// all of them, or, with `unlisted_is_free`, on none. Two messages that only read a key do not meet.
constexpr bool keys_meet(const MessageKey& a, const MessageKey& b, bool unlisted_is_free) {
  using Kind = MessageKey::Kind;
  if (a.pairs != nullptr && a.pairs == b.pairs) {
    if (const std::optional<bool> said = a.pairs->dependent(a.message, b.message)) return *said;
  }
  const auto kind = [&](const MessageKey& key) {
    if (key.kind != Kind::unlisted) return key.kind;
    return unlisted_is_free ? Kind::none : Kind::any;
  };
  if (kind(a) == Kind::none || kind(b) == Kind::none) return false;
  if (kind(a) == Kind::any || kind(b) == Kind::any) return true;
  return a.key == b.key && !(a.reads && b.reads);
}

}  // namespace gainsay
