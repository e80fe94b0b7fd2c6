// Parts: which worker expands which records of a segment.
//
// A state is mostly reached from states that were found side by side. So a worker expands the blocks that it has filled
// itself, from the first to the last: then most of what it looks up and writes is in its own cache. Who has none left
// takes the last part of another.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/explorer/frontier.hpp"

namespace gainsay {

// A run of records that one worker expands without a pause.
struct Part {
  std::size_t block = 0;
  std::size_t begin = 0;  // words
  std::size_t end = 0;
};

class Parts {
 public:
  // One worker takes whole blocks.
  Parts(const std::vector<Block>& blocks, std::size_t workers) : own_(workers), left_(workers) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      GAINSAY_CHECK(blocks[i].maker < workers, "a worker has filled the block");
      std::vector<Part>& own = own_[blocks[i].maker];
      std::size_t begin = 0;
      if (workers > 1) {
        for (const std::uint32_t end : blocks[i].cuts) {
          own.push_back({i, begin, end});
          begin = end;
        }
      }
      own.push_back({i, begin, blocks[i].words.size()});
    }
    for (std::size_t i = 0; i < workers; ++i) {
      GAINSAY_CHECK(own_[i].size() < first_one, "their number has a place");
      left_[i] = own_[i].size();
      count_ += own_[i].size();
    }
  }

  std::size_t count() const { return count_; }

  // The worker's next part; null when all are taken. Safe for concurrent callers.
  const Part* take(std::size_t worker) {
    const Part* part = take(worker, true);
    for (std::size_t i = 1; i < own_.size() && part == nullptr; ++i)
      part = take((worker + i) % own_.size(), false);
    return part;
  }

  // Those that nobody has taken, in the order of the blocks. REQUIRES: nobody takes any.
  std::vector<Part> left() const {
    std::vector<Part> all;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const std::uint64_t left = left_[i];
      for (std::uint64_t at = left / first_one; at < left % first_one; ++at) all.push_back(own_[i][at]);
    }
    std::stable_sort(all.begin(), all.end(), [](const Part& a, const Part& b) { return a.block < b.block; });
    return all;
  }

 private:
  static constexpr std::uint64_t first_one = std::uint64_t{1} << 32U;

  const Part* take(std::size_t whose, bool first) {
    std::uint64_t left = left_[whose].load(std::memory_order_relaxed);
    while (left / first_one < left % first_one) {
      const std::uint64_t after = first ? left + first_one : left - 1;
      if (left_[whose].compare_exchange_weak(left, after, std::memory_order_relaxed))
        return &own_[whose][first ? left / first_one : left % first_one - 1];
    }
    return nullptr;
  }

  std::vector<std::vector<Part>> own_;            // by worker
  std::vector<std::atomic<std::uint64_t>> left_;  // by worker: the first that is left, and where they end
  std::size_t count_ = 0;
};

}  // namespace gainsay
