// BitRow: one bit for each entry of a row that grows at its end and loses entries anywhere. Bits behind the last one
// that was ever set are clear, and those behind the first 64 take no room until one of them is set.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gainsay/base/check.hpp"

namespace gainsay {

class BitRow {
 public:
  bool operator[](std::size_t index) const {
    if (index < 64) [[likely]]
      return (first_ >> index & 1U) != 0;
    return index / 64 <= rest_.size() && (rest_[index / 64 - 1] >> (index % 64) & 1U) != 0;
  }
  void set(std::size_t index, bool value) {
    if (index < 64) [[likely]] {
      put(first_, index, value);
    } else {
      if (index / 64 > rest_.size()) {
        if (!value) return;
        rest_.resize(index / 64, 0);
      }
      put(rest_[index / 64 - 1], index % 64, value);
    }
  }
  // The 64 bits from `first` on, which is a multiple of 64.
  std::uint64_t block(std::size_t first) const {
    if (first == 0) return first_;
    return first / 64 <= rest_.size() ? rest_[first / 64 - 1] : 0;
  }
  // The bit at `index` leaves; those behind it move up.
  void erase(std::size_t index) {
    if (index < 64) [[likely]] {
      take(first_, index);
      if (rest_.empty()) [[likely]]
        return;
      first_ |= rest_[0] << 63U;
      rest_[0] >>= 1U;
      index = 64;
    } else {
      if (index / 64 > rest_.size()) return;
      take(rest_[index / 64 - 1], index % 64);
    }
    for (std::size_t k = index / 64; k < rest_.size(); ++k) {
      rest_[k - 1] |= rest_[k] << 63U;
      rest_[k] >>= 1U;
    }
  }
  void clear() {
    first_ = 0;
    rest_.clear();
  }
  // `count` bits, each of them what `bit` says of its index.
  template <class Bit> void fill(std::size_t count, const Bit& bit) {
    rest_.resize(count <= 64 ? 0 : (count - 1) / 64);
    first_ = word_of(0, std::min<std::size_t>(count, 64), bit);
    for (std::size_t k = 0; k < rest_.size(); ++k)
      rest_[k] = word_of((k + 1) * 64, std::min(count, (k + 2) * 64), bit);
  }

  // How many are set.
  std::size_t count() const { return count_before((rest_.size() + 1) * 64); }
  // How many before `index` are set.
  std::size_t count_before(std::size_t index) const {
    std::size_t count = 0;
    const std::size_t whole = std::min(index / 64, rest_.size() + 1);
    for (std::size_t k = 0; k < whole; ++k) count += ones_of(block(k * 64));
    if (whole <= rest_.size() && index % 64 != 0) count += ones_of(block(whole * 64) << (64 - index % 64));
    return count;
  }
  // Where the clear bit number `n` is, counted from 0.
  std::size_t nth_clear(std::size_t n) const {
    const auto clear = ones_of(~first_);
    if (n < clear) [[likely]]
      return nth_set(~first_, n);
    return nth_clear_of_rest(n - clear);
  }

 private:
  static void put(std::uint64_t& word, std::size_t index, bool value) {
    word = (word & ~(std::uint64_t{1} << index)) | static_cast<std::uint64_t>(value ? 1 : 0) << index;
  }
  static void take(std::uint64_t& word, std::size_t index) {
    const std::uint64_t before = (std::uint64_t{1} << index) - 1;
    word = (word & before) | (word >> 1U & ~before);
  }
  template <class Bit> static std::uint64_t word_of(std::size_t begin, std::size_t end, const Bit& bit) {
    std::uint64_t word = 0;
    for (std::size_t i = end; i-- > begin;) word = word + word + (bit(i) ? 1 : 0);
    return word;
  }
  [[gnu::noinline]] std::size_t nth_clear_of_rest(std::size_t n) const {
    std::size_t first = 64;
    for (const std::uint64_t word : rest_) {
      const auto clear = ones_of(~word);
      if (n < clear) return first + nth_set(~word, n);
      n -= clear;
      first += 64;
    }
    return first + n;
  }
  static constexpr std::uint64_t ones = 0x0101010101010101ULL;
  // Byte k: how many bits are set up to its end.
  static std::uint64_t sums_of(std::uint64_t word) {
    std::uint64_t sums = word - (word >> 1U & 0x5555555555555555ULL);
    sums = (sums & 0x3333333333333333ULL) + (sums >> 2U & 0x3333333333333333ULL);
    return ((sums + (sums >> 4U)) & 0x0f0f0f0f0f0f0f0fULL) * ones;
  }
  // std::popcount calls a function where the processor is any x86-64.
  static std::size_t ones_of(std::uint64_t word) { return sums_of(word) >> 56U; }
  // Where the set bit number `n` of a word is. REQUIRES: there are more than `n`.
  static std::size_t nth_set(std::uint64_t word, std::size_t n) {
    const std::uint64_t sums = sums_of(word);
    // Bytes at whose end no more than n are set come before the one that is looked for: their high bit falls.
    const std::uint64_t passed = ~((sums | (ones << 7U)) - (n + 1) * ones) & (ones << 7U);
    const auto shift = static_cast<std::size_t>(((passed >> 7U) * ones) >> 56U) * 8;
    GAINSAY_CHECK(shift < 64, "so many bits are set");
    n -= static_cast<std::size_t>(sums << 8U >> shift & 0xffU);
    return shift + nth_set_of_byte[(word >> shift & 0xffU) * 8 + n];
  }
  // The same for bytes, in a table: a loop would end at a moment that nobody can predict.
  static constexpr std::array<std::uint8_t, 256 * 8> nth_set_of_byte = [] {
    std::array<std::uint8_t, 256 * 8> table{};
    for (unsigned byte = 0; byte < 256; ++byte) {
      unsigned n = 0;
      for (unsigned bit = 0; bit < 8; ++bit) {
        if ((byte >> bit & 1U) != 0) table[byte * 8 + n++] = static_cast<std::uint8_t>(bit);
      }
    }
    return table;
  }();

  std::uint64_t first_ = 0;  // most rows are no longer
  std::vector<std::uint64_t> rest_;
};

}  // namespace gainsay
