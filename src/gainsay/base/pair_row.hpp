// PairRow: two bytes for each entry of a row that grows at its end and loses entries anywhere. Which of 64 entries have
// a given first byte, or a given pair, is one word of bits, found many entries at a time and without a branch for each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "gainsay/base/check.hpp"

namespace gainsay {

class PairRow {
 public:
  // One number, not two fields: those would go through memory, one after the other.
  using Pair = std::uint16_t;
  static constexpr Pair pair(std::uint8_t first, std::uint8_t second) {
    return static_cast<Pair>(first | second << 8U);
  }
  static constexpr std::uint8_t first_of(Pair pair) { return static_cast<std::uint8_t>(pair); }
  static constexpr std::uint8_t second_of(Pair pair) { return static_cast<std::uint8_t>(pair >> 8U); }

  std::size_t size() const { return size_; }
  Pair operator[](std::size_t index) const { return pairs_[index]; }
  void set(std::size_t index, Pair pair) {
    GAINSAY_CHECK(index < size_, "an entry of the row");
    pairs_[index] = pair;
  }
  void push_back(Pair pair) {
    if (size_ == pairs_.size()) [[unlikely]]
      pairs_.resize(size_ + block);
    pairs_[size_++] = pair;
  }
  // The entry leaves; those behind it move up.
  void erase(std::size_t index) {
    GAINSAY_CHECK(index < size_, "an entry of the row");
    --size_;
    std::memmove(pairs_.data() + index, pairs_.data() + index + 1, (size_ - index) * sizeof(Pair));
  }
  void clear() { size_ = 0; }

  // Which of the 64 entries from `first` on, but before `end`, have this first byte, or are this pair: bit k is entry
  // first + k. REQUIRES: `first` is a multiple of 64, and first < end <= size.
  std::uint64_t matching_first(std::size_t first, std::size_t end, std::uint8_t wanted) const {
    return matching<false>(first, end, pair(wanted, 0));
  }
  std::uint64_t matching_both(std::size_t first, std::size_t end, Pair wanted) const {
    return matching<true>(first, end, wanted);
  }
  // The last of the first `end` entries that have this first byte, or are this pair, and that `is` says yes to; `end`:
  // none.
  template <class Is> std::size_t last_first(std::size_t end, std::uint8_t wanted, const Is& is) const {
    return last<false>(end, pair(wanted, 0), is);
  }
  template <class Is> std::size_t last_both(std::size_t end, Pair wanted, const Is& is) const {
    return last<true>(end, wanted, is);
  }

 private:
  static constexpr std::size_t block = 64;

  template <bool both>
  [[gnu::always_inline]] std::uint64_t matching(std::size_t first, std::size_t end, Pair wanted) const {
    GAINSAY_CHECK(first % block == 0 && first < end && end <= size_, "entries of a block of the row");
    const std::size_t count = end - first;
    const Pair* pairs = pairs_.data() + first;
    std::uint64_t found = matching_16<both>(pairs, wanted);
    for (std::size_t k = 16; k < block && k < count; k += 16)
      found |= matching_16<both>(pairs + k, wanted) << k;
    // Shifted by 64 - count, which is 0 for whole blocks.
    return found & (~std::uint64_t{0} >> ((0 - count) % block));
  }
  template <bool both, class Is>
  [[gnu::always_inline]] std::size_t last(std::size_t end, Pair wanted, const Is& is) const {
    for (std::size_t behind = end; behind > 0;) {
      const std::size_t first = (behind - 1) / block * block;
      for (std::uint64_t found = matching<both>(first, behind, wanted); found != 0;
           found &= ~std::bit_floor(found)) {
        const std::size_t index = first + static_cast<std::size_t>(std::bit_width(found)) - 1;
        if (is(index)) return index;
      }
      behind = first;
    }
    return end;
  }
#if defined(__SSE2__)
  template <bool both> static std::uint64_t matching_16(const Pair* pairs, Pair wanted) {
    const __m128i mask = _mm_set1_epi16(both ? -1 : 0xff);
    const __m128i pair = _mm_set1_epi32(static_cast<int>(wanted * 0x10001U));  // two, from a register
    __m128i low;
    __m128i high;
    std::memcpy(&low, pairs, 16);
    std::memcpy(&high, pairs + 8, 16);
    if constexpr (!both) {
      low = _mm_and_si128(low, mask);
      high = _mm_and_si128(high, mask);
    }
    const __m128i equal = _mm_packs_epi16(_mm_cmpeq_epi16(low, pair), _mm_cmpeq_epi16(high, pair));
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(equal)));
  }
#else
  template <bool both> static std::uint64_t matching_16(const Pair* pairs, Pair wanted) {
    std::uint64_t found = 0;
    for (std::size_t k = 0; k < 16; ++k) {
      const bool same = both ? pairs[k] == wanted : first_of(pairs[k]) == first_of(wanted);
      found |= static_cast<std::uint64_t>(same ? 1 : 0) << k;
    }
    return found;
  }
#endif

  std::vector<Pair> pairs_;  // whole blocks
  std::size_t size_ = 0;
};

}  // namespace gainsay
