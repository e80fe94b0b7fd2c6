// NodeTable: from a state's fingerprint to its number, filled by several workers at once.
//
// Open addressing; a fingerprint is put in by whoever comes first, without locks, and gets its number later, when no
// worker runs. It grows only then, too; until it has grown, additions are refused. Twelve bytes a place.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/model/state_graph.hpp"

namespace gainsay {

class NodeTable {
 public:
  enum class Outcome { added, known, full };

  NodeTable() { allocate(1U << 12U); }

  // Safe for concurrent callers. REQUIRES: fingerprint != 0.
  Outcome insert(std::uint64_t fingerprint) {
    for (std::size_t at = place(fingerprint), probes = 0; probes < most_probes;
         ++probes, at = (at + 1) & mask_) {
      std::uint64_t found = keys_[at].load(std::memory_order_relaxed);
      if (found == 0) {
        if (size_.load(std::memory_order_relaxed) >= limit_) return Outcome::full;
        if (keys_[at].compare_exchange_strong(found, fingerprint, std::memory_order_relaxed)) {
          size_.fetch_add(1, std::memory_order_relaxed);
          return Outcome::added;
        }
      }
      if (found == fingerprint) return Outcome::known;
    }
    return Outcome::full;
  }
  void prefetch(std::uint64_t fingerprint) const { __builtin_prefetch(&keys_[place(fingerprint)]); }

  // REQUIRES of what follows: nobody inserts.
  void set(std::uint64_t fingerprint, GraphNode node) { nodes_[find(fingerprint)] = node; }
  GraphNode operator[](std::uint64_t fingerprint) const { return nodes_[find(fingerprint)]; }
  void grow();
  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  bool roomy() const { return size() < limit_ / 2; }
  std::uint64_t bytes() const { return (mask_ + 1) * 12; }

 private:
  static constexpr std::size_t most_probes = 4096;

  std::size_t place(std::uint64_t fingerprint) const {
    return (fingerprint * 0x9e3779b97f4a7c15ULL) >> shift_;
  }
  std::size_t find(std::uint64_t fingerprint) const {
    std::size_t at = place(fingerprint);
    while (keys_[at].load(std::memory_order_relaxed) != fingerprint) {
      GAINSAY_CHECK(keys_[at].load(std::memory_order_relaxed) != 0, "what is looked up was put in");
      at = (at + 1) & mask_;
    }
    return at;
  }
  void allocate(std::uint64_t capacity);

  std::unique_ptr<std::atomic<std::uint64_t>[]> keys_;
  std::vector<GraphNode> nodes_;
  std::size_t mask_ = 0;
  int shift_ = 0;
  std::uint64_t limit_ = 0;
  std::atomic<std::uint64_t> size_{0};
};

}  // namespace gainsay
