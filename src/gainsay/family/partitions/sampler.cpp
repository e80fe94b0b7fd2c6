#include "gainsay/family/partitions/sampler.hpp"

#include <numeric>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/partitions/counting.hpp"

namespace gainsay::family {
namespace {

void require_nodes(std::size_t nodes) {
  if (nodes > Sampler::nodes_max)
    throw UserError(fmt::format("partitions are drawn for at most {} nodes, not {}",
                                with_commas(Sampler::nodes_max), with_commas(nodes)));
}

}  // namespace

Sampler Sampler::uniform(std::size_t nodes, std::size_t blocks) {
  require_nodes(nodes);
  Sampler sampler;
  (void)balanced_sizes(nodes, blocks);  // complains where there is none
  sampler.nodes_ = nodes;
  sampler.blocks_ = blocks;
  sampler.name_ = fmt::format("uniform {}-partitions", blocks);
  return sampler;
}

Sampler Sampler::balanced(std::size_t nodes, std::size_t blocks) {
  Sampler sampler = sized(balanced_sizes(nodes, blocks));
  sampler.name_ = fmt::format("balanced {}-partitions", blocks);
  return sampler;
}

Sampler Sampler::semibalanced(std::size_t nodes) {
  Sampler sampler = sized(semibalanced_sizes(nodes));
  sampler.name_ = "semibalanced 2-partitions";
  return sampler;
}

Sampler Sampler::sized(std::vector<std::size_t> sizes) {
  Sampler sampler;
  for (const std::size_t size : sizes) {
    if (size == 0) throw UserError("a block of no nodes is no block");
  }
  if (sizes.empty()) throw UserError("a partition has at least one block");
  sampler.nodes_ = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  require_nodes(sampler.nodes_);
  sampler.blocks_ = sizes.size();
  sampler.name_ = fmt::format("partitions of sizes {}", fmt::join(sizes, " and "));
  sampler.sizes_ = std::move(sizes);
  return sampler;
}

Partition Sampler::draw(Rng& rng) const {
  GAINSAY_CHECK(nodes_ > 0, "a sampler that was made");
  if (!sizes_) {
    if (!table_) table_ = std::make_shared<const StirlingTable>(nodes_, blocks_);
    return table_->draw(rng);
  }
  std::vector<Node> order(nodes_);
  std::iota(order.begin(), order.end(), Node{0});
  for (std::size_t i = nodes_; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  std::vector<std::uint32_t> block_of(nodes_, 0);
  std::size_t place = 0;
  for (std::uint32_t block = 0; block < sizes_->size(); ++block) {
    for (std::size_t i = 0; i < (*sizes_)[block]; ++i) block_of[order[place++]] = block;
  }
  GAINSAY_CHECK(place == nodes_, "every node is in a block");
  return Partition(block_of);
}

PartitionFamily Sampler::all(std::size_t most) const {
  return sizes_ ? partitions_of_sizes(*sizes_, most) : all_partitions(nodes_, blocks_, most);
}

}  // namespace gainsay::family
