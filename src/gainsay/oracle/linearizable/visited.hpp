// Visited: the configurations a search has been in, exactly (never by hash alone), with dominance.
//
// A configuration is a key (a state and what has been placed) and counts: how many crashed operations of each
// class have been used. One with the same key and nowhere fewer used can do nothing that the other cannot, so a
// key's entries are kept as an antichain of counts, and whatever is dominated by an entry is known. Counts are
// packed into words, one lane for each class with its top bit free, so that "nowhere more" is one subtraction
// for each word.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace gainsay::linearizable {

// How counts lie in words.
struct Lanes {
  std::uint32_t bits = 8;  // 8, 16 or 32
  std::uint32_t words = 0;

  // For `classes` counts of at most `most`.
  static Lanes for_counts(std::size_t classes, std::size_t most);
  std::uint32_t per_word() const { return 64 / bits; }
  std::uint64_t get(const std::uint64_t* counts, std::size_t lane) const {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    return counts[lane / per_word()] >> (lane % per_word() * bits) & mask;
  }
  void increment(std::uint64_t* counts, std::size_t lane) const {
    counts[lane / per_word()] += std::uint64_t{1} << (lane % per_word() * bits);
  }
  // The top bit of every lane.
  std::uint64_t tops() const {
    return bits == 8 ? 0x8080808080808080ULL : bits == 16 ? 0x8000800080008000ULL : 0x8000000080000000ULL;
  }
  bool nowhere_more(const std::uint64_t* a, const std::uint64_t* b) const {
    const std::uint64_t top = tops();
    for (std::uint32_t i = 0; i < words; ++i) {
      if ((((b[i] | top) - a[i]) & top) != top) return false;
    }
    return true;
  }
};

class Visited {
 public:
  enum class Outcome : std::uint8_t { fresh, known, full };

  // Holds at most about `bytes_max`.
  Visited(std::uint32_t key_words, Lanes lanes, std::uint64_t bytes_max);

  // Remembers the configuration unless it is dominated. `hash` is that of the key.
  Outcome insert(std::uint64_t hash, const std::uint64_t* key, const std::uint64_t* counts);
  // Whether it is an entry still: nothing that came later dominates it. REQUIRES: it was inserted.
  bool is_minimal(std::uint64_t hash, const std::uint64_t* key, const std::uint64_t* counts) const;

  std::uint64_t bytes() const { return table_.capacity() * 8 + chunks_.size() * chunk_entries * stride_ * 8; }
  std::uint64_t size() const { return entries_; }

 private:
  static constexpr std::uint32_t chunk_entries = 1U << 8U;
  static constexpr std::uint32_t none = 0xffffffffU;

  std::uint64_t* entry(std::uint32_t index) {
    return &chunks_[index / chunk_entries][std::size_t{index % chunk_entries} * stride_];
  }
  const std::uint64_t* entry(std::uint32_t index) const {
    return &chunks_[index / chunk_entries][std::size_t{index % chunk_entries} * stride_];
  }
  std::size_t place(std::uint32_t tag) const {
    return static_cast<std::size_t>((std::uint64_t{tag} * table_.size()) >> 32U);
  }
  // The slot of this key: its head entry, or an empty one.
  std::size_t find(std::uint32_t tag, const std::uint64_t* key) const;
  bool grow();

  std::uint32_t key_words_;
  Lanes lanes_;
  std::uint32_t stride_;  // key, counts, and, where there are counts, the next entry of the same key
  std::uint64_t bytes_max_;
  std::vector<std::uint64_t> table_;  // tag << 32 | entry + 1; 0 is empty
  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
  std::uint32_t entries_ = 0;
  std::uint32_t heads_ = 0;
};

}  // namespace gainsay::linearizable
