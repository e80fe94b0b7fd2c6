// NumberMap: 32-bit numbers by 64-bit keys, for who asks millions of times a second.
//
// Open addressing with linear probing in a table of a power of two that is at most half full: a look-up is one
// multiplication, and hardly ever more than two comparisons. Nothing is removed but everything at once.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"

namespace gainsay {

class NumberMap {
 public:
  NumberMap() { clear(); }

  std::size_t size() const { return size_; }
  // Null: the key has no number. Valid until the next `add`.
  const std::uint32_t* find(std::uint64_t key) const {
    for (std::size_t at = place_of(key);; at = (at + 1) & mask_) {
      if (lines_[at].key == key) return &lines_[at].number;
      if (lines_[at].key == no_key) return nullptr;
    }
  }
  // REQUIRES: the key has no number, and is not the largest there is.
  void add(std::uint64_t key, std::uint32_t number) {
    GAINSAY_CHECK(key != no_key, "that key stands for none");
    if (++size_ * 2 > mask_) grow();
    put({key, number});
  }
  void clear() {
    lines_.assign(lines_least, Line{});
    mask_ = lines_least - 1;
    shift_ = 64 - std::countr_zero(lines_least);
    size_ = 0;
  }

 private:
  static constexpr std::uint64_t no_key = ~std::uint64_t{0};
  static constexpr std::size_t lines_least = 64;
  struct Line {
    std::uint64_t key = no_key;
    std::uint32_t number = 0;
  };

  std::size_t place_of(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15ULL) >> shift_; }
  void put(const Line& line) {
    std::size_t at = place_of(line.key);
    for (; lines_[at].key != no_key; at = (at + 1) & mask_)
      GAINSAY_CHECK(lines_[at].key != line.key, "a key gets one number");
    lines_[at] = line;
  }
  void grow() {
    const std::vector<Line> old = std::exchange(lines_, std::vector<Line>(lines_.size() * 2));
    mask_ = lines_.size() - 1;
    --shift_;
    for (const Line& line : old) {
      if (line.key != no_key) put(line);
    }
  }

  std::vector<Line> lines_;
  std::size_t mask_ = 0;  // of places
  int shift_ = 0;         // of products: what is left is a place
  std::size_t size_ = 0;
};

}  // namespace gainsay
