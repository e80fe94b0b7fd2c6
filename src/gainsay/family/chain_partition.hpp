// ChainPartition: a poset that grows upwards, cut into chains while it grows, one new maximal element at a
// time.
//
// Agarwal and Garg's algorithm (2007) as given in Niksic's thesis (2019), section 6.2.4, Algorithm 2. Chains
// stand in levels B_1, B_2, ...: level i holds at most i chains, and the last elements of one level's chains
// are pairwise incomparable. So a poset of width w needs at most w levels and w(w+1)/2 chains, which is the
// best an online algorithm can promise (Felsner 1997). The width need not be known.
//
// One difference: a chain that can be extended is, even where a lower level has room for a new one. The
// invariants do not need more, and the thesis' own example (figure 6.1) gets the two chains it shows; the
// algorithm as printed opens a third.
//
// The poset is not stored. An element is known by its `Past`: the chains whose last element is at or below
// it. Entries go stale when their chain grows; stale ones are dropped when an element is added. The caller
// keeps the pasts it may still need (pending events, actors); adding costs O(chains), usually less.
#pragma once

#include <cstdint>
#include <vector>

namespace gainsay::family {

class ChainPartition {
 public:
  // "When it had `length` elements, the last element of `chain` was at or below."
  struct Top {
    std::uint32_t chain = 0;
    std::uint32_t length = 0;

    friend bool operator==(const Top&, const Top&) = default;
  };
  using Past = std::vector<Top>;  // ascending chains

  struct Added {
    std::uint32_t chain = 0;  // numbered from 0 in the order of creation
    bool new_chain = false;
    std::uint32_t length = 0;  // of the chain, with the new element
  };

  // Adds an element above everything its predecessors' pasts know, and nothing else. On entry `past` is the
  // union of the pasts of its predecessors (of the immediate ones is enough), on return its own.
  Added add(Past& past);

  // Makes `into` the past of something above both.
  void join(Past& into, const Past& from) const;

  std::size_t chains() const { return length_.size(); }
  std::size_t levels() const { return group_at_.size(); }  // never more than the width
  std::size_t elements() const { return elements_; }
  std::size_t level_of(std::uint32_t chain) const { return level_of_[group_of_[chain]]; }  // from 0
  // Back to the empty poset, memory kept.
  void clear();

 private:
  bool live(const Top& top) const { return length_[top.chain] == top.length; }

  // A level's chains are a group; two levels swap their groups in O(1).
  std::vector<std::uint32_t> length_;    // per chain
  std::vector<std::uint32_t> group_of_;  // per chain
  std::vector<std::uint32_t> level_of_;  // per group
  std::vector<std::uint32_t> size_of_;   // per group: how many chains
  std::vector<std::uint32_t> group_at_;  // per level
  std::size_t elements_ = 0;
  mutable Past merged_;  // scratch of join
};

}  // namespace gainsay::family
