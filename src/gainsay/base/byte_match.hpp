// Which of up to 64 bytes are a given one, as bits: bit k is byte k. Eight bytes at a time, without a branch for each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gainsay/base/check.hpp"

namespace gainsay {

inline std::uint64_t matching_bytes(const std::uint8_t* bytes, std::size_t count, std::uint8_t wanted) {
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7fULL;
  GAINSAY_CHECK(count <= 64, "one bit for each byte");
  std::uint64_t found = 0;
  std::size_t k = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; k + 8 <= count; k += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + k, 8);
      word ^= wanted * ones;
      // The high bit of each byte that is zero now; then these eight bits side by side.
      const std::uint64_t zero = ~(((word & low) + low) | word | low);
      found |= (((zero >> 7U) * 0x0102040810204080ULL) >> 56U) << k;
    }
  }
  for (; k < count; ++k) found |= static_cast<std::uint64_t>(bytes[k] == wanted ? 1 : 0) << k;
  return found;
}

}  // namespace gainsay
