// Memory of a search: there is much of it, it is touched once, and most of the time that takes is the system's, page by
// page. So it is asked for in slabs of 2 MiB, which the system may give as single pages. Vectors of a slab or more have
// slabs of their own; those of just a sixteenth of one share slabs; others use ordinary memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace gainsay {

inline constexpr std::size_t slab_bytes = std::size_t{2} << 20U;
inline constexpr std::size_t piece_bytes = slab_bytes / 16;

// REQUIRES: a whole number of slabs, or one piece. Throws std::bad_alloc. Safe for concurrent callers.
void* take_pages(std::size_t bytes);
void give_pages(void* memory, std::size_t bytes);

// An allocator for vectors.
template <class T> struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <class U> explicit HugePages(const HugePages<U>&) {}

  static std::size_t pages(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes == piece_bytes) return bytes;
    return bytes < slab_bytes ? 0 : (bytes + slab_bytes - 1) / slab_bytes * slab_bytes;
  }
  T* allocate(std::size_t count) {
    const std::size_t bytes = pages(count);
    return static_cast<T*>(bytes != 0 ? take_pages(bytes) : ::operator new(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) {
    const std::size_t bytes = pages(count);
    bytes != 0 ? give_pages(memory, bytes) : ::operator delete(memory);
  }
  friend bool operator==(const HugePages&, const HugePages&) { return true; }
};

}  // namespace gainsay
