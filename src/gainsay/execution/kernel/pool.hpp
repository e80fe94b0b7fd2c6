// StablePool: append-only storage whose elements never move, addressed by 32-bit ids.
//
// Chunk k holds 256 << k elements, so a small pool is small and a large one has few chunks. A reader that got
// an id from its writer (through a mutex or a barrier) needs no lock: nothing it touches is written again.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "gainsay/base/check.hpp"

namespace gainsay {

template <class T> class StablePool {
 public:
  StablePool() = default;
  ~StablePool() { clear(); }
  StablePool(const StablePool&) = delete;
  StablePool& operator=(const StablePool&) = delete;

  std::uint32_t push(T value) {
    GAINSAY_CHECK(size_ < most_elements, "pool is full");
    const Place place(size_);
    if (chunks_[place.chunk] == nullptr)
      chunks_[place.chunk] = new T[std::size_t{1} << (first_bits + place.chunk)];
    chunks_[place.chunk][place.offset] = std::move(value);
    return size_++;
  }
  const T& operator[](std::uint32_t id) const {
    const Place place(id);
    return chunks_[place.chunk][place.offset];
  }
  T& operator[](std::uint32_t id) {
    const Place place(id);
    return chunks_[place.chunk][place.offset];
  }
  std::uint32_t size() const { return size_; }
  void clear() {
    for (T*& chunk : chunks_) delete[] std::exchange(chunk, nullptr);
    size_ = 0;
  }

 private:
  static constexpr std::uint32_t first_bits = 8;
  static constexpr std::uint32_t chunk_count = 23;
  static constexpr std::uint32_t most_elements = 1U << 30U;

  struct Place {
    explicit Place(std::uint32_t id)
        : chunk(static_cast<std::uint32_t>(std::bit_width((id >> first_bits) + 1U)) - 1U),
          offset(id + (1U << first_bits) - (1U << (first_bits + chunk))) {}
    std::uint32_t chunk;
    std::uint32_t offset;
  };

  T* chunks_[chunk_count] = {};
  std::uint32_t size_ = 0;
};

}  // namespace gainsay
