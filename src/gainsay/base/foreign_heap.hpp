// ForeignHeap: a heap of its own for code that knows nothing of Gainsay, one per wrapped object.
//
// A crash of an actor frees all that its code has allocated, at once and without running any of that code
// (`free_all`). What the code does wrong with its memory is noticed at the next call that looks there: a block freed
// twice, a pointer that is no block, a write past the end (each block is followed by guard bytes), a write after free
// (freed blocks are filled and wait in a quarantine before they are used again). A read after free gets the filling.
// New blocks are filled too, so what is never written is the same in every execution. Texts of problems have serial
// numbers of allocations and no addresses: they are the same in every process.
//
// All blocks lie in one mapping between two pages that nobody may touch, so most wild writes end in a signal
// (base/foreign_call.hpp) instead of in somebody else's memory. Mappings are kept for the next heap of the thread.
// A C library has one allocator for the whole process: let its functions use `ForeignHeap::current()`, and choose the
// heap with a `Use` around each call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gainsay {

class ForeignHeap {
 public:
  static constexpr std::size_t default_bytes = std::size_t{16} << 20U;

  explicit ForeignHeap(std::size_t bytes_max = default_bytes);
  ~ForeignHeap();
  ForeignHeap(const ForeignHeap&) = delete;
  ForeignHeap& operator=(const ForeignHeap&) = delete;

  // Null where the heap is full or the allocation is one that shall fail. Aligned to 16 bytes.
  void* allocate(std::size_t size);
  void* allocate_zeroed(std::size_t count, std::size_t size);
  void* allocate_aligned(std::size_t alignment, std::size_t size);
  void* resize(void* block, std::size_t size);
  // Null is allowed, as for free().
  void release(void* block);
  // Everything is gone; nothing is checked.
  void free_all();
  // From the n-th allocation after this one on, one allocation fails (n = 0: the next one).
  void fail_allocation(std::uint64_t after) { fails_at_ = serial_ + after; }

  // What went wrong first, if anything; it stays until `free_all`.
  const std::optional<std::string>& problem() const { return problem_; }
  // Looks at every block there is or was. Gives what `problem` gives then.
  const std::optional<std::string>& inspect();
  // Blocks that are still allocated: "2 blocks, 80 bytes: allocation 5 (64 bytes), allocation 9 (16 bytes)"; "": none.
  std::string leaks() const;

  std::size_t live_blocks() const { return live_blocks_; }
  std::size_t live_bytes() const { return live_bytes_; }
  std::uint64_t allocations() const { return serial_; }

  // The heap of the foreign call that this thread is in; null: of none.
  static ForeignHeap* current();
  class Use {
   public:
    explicit Use(ForeignHeap& heap);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    ForeignHeap* former_;
  };

 private:
  struct Block;
  struct Mapping;

  void* allocate_filled(std::size_t alignment, std::size_t size, unsigned char filling);
  Block* fresh(std::size_t room, std::size_t alignment);
  Block* block_of(void* payload, const char* what);
  void blame(std::string text);
  void check_guard(const Block& block);
  void check_filling(const Block& block);
  void leave_quarantine();

  static constexpr std::size_t quarantine_bytes_max = std::size_t{64} << 10U;

  std::unique_ptr<Mapping> mapping_;
  std::size_t used_ = 0;            // bytes of the mapping that blocks have taken
  std::vector<Block*> free_;        // by class of size: blocks that may be used again
  std::vector<Block*> quarantine_;  // a ring of freed blocks, the oldest first
  std::size_t quarantine_first_ = 0;
  std::size_t quarantine_bytes_ = 0;
  std::size_t live_blocks_ = 0;
  std::size_t live_bytes_ = 0;
  std::uint64_t serial_ = 0;
  std::uint64_t fails_at_ = ~std::uint64_t{0};
  std::optional<std::string> problem_;
};

}  // namespace gainsay
