// StateTable: the set of fingerprints seen, with the parent and level of each, shared by all workers without
// locks.
//
// Open addressing; a slot is 16 bytes, so that a look-up touches one cache line: the scrambled fingerprint
// (0: empty) and a word with 48 bits of the parent's and the level. It grows only between segments of the
// search, when no worker runs, and where it is: an entry's place is given by the high bits of its key, so in a table of
// twice the size it only moves up. Where a state is reached from several parents on the same level, the least
// parent wins, so the tree of shortest paths does not depend on timing. No hash map of Boost 1.81 can be
// shared like this; hence this one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

#include "gainsay/base/check.hpp"
#include "gainsay/base/prefetch.hpp"

namespace gainsay {

class StateTable {
 public:
  enum class Outcome { added, known, full };

  StateTable() { allocate(1U << 14U); }

  // From now on one thread inserts, which is then faster.
  void keep_to_one_thread() { alone_ = true; }
  // Safe for concurrent callers, but not after `keep_to_one_thread`. `level` counts from 1; `parent` is 0 for the
  // first state.
  Outcome insert(std::uint64_t fingerprint, std::uint64_t parent, std::uint16_t level) {
    const std::uint64_t key = scrambled(fingerprint);
    const std::uint64_t link = (scrambled(parent) & ~level_mask) | level;
    std::size_t at = key >> shift_;
    for (std::size_t probes = 0; probes < most_probes; ++probes) {
      Slot& slot = slots_[at];
      std::uint64_t found = slot.key.load(std::memory_order_relaxed);
      if (found == 0) {
        if (size_.load(std::memory_order_relaxed) >= limit_) return Outcome::full;
        if (alone_) {
          slot.key.store(key, std::memory_order_relaxed);
          slot.link.store(link, std::memory_order_relaxed);
          return Outcome::added;
        }
        if (slot.key.compare_exchange_strong(found, key, std::memory_order_relaxed)) {
          slot.link.store(link, std::memory_order_release);
          return Outcome::added;
        }
      }
      if (found == key) {
        lower_parent(slot, link);
        return Outcome::known;
      }
      at = (at + 1) & mask_;
    }
    return Outcome::full;
  }
  // Workers report what they added in batches, to keep one counter from being fought over.
  void count_added(std::uint64_t added) { size_.fetch_add(added, std::memory_order_relaxed); }

  void prefetch(std::uint64_t fingerprint) const {
    prefetch_to_write(&slots_[scrambled(fingerprint) >> shift_]);
  }

  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  std::uint64_t bytes() const { return (mask_ + 1) * sizeof(Slot); }
  // Makes room for `more` additions, with so many threads. REQUIRES: no concurrent callers.
  void reserve(std::uint64_t more, unsigned workers = 1);
  // What `reserve(more)` would bring `bytes()` to.
  std::uint64_t bytes_after_reserve(std::uint64_t more) const {
    return capacity_for(size() + more) * sizeof(Slot);
  }

  // What the table keeps of a state, for whoever writes it down.
  struct Entry {
    std::uint64_t key = 0;
    std::uint64_t link = 0;
  };
  // visit(entry) for each, in no order. REQUIRES: no concurrent callers; so for `put`.
  template <class Visit> void each(const Visit& visit) const {
    for (std::size_t at = 0; at <= mask_; ++at) {
      const std::uint64_t key = slots_[at].key.load(std::memory_order_relaxed);
      if (key != 0) visit(Entry{key, slots_[at].link.load(std::memory_order_relaxed)});
    }
  }
  // REQUIRES: there is room (`reserve`).
  void put(const Entry& entry);

  // The parent of a known state; 0 for the first.
  std::uint64_t parent_of(std::uint64_t fingerprint) const;
  // On which level a known state was found; the first is on 1.
  std::uint16_t level_of(std::uint64_t fingerprint) const;

 private:
  struct Slot {
    std::atomic<std::uint64_t> key;   // 0: empty
    std::atomic<std::uint64_t> link;  // parent's key without its low 16 bits, and the level
  };
  static constexpr std::uint64_t level_mask = 0xffffU;
  static constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ULL;
  static constexpr std::uint64_t inverse = 0xf1de83e19937733dULL;  // factor * inverse == 1
  static_assert(factor * inverse == 1);
  static constexpr std::size_t most_probes = 4096;
  static constexpr std::size_t least_shared = std::size_t{1} << 17U;  // smaller tables grow with one thread

  // A bijection: keys can be turned back.
  static std::uint64_t scrambled(std::uint64_t fingerprint) { return fingerprint * factor; }
  const Slot& slot_of(std::uint64_t fingerprint) const;
  std::uint64_t capacity_for(std::uint64_t states) const;
  void allocate(std::uint64_t capacity);
  void use(void* memory, std::uint64_t capacity);
  Entry take(std::size_t at);
  // shared: other threads do the same.
  template <bool shared> void place(const Entry& entry);
  template <bool shared> void move_up(std::size_t begin, std::size_t end, std::size_t least);
  void lower_parent(Slot& slot, std::uint64_t link) const {
    std::uint64_t known = slot.link.load(std::memory_order_acquire);
    while (known == 0) known = slot.link.load(std::memory_order_acquire);  // being added right now
    const std::uint64_t level = link & level_mask;
    if ((known & level_mask) != level || level == level_mask)
      return;  // levels past the last are not told apart
    if (alone_) {
      slot.link.store(std::min(link, known), std::memory_order_relaxed);
      return;
    }
    while (link < known && !slot.link.compare_exchange_weak(known, link, std::memory_order_relaxed)) {
    }
  }

  struct Unmap {
    Unmap() : bytes(0) {}
    explicit Unmap(std::size_t size) : bytes(size) {}
    void operator()(Slot* slots) const;
    std::size_t bytes;
  };

  std::unique_ptr<Slot[], Unmap> slots_;
  std::size_t mask_ = 0;
  int shift_ = 0;
  bool alone_ = false;
  std::uint64_t limit_ = 0;  // additions beyond this many states are refused
  std::atomic<std::uint64_t> size_{0};
};

}  // namespace gainsay
