// StablePool: append-only storage whose elements never move, addressed by 32-bit ids.
//
// The first chunk holds 2^15 elements, and chunk k so many << k: most ids that are asked for are in the first, and a
// large pool has few. Memory that no element was put into is not touched, so a small pool is small. A reader that got
// an id from its writer (through a mutex or a barrier) needs no lock: nothing it touches is written again.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

#include "gainsay/base/check.hpp"

namespace gainsay {

template <class T> class StablePool {
 public:
  StablePool() = default;
  ~StablePool() {
    clear();
    release(0);
  }
  StablePool(const StablePool&) = delete;
  StablePool& operator=(const StablePool&) = delete;

  std::uint32_t push(T value) {
    GAINSAY_CHECK(size_ < most_elements, "pool is full");
    const Place place(size_);
    if (chunks_[place.chunk] == nullptr)
      chunks_[place.chunk] = std::allocator<T>().allocate(elements_of(place.chunk));
    std::construct_at(&chunks_[place.chunk][place.offset], std::move(value));
    return size_++;
  }
  const T& operator[](std::uint32_t id) const { return *at(id); }
  T& operator[](std::uint32_t id) { return *at(id); }
  std::uint32_t size() const { return size_; }
  // The first chunk stays for what comes next.
  void clear() {
    for (std::uint32_t chunk = 0; size_ > 0; ++chunk) {
      const std::uint32_t held = std::min(size_, elements_of(chunk));
      std::destroy_n(chunks_[chunk], held);
      size_ -= held;
      if (chunk > 0) release(chunk);
    }
  }

 private:
  static constexpr std::uint32_t first_bits = 15;
  static constexpr std::uint32_t chunk_count = 16;
  static constexpr std::uint32_t most_elements = 1U << 30U;

  struct Place {
    explicit Place(std::uint32_t id)
        : chunk(static_cast<std::uint32_t>(std::bit_width((id >> first_bits) + 1U)) - 1U),
          offset(id + (1U << first_bits) - (1U << (first_bits + chunk))) {}
    std::uint32_t chunk;
    std::uint32_t offset;
  };

  static constexpr std::uint32_t elements_of(std::uint32_t chunk) { return 1U << (first_bits + chunk); }
  T* at(std::uint32_t id) const {
    if (id < elements_of(0)) [[likely]]
      return chunks_[0] + id;
    const Place place(id);
    return chunks_[place.chunk] + place.offset;
  }
  void release(std::uint32_t chunk) {
    if (chunks_[chunk] != nullptr)
      std::allocator<T>().deallocate(std::exchange(chunks_[chunk], nullptr), elements_of(chunk));
  }

  T* chunks_[chunk_count] = {};
  std::uint32_t size_ = 0;
};

}  // namespace gainsay
