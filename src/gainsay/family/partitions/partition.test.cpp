#include "gainsay/family/partitions/partition.hpp"

#include <set>

#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/family/partitions/links.hpp"

namespace gainsay::family {
namespace {

Partition parted(std::vector<std::uint32_t> block_of) { return Partition(block_of); }

TEST(Partition, IsAValueWhateverItsBlocksWereCalled) {
  EXPECT_EQ(parted({7, 7, 2}), parted({0, 0, 1}));
  EXPECT_EQ(parted({7, 7, 2}), Partition::of_blocks(3, {{2}, {1, 0}}));
  EXPECT_NE(parted({0, 1, 1}), parted({0, 0, 1}));
  EXPECT_EQ(text_of(parted({0, 1, 1, 0, 1})), "1 4 | 2 3 5");
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(text_of(parted({0, 1, 0}), names), "a c | b");
  EXPECT_EQ(drawing_of({parted({0, 1, 0}), parted({0, 1, 2})}, names),
            "        a b c\n     1  # . #\n     2  # . o\n");
}

// The lists against their definition: every function from nodes to blocks, made canonical, with k blocks.
TEST(Partition, ListsAreAllThereAre) {
  for (std::size_t n = 1; n <= 7; ++n) {
    for (std::size_t k = 1; k <= n; ++k) {
      std::set<Partition> all;
      std::vector<std::uint32_t> block_of(n, 0);
      while (true) {
        if (const Partition partition(block_of); partition.blocks() == k) all.insert(partition);
        std::size_t i = 0;
        while (i < n && ++block_of[i] == k) block_of[i++] = 0;
        if (i == n) break;
      }
      const PartitionFamily listed = all_partitions(n, k);
      EXPECT_EQ(PartitionFamily(all.begin(), all.end()), listed) << n << " into " << k;
      PartitionFamily balanced;
      for (const Partition& partition : listed) {
        std::vector<std::size_t> sizes = partition.block_sizes();
        std::sort(sizes.rbegin(), sizes.rend());
        if (sizes == balanced_sizes(n, k)) balanced.push_back(partition);
      }
      EXPECT_EQ(partitions_of_sizes(balanced_sizes(n, k)), balanced) << n << " into " << k;
    }
  }
  EXPECT_THROW(all_partitions(2, 3), UserError);
  EXPECT_THROW(all_partitions(12, 5, 1000), UserError);
  EXPECT_THROW(semibalanced_sizes(5), UserError);
  EXPECT_EQ(semibalanced_sizes(6), (std::vector<std::size_t>{4, 2}));
}

TEST(Links, OfAPartitionAreCutBothWays) {
  const Links links = links_of(parted({0, 1, 1}));
  EXPECT_TRUE(links.is_cut(0, 1) && links.is_cut(1, 0) && links.is_cut(0, 2));
  EXPECT_FALSE(links.is_cut(1, 2));
  EXPECT_EQ(links.cuts(), 4U);
  EXPECT_TRUE(links.is_symmetric());
}

TEST(Links, OneWayAndBridged) {
  const Links mute = one_way(parted({0, 1, 1}), 0);
  EXPECT_TRUE(mute.is_cut(0, 1) && mute.is_cut(0, 2));
  EXPECT_FALSE(mute.is_cut(1, 0) || mute.is_cut(2, 0) || mute.is_cut(1, 2));
  EXPECT_FALSE(mute.is_symmetric());
  const Links bridge = bridged(parted({0, 1, 2, 0}), 1);
  EXPECT_TRUE(bridge.is_cut(0, 2) && bridge.is_cut(2, 3));
  EXPECT_FALSE(bridge.is_cut(0, 1) || bridge.is_cut(1, 2) || bridge.is_cut(0, 3));
}

// Everybody hears a majority, itself included, and no two the same one.
TEST(Links, InARingEverybodyHasAMajorityOfItsOwn) {
  for (std::size_t n = 3; n <= 8; ++n) {
    std::vector<Node> order;
    for (Node node = 0; node < n; ++node) order.push_back(static_cast<Node>(node * 3 % n));
    if (n % 3 == 0) std::iota(order.begin(), order.end(), Node{0});
    const Links ring = majorities_ring(order);
    std::set<std::set<Node>> heard;
    for (Node to = 0; to < n; ++to) {
      std::set<Node> from = {to};
      for (Node node = 0; node < n; ++node) {
        if (!ring.is_cut(node, to)) from.insert(node);
      }
      EXPECT_EQ(from.size(), n / 2 + 1);
      heard.insert(from);
    }
    // Of three nodes the majority is two, of which there are three.
    EXPECT_EQ(heard.size(), n);
  }
}

}  // namespace
}  // namespace gainsay::family
