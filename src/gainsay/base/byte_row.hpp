// ByteRow: one byte for each entry of a row that grows at its end and loses entries anywhere. Which of 64 entries have
// a given byte is one word of bits, found many bytes at a time and without a branch for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "gainsay/base/check.hpp"

namespace gainsay {

class ByteRow {
 public:
  std::size_t size() const { return size_; }
  std::uint8_t operator[](std::size_t index) const { return bytes_[index]; }
  void set(std::size_t index, std::uint8_t byte) {
    GAINSAY_CHECK(index < size_, "an entry of the row");
    bytes_[index] = byte;
  }
  void push_back(std::uint8_t byte) {
    if (size_ == bytes_.size()) bytes_.resize(size_ + 64, 0);
    bytes_[size_++] = byte;
  }
  // The entry leaves; those behind it move up.
  void erase(std::size_t index) {
    GAINSAY_CHECK(index < size_, "an entry of the row");
    --size_;
    std::memmove(bytes_.data() + index, bytes_.data() + index + 1, size_ - index);
  }
  // So many entries; new ones are 0.
  void resize(std::size_t size) {
    bytes_.resize((size + 63) / 64 * 64);
    if (size > size_) std::memset(bytes_.data() + size_, 0, size - size_);
    size_ = size;
  }

  // Which of the 64 entries from `first` on are `wanted`: bit k is entry first + k. REQUIRES: `first` is a multiple of
  // 64 and there is such an entry.
  std::uint64_t matching(std::size_t first, std::uint8_t wanted) const {
    GAINSAY_CHECK(first % 64 == 0 && first < size_, "a block of the row");
    const std::size_t count = size_ - first;
    const std::uint8_t* bytes = bytes_.data() + first;
    std::uint64_t found = 0;
    for (std::size_t k = 0; k < 64 && k < count; k += 16) found |= matching_16(bytes + k, wanted) << k;
    return count < 64 ? found & ((std::uint64_t{1} << count) - 1) : found;
  }

 private:
#if defined(__SSE2__)
  static std::uint64_t matching_16(const std::uint8_t* bytes, std::uint8_t wanted) {
    __m128i word;
    std::memcpy(&word, bytes, 16);
    const __m128i equal = _mm_cmpeq_epi8(word, _mm_set1_epi8(static_cast<char>(wanted)));
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(equal)));
  }
#else
  static std::uint64_t matching_16(const std::uint8_t* bytes, std::uint8_t wanted) {
    std::uint64_t found = 0;
    for (std::size_t k = 0; k < 16; ++k) found |= static_cast<std::uint64_t>(bytes[k] == wanted ? 1 : 0) << k;
    return found;
  }
#endif

  std::vector<std::uint8_t> bytes_;  // whole blocks of 64
  std::size_t size_ = 0;
};

}  // namespace gainsay
