// StablePool: append-only storage whose elements never move, addressed by 32-bit ids.
//
// Chunks are reached through a directory of fixed size, so a reader that got an id from its writer (through a
// mutex or a barrier) needs no lock: nothing it touches is written again.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include "gainsay/base/check.hpp"

namespace gainsay {

template <class T> class StablePool {
 public:
  // The directory comes from calloc: its pages are zero and cost nothing until they are used.
  StablePool() : chunks_(static_cast<T**>(std::calloc(most_chunks, sizeof(T*)))) {
    if (chunks_ == nullptr) throw std::bad_alloc();
  }
  ~StablePool() {
    clear();
    std::free(chunks_);
  }
  StablePool(const StablePool&) = delete;
  StablePool& operator=(const StablePool&) = delete;

  std::uint32_t push(T value) {
    const std::uint32_t id = size_;
    GAINSAY_CHECK((id >> chunk_bits) < most_chunks, "pool is full");
    T*& chunk = chunks_[id >> chunk_bits];
    if (chunk == nullptr) chunk = new T[std::size_t{1} << chunk_bits];
    chunk[id & chunk_mask] = std::move(value);
    ++size_;
    return id;
  }
  const T& operator[](std::uint32_t id) const { return chunks_[id >> chunk_bits][id & chunk_mask]; }
  T& operator[](std::uint32_t id) { return chunks_[id >> chunk_bits][id & chunk_mask]; }
  std::uint32_t size() const { return size_; }
  void clear() {
    for (std::uint32_t chunk = 0; (chunk << chunk_bits) < size_; ++chunk)
      delete[] std::exchange(chunks_[chunk], nullptr);
    size_ = 0;
  }

 private:
  static constexpr std::uint32_t chunk_bits = 8;
  static constexpr std::uint32_t chunk_mask = (1U << chunk_bits) - 1;
  static constexpr std::uint32_t most_chunks = 1U << 20;

  T** chunks_;
  std::uint32_t size_ = 0;
};

}  // namespace gainsay
