// StateTable: the set of fingerprints seen, with the parent and level of each, shared by all workers without locks.
//
// Open addressing over three arrays; fingerprint 0 means empty. It grows only between segments of the search, when no worker runs.
// Where a state is reached from several parents on the same level, the least parent wins, so the tree of shortest paths does not
// depend on timing. No hash map of Boost 1.81 can be shared like this; hence this one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "gainsay/base/check.hpp"

namespace gainsay {

class StateTable {
 public:
  enum class Outcome { added, known, full };

  StateTable() { allocate(1U << 14U); }

  // Safe for concurrent callers. `level` counts from 1.
  Outcome insert(std::uint64_t fingerprint, std::uint64_t parent, std::uint16_t level) {
    std::size_t at = home(fingerprint);
    for (std::size_t probes = 0; probes < most_probes; ++probes) {
      std::uint64_t found = fingerprints_[at].load(std::memory_order_relaxed);
      if (found == 0) {
        if (size_.load(std::memory_order_relaxed) >= limit_) return Outcome::full;
        if (fingerprints_[at].compare_exchange_strong(found, fingerprint, std::memory_order_relaxed)) {
          parents_[at].store(parent, std::memory_order_relaxed);
          levels_[at].store(level, std::memory_order_release);
          return Outcome::added;
        }
      }
      if (found == fingerprint) {
        lower_parent(at, parent, level);
        return Outcome::known;
      }
      at = (at + 1) & mask_;
    }
    return Outcome::full;
  }
  // Workers report what they added in batches, to keep one counter from being fought over.
  void count_added(std::uint64_t added) { size_.fetch_add(added, std::memory_order_relaxed); }

  void prefetch(std::uint64_t fingerprint) const { __builtin_prefetch(&fingerprints_[home(fingerprint)]); }

  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  std::uint64_t bytes() const { return (mask_ + 1) * slot_bytes; }
  // Makes room for `more` additions. REQUIRES: no concurrent callers.
  void reserve(std::uint64_t more);
  // What `reserve(more)` would bring `bytes()` to.
  std::uint64_t bytes_after_reserve(std::uint64_t more) const { return capacity_for(size() + more) * slot_bytes; }

  // The parent of a known state; 0 for the first.
  std::uint64_t parent_of(std::uint64_t fingerprint) const;

 private:
  static constexpr std::size_t slot_bytes = 8 + 8 + 2;
  static constexpr std::size_t most_probes = 4096;

  std::size_t home(std::uint64_t fingerprint) const { return (fingerprint * 0x9e3779b97f4a7c15ULL) >> shift_; }
  std::uint64_t capacity_for(std::uint64_t states) const;
  void allocate(std::uint64_t capacity);
  void lower_parent(std::size_t at, std::uint64_t parent, std::uint16_t level) {
    std::uint16_t its_level = levels_[at].load(std::memory_order_acquire);
    while (its_level == 0) its_level = levels_[at].load(std::memory_order_acquire);  // being added right now
    if (its_level != level || level == 0xffffU) return;  // levels past the last are not told apart
    std::uint64_t known = parents_[at].load(std::memory_order_relaxed);
    while (parent < known && !parents_[at].compare_exchange_weak(known, parent, std::memory_order_relaxed)) {
    }
  }

  struct Free {
    void operator()(void* memory) const;
  };
  template <class T>
  using Array = std::unique_ptr<T[], Free>;

  Array<std::atomic<std::uint64_t>> fingerprints_;
  Array<std::atomic<std::uint64_t>> parents_;
  Array<std::atomic<std::uint16_t>> levels_;
  std::size_t mask_ = 0;
  int shift_ = 0;
  std::uint64_t limit_ = 0;  // additions beyond this many states are refused
  std::atomic<std::uint64_t> size_{0};
};

}  // namespace gainsay
