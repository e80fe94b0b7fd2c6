#include "gainsay/family/partitions/links.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay::family {

void Links::cut(Node from, Node to) {
  GAINSAY_CHECK(from < nodes_ && to < nodes_ && from != to, "a link between two nodes");
  cut_[from * nodes_ + to] = 1;
}

std::size_t Links::cuts() const {
  return static_cast<std::size_t>(std::count(cut_.begin(), cut_.end(), std::uint8_t{1}));
}

bool Links::is_symmetric() const {
  for (Node a = 0; a < nodes_; ++a) {
    for (Node b = 0; b < a; ++b) {
      if (is_cut(a, b) != is_cut(b, a)) return false;
    }
  }
  return true;
}

namespace {

template <class Cut> Links links_where(std::size_t nodes, const Cut& cut) {
  Links links(nodes);
  for (Node from = 0; from < nodes; ++from) {
    for (Node to = 0; to < nodes; ++to) {
      if (from != to && cut(from, to)) links.cut(from, to);
    }
  }
  return links;
}

}  // namespace

Links links_of(const Partition& partition) {
  return links_where(partition.nodes(),
                     [&](Node from, Node to) { return partition.block_of(from) != partition.block_of(to); });
}

Links one_way(const Partition& partition, std::uint32_t block) {
  GAINSAY_CHECK(block < partition.blocks(), "a block of this partition");
  return links_where(partition.nodes(), [&](Node from, Node to) {
    return partition.block_of(from) == block && partition.block_of(to) != block;
  });
}

Links bridged(const Partition& partition, std::uint32_t bridge) {
  GAINSAY_CHECK(bridge < partition.blocks(), "a block of this partition");
  return links_where(partition.nodes(), [&](Node from, Node to) {
    const std::uint32_t a = partition.block_of(from);
    const std::uint32_t b = partition.block_of(to);
    return a != b && a != bridge && b != bridge;
  });
}

Links majorities_ring(const std::vector<Node>& order) {
  const std::size_t n = order.size();
  const std::size_t majority = n / 2 + 1;
  std::vector<std::size_t> place(n);
  for (std::size_t i = 0; i < n; ++i) {
    GAINSAY_CHECK(order[i] < n, "nodes below the number of nodes");
    place[order[i]] = i;
  }
  return links_where(n, [&](Node from, Node to) {
    // The window of `to` begins (majority - 1) / 2 places before it.
    const std::size_t first = (place[to] + n - (majority - 1) / 2) % n;
    return (place[from] + n - first) % n >= majority;
  });
}

}  // namespace gainsay::family
