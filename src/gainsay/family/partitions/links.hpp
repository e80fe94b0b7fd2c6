// Links: which node cannot reach which. A partition cuts both ways between all blocks; there are cuts that are no
// partitions: one way only, a bridge that both sides still reach (intersecting blocks: thesis, section 2.5), and rings
// in which every node sees a majority and no two see the same one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gainsay/family/partitions/partition.hpp"

namespace gainsay::family {

class Links {
 public:
  explicit Links(std::size_t nodes = 0) : nodes_(nodes), cut_(nodes * nodes, 0) {}

  std::size_t nodes() const { return nodes_; }
  bool is_cut(Node from, Node to) const { return cut_[from * nodes_ + to] != 0; }
  void cut(Node from, Node to);
  std::size_t cuts() const;  // ordered pairs
  bool is_symmetric() const;

  friend bool operator==(const Links&, const Links&) = default;

 private:
  std::size_t nodes_;
  std::vector<std::uint8_t> cut_;
};

Links links_of(const Partition& partition);
// Messages of the nodes of `block` do not arrive in other blocks; what the others say arrives.
Links one_way(const Partition& partition, std::uint32_t block);
// Who is in block `bridge` reaches everybody and is reached by everybody; other blocks are cut from each other.
Links bridged(const Partition& partition, std::uint32_t bridge);
// Nodes in a ring, `order` says in which order; each hears the majority around its place, itself included.
Links majorities_ring(const std::vector<Node>& order);

}  // namespace gainsay::family
