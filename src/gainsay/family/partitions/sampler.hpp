// Sampler: random partitions, each of a kind with the same probability. Niksic's thesis (2018), sections 4.2 and 4.4.
//
// `uniform` draws among all partitions into k blocks, exactly, by ranks (counting.hpp). The others have blocks of given
// sizes and are drawn by a random permutation that is cut into pieces: every partition of these sizes comes from
// equally many permutations.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/base/rng.hpp"
#include "gainsay/family/partitions/partition.hpp"

namespace gainsay::family {

class StirlingTable;

class Sampler {
 public:
  static constexpr std::size_t nodes_max = 1000;

  // Each throws UserError where there is no such partition.
  static Sampler uniform(std::size_t nodes, std::size_t blocks);
  static Sampler balanced(std::size_t nodes, std::size_t blocks);
  static Sampler semibalanced(std::size_t nodes);
  static Sampler sized(std::vector<std::size_t> sizes);

  Partition draw(Rng& rng) const;

  std::size_t nodes() const { return nodes_; }
  std::size_t blocks() const { return blocks_; }
  const std::string& name() const { return name_; }  // "uniform 2-partitions", "partitions of sizes 3 and 2"
  // Of the blocks; none: any.
  const std::optional<std::vector<std::size_t>>& sizes() const { return sizes_; }
  // Everything it may draw.
  PartitionFamily all(std::size_t most = partitions_listed_max) const;

 private:
  std::size_t nodes_ = 0;
  std::size_t blocks_ = 0;
  std::string name_;
  std::optional<std::vector<std::size_t>> sizes_;
  mutable std::shared_ptr<const StirlingTable> table_;  // made when the first one is drawn
};

}  // namespace gainsay::family
