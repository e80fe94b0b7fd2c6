#include "gainsay/base/foreign_heap.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::foreign_heap_test {
namespace {

using testing::HasSubstr;

TEST(ForeignHeap, GivesBlocksThatDoNotOverlapAndTakesThemBack) {
  ForeignHeap heap;
  Rng rng(1);
  std::map<unsigned char*, std::pair<std::size_t, unsigned char>> live;  // size and what was written
  for (int i = 0; i < 20'000; ++i) {
    if (live.size() < 200 && rng.chance(3, 5)) {
      const std::size_t size = rng.below(rng.chance(1, 20) ? 5'000 : 200);
      auto* const block = static_cast<unsigned char*>(heap.allocate(size));
      ASSERT_NE(block, nullptr);
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0U);
      const auto mark = static_cast<unsigned char>(rng.below(256));
      std::memset(block, mark, size);
      ASSERT_TRUE(live.emplace(block, std::pair(size, mark)).second);
    } else if (!live.empty()) {
      auto which = live.begin();
      std::advance(which, static_cast<std::ptrdiff_t>(rng.below(live.size())));
      const auto [size, mark] = which->second;
      for (std::size_t at = 0; at < size; ++at) ASSERT_EQ(which->first[at], mark);
      heap.release(which->first);
      live.erase(which);
    }
    ASSERT_EQ(heap.live_blocks(), live.size());
  }
  EXPECT_EQ(heap.inspect(), std::nullopt);
}

TEST(ForeignHeap, NoticesADoubleFree) {
  ForeignHeap heap;
  (void)heap.allocate(8);
  void* const block = heap.allocate(24);
  heap.release(block);
  EXPECT_EQ(heap.problem(), std::nullopt);
  heap.release(block);
  ASSERT_TRUE(heap.problem());
  EXPECT_EQ(*heap.problem(), "free of a block that is already free: allocation 1 (24 bytes)");
}

TEST(ForeignHeap, NoticesAPointerThatIsNoBlock) {
  ForeignHeap heap;
  auto* const block = static_cast<unsigned char*>(heap.allocate(64));
  heap.release(block + 16);
  ASSERT_TRUE(heap.problem());
  EXPECT_THAT(*heap.problem(), HasSubstr("not a block of this heap"));
  int here = 0;
  heap.free_all();
  heap.release(&here);
  EXPECT_TRUE(heap.problem());
}

TEST(ForeignHeap, NoticesAWritePastTheEndWhenTheBlockIsFreed) {
  for (const std::size_t size : {1, 15, 16, 40, 2'000}) {
    ForeignHeap heap;
    auto* const block = static_cast<unsigned char*>(heap.allocate(size));
    block[size] = 0;
    heap.release(block);
    ASSERT_TRUE(heap.problem()) << size;
    EXPECT_THAT(*heap.problem(), HasSubstr("past the end of allocation 0"));
  }
}

TEST(ForeignHeap, NoticesAWriteAfterFreeAtAnInspectionOrWhenTheBlockIsToBeUsedAgain) {
  for (const bool inspected : {true, false}) {
    ForeignHeap heap;
    auto* const block = static_cast<unsigned char*>(heap.allocate(32));
    heap.release(block);
    EXPECT_EQ(block[3], 0xdd);  // what a read after free gets
    block[3] = 1;
    if (inspected) {
      (void)heap.inspect();
    } else {
      for (int i = 0; i < 2'000; ++i) heap.release(heap.allocate(100));
    }
    ASSERT_TRUE(heap.problem());
    EXPECT_EQ(*heap.problem(), "a write after free: into allocation 0 (32 bytes)");
  }
}

TEST(ForeignHeap, FreedBlocksAreUsedAgainOnlyAfterAQuarantine) {
  ForeignHeap heap;
  void* const block = heap.allocate(48);
  heap.release(block);
  int later = 0;
  while (heap.allocate(48) != block) {
    void* const other = heap.allocate(48);
    if (other == block) break;
    heap.release(other);
    ASSERT_LT(++later, 10'000) << "it never comes back";
  }
  EXPECT_GT(later, 300);  // 64 KiB of blocks of 48 bytes, with heads and guards
}

TEST(ForeignHeap, NamesWhatIsNotFreed) {
  ForeignHeap heap;
  (void)heap.allocate(64);
  heap.release(heap.allocate(8));
  (void)heap.allocate(16);
  EXPECT_EQ(heap.leaks(), "2 blocks, 80 bytes: allocation 0 (64 bytes), allocation 2 (16 bytes)");
  heap.free_all();
  EXPECT_EQ(heap.leaks(), "");
  EXPECT_EQ(heap.live_bytes(), 0U);
}

TEST(ForeignHeap, IsTheSameAgainAfterACrash) {
  ForeignHeap heap;
  void* const first = heap.allocate(100);
  for (int i = 0; i < 100; ++i) (void)heap.allocate(1'000);
  heap.free_all();
  EXPECT_EQ(heap.allocate(100), first);
}

TEST(ForeignHeap, ResizesZeroesAndAligns) {
  ForeignHeap heap;
  auto* const text = static_cast<char*>(heap.allocate(6));
  std::memcpy(text, "gains", 6);
  auto* const longer = static_cast<char*>(heap.resize(text, 600));
  EXPECT_STREQ(longer, "gains");
  auto* const zeroes = static_cast<unsigned char*>(heap.allocate_zeroed(5, 7));
  for (int i = 0; i < 35; ++i) EXPECT_EQ(zeroes[i], 0);
  EXPECT_EQ(heap.allocate_zeroed(~std::size_t{0}, 2), nullptr);
  for (const std::size_t alignment : {16, 64, 512, 4'096}) {
    void* const block = heap.allocate_aligned(alignment, 100);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U);
    heap.release(block);
  }
  EXPECT_EQ(heap.inspect(), std::nullopt);
}

TEST(ForeignHeap, IsFullInTheEndAndFailsWhereItIsTold) {
  ForeignHeap heap(std::size_t{1} << 16U);
  EXPECT_EQ(heap.allocate(std::size_t{1} << 30U), nullptr);
  heap.fail_allocation(1);
  EXPECT_NE(heap.allocate(8), nullptr);
  EXPECT_EQ(heap.allocate(8), nullptr);
  EXPECT_NE(heap.allocate(8), nullptr);
  EXPECT_EQ(heap.problem(), std::nullopt);
}

std::size_t resident_pages(const void* from, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(from) / page * page;
  std::vector<unsigned char> present(bytes / page);
  if (mincore(reinterpret_cast<void*>(first), bytes, present.data()) != 0) return 0;
  return static_cast<std::size_t>(
      std::count_if(present.begin(), present.end(), [](unsigned char each) { return (each & 1U) != 0; }));
}

// Pages of a heap are kept for the next one, but not the most that any heap of a long campaign ever had.
TEST(ForeignHeap, WhatOnlyARareHeapNeededGoesBack) {
  constexpr std::size_t bytes = std::size_t{4} << 20U;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const void* block = nullptr;
  {
    ForeignHeap heap;
    block = heap.allocate(bytes);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(resident_pages(block, bytes), bytes / page);
  }
  const ForeignHeap next;  // in the same mapping
  EXPECT_GT(resident_pages(block, bytes), 0U);
  EXPECT_LE(resident_pages(block, bytes) * page, std::size_t{256} << 10U);
}

TEST(ForeignHeap, TheHeapInUseIsThatOfTheInnermostCall) {
  EXPECT_EQ(ForeignHeap::current(), nullptr);
  ForeignHeap a;
  ForeignHeap b;
  const ForeignHeap::Use outer(a);
  {
    const ForeignHeap::Use inner(b);
    EXPECT_EQ(ForeignHeap::current(), &b);
  }
  EXPECT_EQ(ForeignHeap::current(), &a);
}

}  // namespace
}  // namespace gainsay::foreign_heap_test
