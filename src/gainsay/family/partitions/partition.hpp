// Partition: nodes divided into blocks that cannot reach each other. Niksic's thesis (2018), section 4.1.
//
// A value: the block of each node, in canonical numbers (the first node is in block 0, and a node that opens a block
// opens the next one), so equal partitions are equal values. Nodes are numbered from 0; people see names.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gainsay::family {

using Node = std::uint32_t;

class Partition {
 public:
  Partition() = default;
  // By any numbers of blocks: {7, 7, 2} is {0 1 | 2}.
  explicit Partition(std::span<const std::uint32_t> block_of);
  // REQUIRES: every node below `nodes` is in exactly one block.
  static Partition of_blocks(std::size_t nodes, const std::vector<std::vector<Node>>& blocks);

  std::size_t nodes() const { return block_of_.size(); }
  std::size_t blocks() const { return blocks_; }
  std::uint32_t block_of(Node node) const { return block_of_[node]; }
  std::vector<std::size_t> block_sizes() const;  // by block
  std::vector<std::vector<Node>> members() const;

  friend bool operator==(const Partition&, const Partition&) = default;
  friend auto operator<=>(const Partition& a, const Partition& b) { return a.block_of_ <=> b.block_of_; }

 private:
  std::vector<std::uint32_t> block_of_;
  std::size_t blocks_ = 0;
};

using PartitionFamily = std::vector<Partition>;

// All of them, in lexicographic order. Throws UserError where there are more than `most`.
inline constexpr std::size_t partitions_listed_max = 2'000'000;
PartitionFamily all_partitions(std::size_t nodes, std::size_t blocks,
                               std::size_t most = partitions_listed_max);
// Those with blocks of these sizes, in any order.
PartitionFamily partitions_of_sizes(const std::vector<std::size_t>& sizes,
                                    std::size_t most = partitions_listed_max);
// n / k nodes to a block, and one more in the first n mod k.
std::vector<std::size_t> balanced_sizes(std::size_t nodes, std::size_t blocks);
// Two blocks of an even number of nodes that differ by two: a minority as large as it can be (Corollary 4.14).
std::vector<std::size_t> semibalanced_sizes(std::size_t nodes);

// "1 4 | 2 3 5"; nodes without a name are numbered from 1, as people count machines.
std::string node_name(Node node, std::span<const std::string> names);
std::string text_of(const Partition& partition, std::span<const std::string> names = {});
// A drawing, one line for a partition and one column for a node; a block is a sign.
std::string drawing_of(const PartitionFamily& family, std::span<const std::string> names = {});

}  // namespace gainsay::family
