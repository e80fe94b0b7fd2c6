#include "gainsay/model/node_table.hpp"

#include <bit>

namespace gainsay {

void NodeTable::allocate(std::uint64_t capacity) {
  GAINSAY_CHECK(std::has_single_bit(capacity), "places are found by the high bits of a product");
  keys_ = std::make_unique<std::atomic<std::uint64_t>[]>(capacity);
  nodes_.assign(capacity, no_node);
  mask_ = capacity - 1;
  shift_ = 64 - std::countr_zero(capacity);
  limit_ = capacity / 8 * 5;
}

void NodeTable::grow() {
  const std::uint64_t before = mask_ + 1;
  const auto keys = std::move(keys_);
  const std::vector<GraphNode> nodes = std::move(nodes_);
  allocate(before * 2);
  for (std::uint64_t i = 0; i < before; ++i) {
    const std::uint64_t key = keys[i].load(std::memory_order_relaxed);
    if (key == 0) continue;
    std::size_t at = place(key);
    while (keys_[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & mask_;
    keys_[at].store(key, std::memory_order_relaxed);
    nodes_[at] = nodes[i];
  }
  GAINSAY_CHECK(size() < limit_, "there is room now");
}

}  // namespace gainsay
