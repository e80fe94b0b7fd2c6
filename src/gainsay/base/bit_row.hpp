// BitRow: a set of places, one bit for each. Bits behind the last one that was ever set are clear, and those behind the
// first 64 take no room until one of them is set. BitTable: many of them, all equally wide.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gainsay/base/bits.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/base/flat_row.hpp"

namespace gainsay {

class BitRow {
 public:
  bool operator[](std::size_t index) const {
    if (index < 64) [[likely]]
      return (first_ >> index & 1U) != 0;
    return (word(index / 64) >> (index % 64) & 1U) != 0;
  }
  [[gnu::always_inline]] void set(std::size_t index) {
    if (index < 64) [[likely]] {
      first_ |= bits::bit(index);
    } else {
      set_in_rest(index);
    }
  }
  [[gnu::always_inline]] void reset(std::size_t index) {
    if (index < 64) [[likely]] {
      first_ &= ~bits::bit(index);
    } else if (index / 64 < words()) {
      rest_[index / 64 - 1] &= ~bits::bit(index % 64);
    }
  }
  void set(std::size_t index, bool value) { value ? set(index) : reset(index); }
  // Sets it if `value` is true.
  [[gnu::always_inline]] void add(std::size_t index, bool value) {
    if (index < 64) [[likely]] {
      first_ |= std::uint64_t{value} << index;
    } else if (value) {
      set_in_rest(index);
    }
  }
  // Bits 64 * w and the 63 behind it.
  std::uint64_t word(std::size_t w) const {
    if (w == 0) [[likely]]
      return first_;
    return w < words() ? rest_[w - 1] : 0;
  }
  std::size_t words() const { return rest_.size() + 1; }
  void set_word(std::size_t w, std::uint64_t bits) {
    if (w == 0) {
      first_ = bits;
    } else {
      if (w >= words()) rest_.resize(w, 0);
      rest_[w - 1] = bits;
    }
  }
  // Of bits 0 to 63, those that are not in `mask` are reset, or those in it are set.
  void keep_in_first(std::uint64_t mask) { first_ &= mask; }
  void set_in_first(std::uint64_t mask) { first_ |= mask; }
  bool is_short() const { return rest_.empty(); }
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
  // Calls `visit` for every place of the set, the first one first.
  template <class Visit> void each(const Visit& visit) const {
    bits::each(first_, visit);
    for (std::size_t w = 1; w < words(); ++w)
      bits::each(rest_[w - 1], [&](std::size_t index) { visit(w * 64 + index); });
  }
  // The same from the last place on, while `visit` returns true.
  template <class Visit> void each_last(const Visit& visit) const {
    for (std::size_t w = words(); w-- > 0;) {
      for (std::uint64_t left = word(w); left != 0;) {
        const auto index = static_cast<std::size_t>(63 - std::countl_zero(left));
        if (!visit(w * 64 + index)) return;
        left &= ~bits::bit(index);
      }
    }
  }

  // How many are set.
  std::size_t count() const { return count_before(words() * 64); }
  // How many before `index` are set.
  std::size_t count_before(std::size_t index) const {
    if (index < 64) [[likely]]
      return bits::count(first_ & bits::below(index));
    std::size_t count = 0;
    const std::size_t whole = std::min(index / 64, words());
    for (std::size_t w = 0; w < whole; ++w) count += bits::count(word(w));
    return count + bits::count(word(whole) & bits::below(index % 64));
  }
  // How many before `index` are set here and not there.
  std::size_t count_without_before(const BitRow& others, std::size_t index) const {
    if (index < 64) [[likely]]
      return bits::count(first_ & ~others.first_ & bits::below(index));
    std::size_t count = bits::count(word(index / 64) & ~others.word(index / 64) & bits::below(index % 64));
    for (std::size_t w = 0; w < index / 64; ++w) count += bits::count(word(w) & ~others.word(w));
    return count;
  }
  // How many are set here and not there.
  std::size_t count_without(const BitRow& others) const {
    std::size_t count = 0;
    for (std::size_t w = 0; w < words(); ++w) count += bits::count(word(w) & ~others.word(w));
    return count;
  }
  // Place number `n` of the set, counted from 0. REQUIRES: there are so many.
  std::size_t nth(std::size_t n) const {
    if (is_short()) [[likely]]
      return bits::nth(first_, n);
    return nth_of_many(n, nullptr);
  }
  // The same, counted from the last of them.
  std::size_t nth_last(std::size_t n) const;
  // Place number `n` of those that are not in the other set.
  [[gnu::always_inline]] std::size_t nth_without(const BitRow& others, std::size_t n) const {
    if (is_short()) [[likely]]
      return bits::nth(first_ & ~others.first_, n);
    return nth_of_many(n, &others);
  }
  // The set of all n for which place number n of a set is not in another one.
  void set_positions(const BitRow& places, const BitRow& others) {
    if (places.is_short()) [[likely]] {
      first_ = bits::gather(places.first_ & ~others.first_, places.first_);
      rest_.clear();
    } else {
      set_positions_of_many(places, others);
    }
  }
  // The gaps between `places` are closed: what is at the n-th of them is at n afterwards.
  void squeeze(const BitRow& places);

