// Names of things that are the same in every schedule.
//
// ActorId: actors of the scenario are numbered from 0 in the order in which they were made; an actor spawned
// by a handler is named by (creator, creator's own counter, the name it was given), folded to 63 bits with
// the top bit set, so that the id is a function of its cause and not of the schedule, and has one name.
// Ref<A> is an ActorId that remembers the type; Group<A> is a run of consecutive Refs.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "gainsay/base/hash.hpp"

namespace gainsay {

struct ActorId {
  std::uint64_t raw = 0xfffffffffffffffeULL;  // nobody

  friend constexpr auto operator<=>(const ActorId&, const ActorId&) = default;
};

inline constexpr ActorId outside{0xffffffffffffffffULL};  // the sender of messages that come from outside
inline constexpr ActorId nobody{0xfffffffffffffffeULL};   // an unset handle

constexpr bool is_spawned(ActorId id) { return (id.raw >> 63U) != 0 && id.raw < nobody.raw; }

constexpr ActorId spawned_id(ActorId creator, std::uint32_t ordinal, std::string_view label = {}) {
  const std::uint64_t cause = mix(creator.raw + 1ULL, ordinal + 1ULL);
  const std::uint64_t named = label.empty() ? cause : mix(cause, hash_text(label));
  const std::uint64_t low = scramble(named) & 0x7fffffffffffffffULL;
  // Keep clear of `outside` and `nobody`.
  return ActorId{(low >= 0x7ffffffffffffff0ULL ? low - 0x100 : low) | 0x8000000000000000ULL};
}

template <class A> struct Ref : ActorId {
  constexpr Ref() : ActorId(nobody) {}
  constexpr explicit Ref(ActorId id) : ActorId(id) {}
};

template <class A> struct Group {
  Ref<A> first;
  std::uint32_t count = 0;

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Ref<A>;
    using difference_type = std::ptrdiff_t;
    using pointer = const Ref<A>*;
    using reference = Ref<A>;
    constexpr Iterator() = default;
    constexpr explicit Iterator(std::uint64_t raw) : raw_(raw) {}
    constexpr Ref<A> operator*() const { return Ref<A>(ActorId{raw_}); }
    constexpr Iterator& operator++() {
      ++raw_;
      return *this;
    }
    constexpr Iterator operator++(int) {
      Iterator old = *this;
      ++raw_;
      return old;
    }
    friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

   private:
    std::uint64_t raw_ = 0;
  };

  constexpr Iterator begin() const { return Iterator(first.raw); }
  constexpr Iterator end() const { return Iterator(first.raw + count); }
  constexpr std::size_t size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr Ref<A> operator[](std::size_t i) const { return Ref<A>(ActorId{first.raw + i}); }
  constexpr bool contains(ActorId id) const { return id.raw - first.raw < count; }
  // The position of `id` in the group. REQUIRES: contains(id).
  constexpr std::size_t index(ActorId id) const { return id.raw - first.raw; }
};

// Identity of an event, the same in every schedule in which its cause is the same (see trace/event.hpp).
struct EventId {
  std::uint64_t raw = 0;

  friend constexpr auto operator<=>(const EventId&, const EventId&) = default;
};

}  // namespace gainsay
