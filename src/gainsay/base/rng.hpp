// Rng: the only source of randomness. xoshiro256++ (Blackman and Vigna), seeded through splitmix64.
//
// Run i of a campaign uses Rng(seed, i): a run depends on nothing else, so it can be executed anywhere.
// `below` is unbiased (Lemire's multiply-and-reject) and does not depend on the standard library.
#pragma once

#include <cstdint>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay {

class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t x = mix(scramble(seed + 0x632be59bd9b4e019ULL), stream);
    for (std::uint64_t& word : state_) {
      x += 0x9e3779b97f4a7c15ULL;
      std::uint64_t z = x;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31);
    }
  }

  constexpr std::uint64_t next() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, n). REQUIRES: n > 0.
  [[gnu::always_inline]] constexpr std::uint64_t below(std::uint64_t n) {
    GAINSAY_CHECK(n > 0, "a choice among nothing");
    const Uint128 product = static_cast<Uint128>(next()) * n;
    if (static_cast<std::uint64_t>(product) < n) [[unlikely]]
      return unbiased(product, n);
    return static_cast<std::uint64_t>(product >> 64);
  }

  // True with probability `numerator / denominator`.
  constexpr bool chance(std::uint64_t numerator, std::uint64_t denominator) {
    return below(denominator) < numerator;
  }

  // Uniform in [0, 1), 53 bits.
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  // Draws again while the product is among those that would favour some results. Rare: about n times in 2^64.
  [[gnu::noinline]] constexpr std::uint64_t unbiased(Uint128 product, std::uint64_t n) {
    const std::uint64_t threshold = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<Uint128>(next()) * n;
    return static_cast<std::uint64_t>(product >> 64);
  }
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  std::uint64_t state_[4] = {};
};

}  // namespace gainsay
