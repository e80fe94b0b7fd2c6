#include "gainsay/base/foreign_heap.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

constexpr std::size_t grain = 16;
constexpr std::size_t guard_bytes = 16;
constexpr unsigned char guard_filling = 0xfd;
constexpr unsigned char new_filling = 0xcd;
constexpr unsigned char freed_filling = 0xdd;
constexpr std::uint32_t magic = 0x6865ab1e;
constexpr std::size_t small_max = 1024;  // up to here a class for every 16 bytes, then for every power of two
constexpr std::size_t classes = small_max / grain + 1 + 64;
constexpr std::size_t mappings_kept = 16;                        // by a thread, for its next heaps
constexpr std::size_t kept_bytes_max = std::size_t{256} << 10U;  // of the pages of each that were touched

enum class State : std::uint32_t { live = 0x11, freed = 0x22, filler = 0x33 };

constexpr std::size_t rounded(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }
// What a block of this size really has: every block of a class has the same.
constexpr std::size_t room_of(std::size_t size) {
  return size <= small_max ? std::max(rounded(size, grain), grain) : std::bit_ceil(size);
}
constexpr std::size_t class_of(std::size_t room) {
  return room <= small_max ? room / grain
                           : small_max / grain + static_cast<std::size_t>(std::countr_zero(room));
}

// All are the same where each is what the next one is.
bool is_filled(const unsigned char* from, std::size_t count, unsigned char with) {
  return count == 0 || (*from == with && std::memcmp(from, from + 1, count - 1) == 0);
}

thread_local ForeignHeap* current_heap = nullptr;

}  // namespace

struct alignas(16) ForeignHeap::Block {
  std::uint32_t magic;
  State state;
  std::size_t size;  // as asked for
  std::size_t room;
  std::uint64_t serial;
  Block* next;  // of the free ones of its class
  std::uint64_t unused;

  unsigned char* payload() { return reinterpret_cast<unsigned char*>(this + 1); }
  const unsigned char* payload() const { return reinterpret_cast<const unsigned char*>(this + 1); }
  std::size_t whole() const { return sizeof(Block) + room + guard_bytes; }
};

// Pages that anybody may use, between two that nobody may.
struct ForeignHeap::Mapping {
  unsigned char* begin = nullptr;
  std::size_t bytes = 0;
  std::size_t touched = 0;  // so many may have pages behind them

