// The one hash of Gainsay: 64-bit, the same on every run, build and machine of one byte order.
//
// `mix` is a multiply-fold of two words (128-bit product, halves xored). Fingerprints add up such values, so
// each must look random on its own; zero is reserved by tables and never returned by `finish`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gainsay {

__extension__ typedef unsigned __int128 Uint128;  // quiet where a user compiles with -Wpedantic

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  a ^= 0x9e3779b97f4a7c15ULL;
  b ^= 0xd1b54a32d192ed03ULL;
  const Uint128 product = static_cast<Uint128>(a) * b;
  const std::uint64_t folded =
      static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  return folded ^ (a + (b << 32 | b >> 32));
}

// A second round: for values that will be summed or compared as ids.
constexpr std::uint64_t scramble(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xe9846af9b1a615dULL;
  x ^= x >> 32;
  x *= 0xe9846af9b1a615dULL;
  x ^= x >> 28;
  return x;
}

class Hasher {
 public:
  constexpr Hasher() = default;
  constexpr explicit Hasher(std::uint64_t seed) : state_(mix(seed, start)) {}

  constexpr void add(std::uint64_t word) { state_ = mix(state_, word); }
  constexpr void add_text(std::string_view text) {
    std::uint64_t word = 0;
    std::size_t filled = 0;
    for (const char c : text) {
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(c)) << (8 * filled);
      if (++filled == 8) {
        add(word);
        word = 0;
        filled = 0;
      }
    }
    if (filled != 0) add(word);
    add(text.size());
  }
  constexpr std::uint64_t finish() const {
    const std::uint64_t result = scramble(state_);
    return result != 0 ? result : 1;
  }

 private:
  static constexpr std::uint64_t start = 0x2545f4914f6cdd1dULL;

  std::uint64_t state_ = start;
};

constexpr std::uint64_t hash_text(std::string_view text) {
  Hasher hasher;
  hasher.add_text(text);
  return hasher.finish();
}

}  // namespace gainsay
