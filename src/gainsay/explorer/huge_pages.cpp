#include "gainsay/explorer/huge_pages.hpp"

#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>

#include <sys/mman.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

void* take_slabs(std::size_t bytes) {
  GAINSAY_CHECK(bytes > 0 && bytes % slab_bytes == 0, "whole slabs");
  void* memory = std::aligned_alloc(slab_bytes, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  ::madvise(memory, bytes, MADV_HUGEPAGE);  // advice: nothing is lost where it is not taken
  return memory;
}

// Slabs that are cut into pieces. Empty ones are given back, but for a few.
class Pieces {
 public:
  ~Pieces() {
    for (const auto& [slab, free] : slabs_) {
      if (free == all) std::free(reinterpret_cast<void*>(slab));
    }
  }

  void* take() {
    const std::lock_guard lock(mutex_);
    if (with_room_.empty()) {
      const auto slab = reinterpret_cast<std::uintptr_t>(take_slabs(slab_bytes));
      slabs_.emplace(slab, all);
      with_room_.insert(slab);
      ++empty_;
    }
    const std::uintptr_t slab = *with_room_.begin();
    std::uint32_t& free = slabs_.at(slab);
    GAINSAY_CHECK(free != 0, "the slab has room");
    if (free == all) --empty_;
    const int piece = std::countr_zero(free);
    free &= free - 1;
    if (free == 0) with_room_.erase(slab);
    return reinterpret_cast<void*>(slab + static_cast<std::size_t>(piece) * piece_bytes);
  }

  void give(void* memory) {
    const std::lock_guard lock(mutex_);
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t slab = address & ~(slab_bytes - 1);
    const std::uint32_t piece = 1U << ((address - slab) / piece_bytes);
    std::uint32_t& free = slabs_.at(slab);
    GAINSAY_CHECK((free & piece) == 0, "the piece was taken");
    free |= piece;
    with_room_.insert(slab);
    if (free != all || ++empty_ <= most_empty) return;
    --empty_;
    with_room_.erase(slab);
    slabs_.erase(slab);
    std::free(reinterpret_cast<void*>(slab));
  }

 private:
  static constexpr std::uint32_t all = 0xffffU;
  static_assert(slab_bytes / piece_bytes == 16);
  static constexpr std::size_t most_empty = 8;

  std::mutex mutex_;
  std::map<std::uintptr_t, std::uint32_t> slabs_;  // which of its pieces are free
  std::set<std::uintptr_t> with_room_;
  std::size_t empty_ = 0;
};

Pieces& pieces() {
  static Pieces all;
  return all;
}

}  // namespace

void* take_pages(std::size_t bytes) { return bytes == piece_bytes ? pieces().take() : take_slabs(bytes); }

void give_pages(void* memory, std::size_t bytes) {
  bytes == piece_bytes ? pieces().give(memory) : std::free(memory);
}

}  // namespace gainsay
