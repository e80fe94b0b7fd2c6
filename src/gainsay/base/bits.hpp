// Words as sets of up to 64 numbers: how many are in one, which is the n-th, and how to close the gaps between them.
//
// Any x86-64 must do, and has none of the instructions for this; where the processor has them they are used, by name,
// because a function that is compiled for another processor is never inlined. Both ways give the same answers.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "gainsay/base/check.hpp"

namespace gainsay::bits {

constexpr std::uint64_t bit(std::size_t index) { return std::uint64_t{1} << index; }
// All before `index`, which is less than 64.
constexpr std::uint64_t below(std::size_t index) { return bit(index) - 1; }
// Calls `visit` for each number in the set, the least first.
template <class Visit> [[gnu::always_inline]] inline void each(std::uint64_t word, const Visit& visit) {
  for (; word != 0; word &= word - 1) visit(static_cast<std::size_t>(std::countr_zero(word)));
}

// --- for any processor ---
namespace portable {

inline constexpr std::uint64_t ones = 0x0101010101010101ULL;
// Byte k: how many bits are set up to its end.
constexpr std::uint64_t sums_of(std::uint64_t word) {
  std::uint64_t sums = word - (word >> 1U & 0x5555555555555555ULL);
  sums = (sums & 0x3333333333333333ULL) + (sums >> 2U & 0x3333333333333333ULL);
  return ((sums + (sums >> 4U)) & 0x0f0f0f0f0f0f0f0fULL) * ones;
}
// Where the set bit number n of a byte is, in a table: a loop would end at a moment that nobody can predict.
inline constexpr std::array<std::uint8_t, 256 * 8> nth_of_byte = [] {
  std::array<std::uint8_t, 256 * 8> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned n = 0;
    for (unsigned each = 0; each < 8; ++each) {
      if ((byte >> each & 1U) != 0) table[byte * 8 + n++] = static_cast<std::uint8_t>(each);
    }
  }
  return table;
}();

constexpr std::size_t count(std::uint64_t word) { return sums_of(word) >> 56U; }
inline std::size_t nth(std::uint64_t word, std::size_t n) {
  const std::uint64_t sums = sums_of(word);
  // Bytes at whose end no more than n are set come before the one that is looked for: their high bit falls.
  const std::uint64_t passed = ~((sums | (ones << 7U)) - (n + 1) * ones) & (ones << 7U);
  const auto shift = static_cast<std::size_t>(((passed >> 7U) * ones) >> 56U) * 8;
  GAINSAY_CHECK(shift < 64, "so many bits are set");
  n -= static_cast<std::size_t>(sums << 8U >> shift & 0xffU);
  return shift + nth_of_byte[(word >> shift & 0xffU) * 8 + n];
}
constexpr std::uint64_t gather(std::uint64_t word, std::uint64_t places) {
  std::uint64_t gathered = 0;
  for (std::size_t to = 0; places != 0; places &= places - 1, ++to)
    gathered |= (word >> std::countr_zero(places) & 1U) << to;
  return gathered;
}

}  // namespace portable

// Whether the processor has instructions for this that are fast. Before it is known, the answer is no.
#if defined(__x86_64__)
bool has_instructions();
inline const bool by_instruction = has_instructions();
#else
inline constexpr bool by_instruction = false;
#endif

// How many are in the set.
[[gnu::always_inline]] inline std::size_t count(std::uint64_t word) {
#if defined(__x86_64__)
  if (by_instruction) [[likely]] {
    std::uint64_t counted = 0;
    asm("popcnt %1, %0" : "=r"(counted) : "r"(word) : "cc");
    return counted;
  }
#endif
  return portable::count(word);
}
// Number n of the set, counted from 0. REQUIRES: there are more than n.
[[gnu::always_inline]] inline std::size_t nth(std::uint64_t word, std::size_t n) {
#if defined(__x86_64__)
  if (by_instruction) [[likely]] {
    std::uint64_t found = 0;
    asm("pdep %2, %1, %0" : "=r"(found) : "r"(bit(n)), "r"(word));
    GAINSAY_CHECK(found != 0, "so many bits are set");
    return static_cast<std::size_t>(std::countr_zero(found));
  }
#endif
  return portable::nth(word, n);
}
// The bits of `word` at these places, moved together: the gaps between the places are closed.
[[gnu::always_inline]] inline std::uint64_t gather(std::uint64_t word, std::uint64_t places) {
#if defined(__x86_64__)
  if (by_instruction) [[likely]] {
    std::uint64_t gathered = 0;
    asm("pext %2, %1, %0" : "=r"(gathered) : "r"(word), "r"(places));
    return gathered;
  }
#endif
  return portable::gather(word, places);
}

}  // namespace gainsay::bits