 private:
  void set_positions_of_many(const BitRow& places, const BitRow& others);
  template <class Bit> static std::uint64_t word_of(std::size_t begin, std::size_t end, const Bit& bit) {
    std::uint64_t word = 0;
    for (std::size_t i = end; i-- > begin;) word = word + word + (bit(i) ? 1 : 0);
    return word;
  }
  void set_in_rest(std::size_t index);
  std::size_t nth_of_many(std::size_t n, const BitRow* others) const;

  std::uint64_t first_ = 0;  // most rows are no longer
  std::vector<std::uint64_t> rest_;
};

// Rows of `words()` words each, one after the other.
class BitTable {
 public:
  std::size_t rows() const { return rows_; }
  std::size_t words() const { return words_; }
  [[gnu::always_inline]] std::uint64_t* row(std::size_t r) { return words_of_all_.data() + r * words_; }
  [[gnu::always_inline]] const std::uint64_t* row(std::size_t r) const {
    return words_of_all_.data() + r * words_;
  }
  std::uint64_t word(std::size_t r, std::size_t w) const { return row(r)[w]; }
  bool has(std::size_t r, std::size_t place) const { return (row(r)[place / 64] >> (place % 64) & 1U) != 0; }
  // REQUIRES: the table has such a row, and room for such a place.
  [[gnu::always_inline]] void set(std::size_t r, std::size_t place) {
    row(r)[place / 64] |= bits::bit(place % 64);
  }
  [[gnu::always_inline]] void reset(std::size_t r, std::size_t place) {
    row(r)[place / 64] &= ~bits::bit(place % 64);
  }
  void set(std::size_t r, std::size_t place, bool value) { value ? set(r, place) : reset(r, place); }
  // Calls `visit` for every place in the row, the first one first.
  template <class Visit> [[gnu::always_inline]] void each(std::size_t r, const Visit& visit) const {
    const std::uint64_t* const words = row(r);
    for (std::size_t w = 0; w < words_; ++w)
      bits::each(words[w], [&](std::size_t index) { visit(w * 64 + index); });
  }

  // How many places of the row are not in the other set.
  std::size_t count_without(std::size_t r, const BitRow& others) const {
    const std::uint64_t* const words = row(r);
    std::size_t count = bits::count(words[0] & ~others.word(0));
    for (std::size_t w = 1; w < words_; ++w) count += bits::count(words[w] & ~others.word(w));
    return count;
  }
  // Number `n` of them, counted from 0. REQUIRES: there are so many.
  std::size_t nth_without(std::size_t r, const BitRow& others, std::size_t n) const {
    return words_ == 1 ? bits::nth(word(r, 0) & ~others.word(0), n) : nth_of_many(r, others, n);
  }

  // Nothing but this many rows of this many words, all empty.
  void reset_all(std::size_t rows, std::size_t words) {
    rows_ = rows;
    words_ = words;
    words_of_all_.assign(rows * words, 0);
  }
  // So many rows; new ones are empty.
  void set_rows(std::size_t rows) {
    rows_ = rows;
    words_of_all_.resize(rows * words_, 0);
  }
  // An empty row at the end.
  [[gnu::always_inline]] std::uint64_t* add_row() {
    words_of_all_.add() = 0;
    for (std::size_t w = 1; w < words_; ++w) words_of_all_.add() = 0;
    return row(rows_++);
  }
  // The word of a row, and a new row that is this word. REQUIRES: rows are single words.
  [[gnu::always_inline]] std::uint64_t& only_word(std::size_t r) { return words_of_all_[r]; }
  [[gnu::always_inline]] std::uint64_t only_word(std::size_t r) const { return words_of_all_[r]; }
  [[gnu::always_inline]] void add_only_word(std::uint64_t word) {
    words_of_all_.add() = word;
    ++rows_;
  }
  // Rows of so many words; nothing is lost that is still in them.
  void set_words(std::size_t words);
  // As BitRow::squeeze, in every row.
  void squeeze(const BitRow& places);
  // And of the rows themselves, where each of them belongs to a place.
  void squeeze_rows(const BitRow& places);

 private:
  std::size_t nth_of_many(std::size_t r, const BitRow& others, std::size_t n) const;

  std::size_t rows_ = 0;
  std::size_t words_ = 1;
  FlatRow<std::uint64_t> words_of_all_;
};

}  // namespace gainsay