  explicit Mapping(std::size_t size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    bytes = rounded(size, page);
    void* const all =
        mmap(nullptr, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    begin = static_cast<unsigned char*>(all) + page;
    if (mprotect(begin, bytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  ~Mapping() {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    munmap(begin - page, bytes + 2 * page);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  // Executions make and drop heaps all the time; pages that were touched once are cheap to use again. What only a rare
  // heap needed goes back, else each mapping would keep the most that any heap ever had.
  static std::vector<std::unique_ptr<Mapping>>& kept() {
    thread_local std::vector<std::unique_ptr<Mapping>> mappings;
    return mappings;
  }
  static std::unique_ptr<Mapping> get(std::size_t size) {
    auto& mappings = kept();
    for (std::size_t i = mappings.size(); i-- > 0;) {
      if (mappings[i]->bytes < size) continue;
      std::unique_ptr<Mapping> found = std::move(mappings[i]);
      mappings.erase(mappings.begin() + static_cast<std::ptrdiff_t>(i));
      return found;
    }
    return std::make_unique<Mapping>(size);
  }
  static void put(std::unique_ptr<Mapping> mapping) {
    if (kept().size() >= mappings_kept) return;
    if (mapping->touched > kept_bytes_max) {
      madvise(mapping->begin + kept_bytes_max, mapping->touched - kept_bytes_max, MADV_DONTNEED);
      mapping->touched = kept_bytes_max;
    }
    kept().push_back(std::move(mapping));
  }
};

ForeignHeap::ForeignHeap(std::size_t bytes_max)
    : mapping_(Mapping::get(bytes_max)), free_(classes, nullptr) {}

ForeignHeap::~ForeignHeap() { Mapping::put(std::move(mapping_)); }

ForeignHeap::Block* ForeignHeap::fresh(std::size_t room, std::size_t alignment) {
  std::size_t skip = 0;
  if (alignment > grain) {
    const auto payload = reinterpret_cast<std::uintptr_t>(mapping_->begin + used_) + sizeof(Block);
    skip = (alignment - payload % alignment) % alignment;
    while (skip != 0 && skip < sizeof(Block) + guard_bytes) skip += alignment;
  }
  const std::size_t whole = sizeof(Block) + room + guard_bytes;
  if (whole > mapping_->bytes || used_ + skip > mapping_->bytes - whole) return nullptr;
  if (skip != 0) {  // what is skipped is a block too, so that blocks can be walked
    auto* const filler = new (mapping_->begin + used_) Block{};
    *filler = {magic, State::filler, 0, skip - sizeof(Block) - guard_bytes, 0, nullptr, 0};
    used_ += skip;
  }
  auto* const block = new (mapping_->begin + used_) Block{};
  block->room = room;
  used_ += whole;
  mapping_->touched = std::max(mapping_->touched, used_);
  return block;
}

void* ForeignHeap::allocate(std::size_t size) { return allocate_aligned(grain, size); }

void* ForeignHeap::allocate_aligned(std::size_t alignment, std::size_t size) {
  return allocate_filled(alignment, size, new_filling);
}

void* ForeignHeap::allocate_filled(std::size_t alignment, std::size_t size, unsigned char filling) {
  if (serial_++ == fails_at_) {
    fails_at_ = ~std::uint64_t{0};
    return nullptr;
  }
  if (size > mapping_->bytes) return nullptr;
  const std::size_t room = room_of(size);
  Block*& known = free_[class_of(room)];
  Block* block = known;
  if (alignment <= grain && block != nullptr) {
    known = block->next;
  } else {
    block = fresh(room, alignment);
  }
  if (block == nullptr) return nullptr;
  block->magic = magic;
  block->state = State::live;
  block->size = size;
  block->serial = serial_ - 1;
  GAINSAY_CHECK(block->room == room, "blocks of a class have the same room");
  std::memset(block->payload(), filling, size);
  std::memset(block->payload() + size, guard_filling, room - size + guard_bytes);
  ++live_blocks_;
  live_bytes_ += size;
  return block->payload();
}

void* ForeignHeap::allocate_zeroed(std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
  return allocate_filled(grain, bytes, 0);
}

void* ForeignHeap::resize(void* old, std::size_t size) {
  if (old == nullptr) return allocate(size);
  Block* const block = block_of(old, "realloc");
  if (block == nullptr) return nullptr;
  void* const grown = allocate(size);
  if (grown == nullptr) return nullptr;
  std::memcpy(grown, old, std::min(size, block->size));
  release(old);
  return grown;
}

void ForeignHeap::blame(std::string text) {
  if (!problem_) problem_ = std::move(text);
}

// The live block that begins here; null, and a problem, where there is none.
ForeignHeap::Block* ForeignHeap::block_of(void* payload, const char* what) {
  const auto* const at = static_cast<unsigned char*>(payload);
  const bool inside = at >= mapping_->begin + sizeof(Block) && at < mapping_->begin + used_;
  if (!inside || (at - mapping_->begin) % static_cast<std::ptrdiff_t>(grain) != 0) {
    blame(fmt::format("{} of a pointer that is not a block of this heap", what));
    return nullptr;
  }
  Block* const block = static_cast<Block*>(payload) - 1;
  if (block->magic != magic) {
    blame(fmt::format("{} of a pointer that is not a block of this heap, or whose header was overwritten",
                      what));
    return nullptr;
  }
  if (block->state == State::live) return block;
  blame(fmt::format("{} of a block that is already free: allocation {} ({} bytes)", what, block->serial,
                    block->size));
  return nullptr;
}

void ForeignHeap::check_guard(const Block& block) {
  if (!is_filled(block.payload() + block.size, block.room - block.size + guard_bytes, guard_filling))
    blame(fmt::format("a write past the end of allocation {} ({} bytes)", block.serial, block.size));
}

void ForeignHeap::check_filling(const Block& block) {
  if (!is_filled(block.payload(), block.size, freed_filling))
    blame(fmt::format("a write after free: into allocation {} ({} bytes)", block.serial, block.size));
  check_guard(block);
}

void ForeignHeap::release(void* payload) {
  if (payload == nullptr) return;
  Block* const block = block_of(payload, "free");
  if (block == nullptr) return;
  check_guard(*block);
  GAINSAY_CHECK(live_blocks_ > 0 && live_bytes_ >= block->size, "live blocks are counted");
  --live_blocks_;
  live_bytes_ -= block->size;
  block->state = State::freed;
  std::memset(block->payload(), freed_filling, block->size);
  quarantine_.push_back(block);
  quarantine_bytes_ += block->whole();
  while (quarantine_bytes_ > quarantine_bytes_max) leave_quarantine();
}

// The block that was freed first may be used again.
void ForeignHeap::leave_quarantine() {
  GAINSAY_CHECK(quarantine_first_ < quarantine_.size(), "what is counted is there");
  Block* const block = quarantine_[quarantine_first_++];
  quarantine_bytes_ -= block->whole();
  check_filling(*block);
  block->next = free_[class_of(block->room)];
  free_[class_of(block->room)] = block;
  if (quarantine_first_ > 1024 && quarantine_first_ * 2 > quarantine_.size()) {
    quarantine_.erase(quarantine_.begin(),
                      quarantine_.begin() + static_cast<std::ptrdiff_t>(quarantine_first_));
    quarantine_first_ = 0;
  }
}

void ForeignHeap::free_all() {
  used_ = 0;
  std::fill(free_.begin(), free_.end(), nullptr);
  quarantine_.clear();
  quarantine_first_ = 0;
  quarantine_bytes_ = 0;
  live_blocks_ = 0;
  live_bytes_ = 0;
  fails_at_ = ~std::uint64_t{0};
  problem_.reset();
}

const std::optional<std::string>& ForeignHeap::inspect() {
  for (std::size_t at = 0; at < used_ && !problem_;) {
    const auto* const block = reinterpret_cast<const Block*>(mapping_->begin + at);
    if (block->magic != magic) {
      blame("a write past the end of a block, into the header of the next one");
      break;
    }
    if (block->state == State::live) check_guard(*block);
    if (block->state == State::freed) check_filling(*block);
    at += block->whole();
  }
  return problem_;
}

std::string ForeignHeap::leaks() const {
  constexpr std::size_t named_max = 8;
  if (live_blocks_ == 0) return "";
  std::string text =
      fmt::format("{} block{}, {} bytes:", live_blocks_, live_blocks_ == 1 ? "" : "s", live_bytes_);
  std::size_t named = 0;
  for (std::size_t at = 0; at < used_ && named < named_max;) {
    const auto* const block = reinterpret_cast<const Block*>(mapping_->begin + at);
    if (block->magic != magic) break;
    if (block->state == State::live)
      text += fmt::format("{} allocation {} ({} bytes)", named++ == 0 ? "" : ",", block->serial, block->size);
    at += block->whole();
  }
  if (live_blocks_ > named) text += " ...";
  return text;
}

ForeignHeap* ForeignHeap::current() { return current_heap; }

ForeignHeap::Use::Use(ForeignHeap& heap) : former_(current_heap) { current_heap = &heap; }
ForeignHeap::Use::~Use() { current_heap = former_; }

}  // namespace gainsay
