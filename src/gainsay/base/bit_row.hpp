// BitRow: one bit for each entry of a row that grows at its end and loses entries anywhere. Bits behind the last one
// that was ever set are clear and take no room, so that a row in which nothing is set is empty.
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
    return index / 64 < words_.size() && (words_[index / 64] >> (index % 64) & 1U) != 0;
  }
  void set(std::size_t index, bool value) {
    if (index / 64 >= words_.size()) [[unlikely]] {
      if (!value) return;
      reach(index);
    }
    std::uint64_t& word = words_[index / 64];
    word = (word & ~(std::uint64_t{1} << (index % 64))) | static_cast<std::uint64_t>(value ? 1 : 0)
                                                              << (index % 64);
  }
  // The 64 bits from `first` on, which is a multiple of 64.
  std::uint64_t block(std::size_t first) const { return first / 64 < words_.size() ? words_[first / 64] : 0; }
  // The bit at `index` leaves; those behind it move up.
  void erase(std::size_t index) {
    if (index / 64 >= words_.size()) return;
    std::uint64_t& word = words_[index / 64];
    const std::uint64_t before = (std::uint64_t{1} << (index % 64)) - 1;
    word = (word & before) | (word >> 1U & ~before);
    for (std::size_t k = index / 64 + 1; k < words_.size(); ++k) {
      words_[k - 1] |= words_[k] << 63U;
      words_[k] >>= 1U;
    }
  }
  void clear() { words_.clear(); }
  // `count` bits, each of them what `bit` says of its index.
  template <class Bit> void fill(std::size_t count, const Bit& bit) {
    words_.resize((count + 63) / 64);
    for (std::size_t first = 0; first < count; first += 64) {
      std::uint64_t word = 0;
      for (std::size_t i = std::min(count, first + 64); i-- > first;) word = word + word + (bit(i) ? 1 : 0);
      words_[first / 64] = word;
    }
  }

  // How many are set.
  std::size_t count() const { return count_before(words_.size() * 64); }
  // How many before `index` are set.
  std::size_t count_before(std::size_t index) const {
    std::size_t count = 0;
    const std::size_t whole = std::min(index / 64, words_.size());
    for (std::size_t k = 0; k < whole; ++k) count += ones_of(words_[k]);
    if (whole < words_.size() && index % 64 != 0) count += ones_of(words_[whole] << (64 - index % 64));
    return count;
  }
  // Where the clear bit number `n` is, counted from 0.
  std::size_t nth_clear(std::size_t n) const {
    for (std::size_t k = 0; k < words_.size(); ++k) {
      const auto clear = ones_of(~words_[k]);
      if (n < clear) return k * 64 + nth_set(~words_[k], n);
      n -= clear;
    }
    return words_.size() * 64 + n;
  }

 private:
  [[gnu::noinline]] void reach(std::size_t index) { words_.resize(index / 64 + 1, 0); }
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

  std::vector<std::uint64_t> words_;
};

}  // namespace gainsay
