// DependencyGraph: who must stand before whom in every serial order of some transactions, and why; and the search
// for cycles in it.
//
// Nodes are transactions. An edge is a dependency of Adya's ("Weak Consistency", 1999, section 4.4): ww (the second
// overwrote the first), wr (the second read what the first wrote), rw (the second overwrote what the first read), or
// an order that the history itself shows: of a process, or of real time. Where many readers all come before many
// writers, a *hub* between them stands for the product: an rw edge leads to it and `onward` edges lead on.
//
// Whether a class of cycles exists is decided exactly, by strongly connected components (Tarjan). The cycle that is
// shown is a shortest one through one of the edges that were tried; a budget limits how many are.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "gainsay/oracle/transactions/history.hpp"

namespace gainsay {

enum class Dependency : std::uint8_t { ww, wr, rw, process, realtime, onward };

using DependencyMask = std::uint32_t;
constexpr DependencyMask mask_of(Dependency kind) { return 1U << static_cast<unsigned>(kind); }

struct DependencyEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  Dependency kind = Dependency::ww;
  KeyId key = 0;
  ElementId value = no_element;  // the version of the key that the first wrote or read
  ElementId next = no_element;   // the one that the second wrote
};

using DependencyCycle =
    std::vector<DependencyEdge>;  // each begins where the one before it ends; without hubs

class DependencyGraph {
 public:
  explicit DependencyGraph(std::uint32_t transactions) : transactions_(transactions), nodes_(transactions) {}

  void add(const DependencyEdge& edge);
  // Every reader before every writer other than itself: the readers saw `value` of the key, the writers wrote
  // what stands beside them.
  struct Writer {
    std::uint32_t transaction = 0;
    ElementId value = no_element;
  };
  void add_product(KeyId key, ElementId value, std::span<const std::uint32_t> readers,
                   std::span<const Writer> writers);
  // No more edges after this.
  void seal();
  // The same, sealed, with these edges as well.
  DependencyGraph with(std::span<const DependencyEdge> more) const;

  std::size_t edge_count() const { return edges_.size(); }

  // Of the graph with only the kinds of the mask: the component of each node, and which components have two or more.
  struct Components {
    std::vector<std::uint32_t> of;
    std::vector<std::vector<std::uint32_t>> large;
  };
  Components components(DependencyMask mask) const;

  // A short cycle inside the component: one edge of a kind in `through`, all others of kinds in `rest`. Of the edges
  // tried the one with the shortest cycle wins. `visits_left` is lowered by the work; at zero the search ends.
  std::optional<DependencyCycle> cycle(const Components& components, std::span<const std::uint32_t> component,
                                       DependencyMask through, DependencyMask rest,
                                       std::uint64_t& visits_left) const;

  // A short cycle in which no two rw edges are adjacent but which has at least one, by search in the product with
  // "the last edge was rw"; exact about whether there is one. At most one per call.
  std::optional<DependencyCycle> nonadjacent_cycle(DependencyMask rest) const;

 private:
  std::span<const std::uint32_t> out(std::uint32_t node) const {
    return std::span(order_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }
  DependencyCycle without_hubs(std::span<const std::uint32_t> edges) const;

  std::uint32_t transactions_;
  std::uint32_t nodes_;  // transactions, then hubs
  bool sealed_ = false;
  std::vector<DependencyEdge> edges_;
  std::vector<std::uint32_t> order_;  // edges by their beginning
  std::vector<std::uint32_t> begin_;
};

}  // namespace gainsay
