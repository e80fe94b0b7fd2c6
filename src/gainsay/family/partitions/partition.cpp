#include "gainsay/family/partitions/partition.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay::family {

Partition::Partition(std::span<const std::uint32_t> block_of) {
  std::vector<std::uint32_t> seen;
  for (const std::uint32_t given : block_of) {
    const auto found = std::find(seen.begin(), seen.end(), given);
    block_of_.push_back(static_cast<std::uint32_t>(found - seen.begin()));
    if (found == seen.end()) seen.push_back(given);
  }
  blocks_ = seen.size();
}

Partition Partition::of_blocks(std::size_t nodes, const std::vector<std::vector<Node>>& blocks) {
  constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  std::vector<std::uint32_t> block_of(nodes, nowhere);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const Node node : blocks[b]) {
      GAINSAY_CHECK(node < nodes && block_of[node] == nowhere, "a node is in one block");
      block_of[node] = static_cast<std::uint32_t>(b);
    }
  }
  GAINSAY_CHECK(std::find(block_of.begin(), block_of.end(), nowhere) == block_of.end(),
                "every node is in a block");
  return Partition(block_of);
}

std::vector<std::size_t> Partition::block_sizes() const {
  std::vector<std::size_t> sizes(blocks_, 0);
  for (const std::uint32_t block : block_of_) ++sizes[block];
  return sizes;
}

std::vector<std::vector<Node>> Partition::members() const {
  std::vector<std::vector<Node>> members(blocks_);
  for (Node node = 0; node < block_of_.size(); ++node) members[block_of_[node]].push_back(node);
  return members;
}

namespace {

void too_long(std::size_t most) {
  throw UserError(fmt::format("there are more than {} such partitions, too many to list", with_commas(most)));
}

// Goes through restricted growth strings: a node joins a block that is there, or opens the next one.
struct Lister {
  std::size_t nodes;
  std::size_t blocks;
  std::size_t most;
  std::vector<std::size_t> sizes;  // wanted, descending; empty: any
  std::vector<std::uint32_t> block_of{};
  std::vector<std::size_t> filled{};
  PartitionFamily found{};

  void go() {
    const std::size_t left = nodes - block_of.size();
    if (blocks - filled.size() > left) return;
    if (left == 0) return add();
    for (std::uint32_t b = 0; b <= filled.size() && b < blocks; ++b) {
      const bool opens = b == filled.size();
      if (opens) filled.push_back(0);
      ++filled[b];
      block_of.push_back(b);
      if (fits()) go();
      block_of.pop_back();
      --filled[b];
      if (opens) filled.pop_back();
    }
  }
  // Whether blocks so large can still become the wanted ones: the i-th largest must not exceed the i-th wanted.
  bool fits() const {
    if (sizes.empty()) return true;
    std::vector<std::size_t> now = filled;
    std::sort(now.rbegin(), now.rend());
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] > sizes[i]) return false;
    }
    return true;
  }
  void add() {
    if (found.size() == most) too_long(most);
    found.emplace_back(block_of);
  }
};

void require_blocks(std::size_t nodes, std::size_t blocks) {
  if (blocks == 0) throw UserError("a partition has at least one block");
  if (blocks > nodes)
    throw UserError(fmt::format("{} cannot be divided into {}: every block needs one", counted(nodes, "node"),
                                counted(blocks, "block")));
}

}  // namespace

PartitionFamily all_partitions(std::size_t nodes, std::size_t blocks, std::size_t most) {
  require_blocks(nodes, blocks);
  Lister lister{nodes, blocks, most, {}};
  lister.go();
  return std::move(lister.found);
}

PartitionFamily partitions_of_sizes(const std::vector<std::size_t>& sizes, std::size_t most) {
  std::size_t nodes = 0;
  for (const std::size_t size : sizes) {
    if (size == 0) throw UserError("a block of no nodes is no block");
    nodes += size;
  }
  require_blocks(nodes, sizes.size());
  Lister lister{nodes, sizes.size(), most, sizes};
  std::sort(lister.sizes.rbegin(), lister.sizes.rend());
  lister.go();
  return std::move(lister.found);
}

std::vector<std::size_t> balanced_sizes(std::size_t nodes, std::size_t blocks) {
  require_blocks(nodes, blocks);
  std::vector<std::size_t> sizes(blocks, nodes / blocks);
  for (std::size_t i = 0; i < nodes % blocks; ++i) ++sizes[i];
  return sizes;
}

std::vector<std::size_t> semibalanced_sizes(std::size_t nodes) {
  if (nodes < 4 || nodes % 2 != 0)
    throw UserError(fmt::format(
        "semibalanced partitions are for an even number of nodes, at least 4, not {}; an odd number has "
        "balanced ones with a minority",
        with_commas(nodes)));
  return {nodes / 2 + 1, nodes / 2 - 1};
}

std::string node_name(Node node, std::span<const std::string> names) {
  return node < names.size() ? names[node] : std::to_string(node + 1);
}

std::string text_of(const Partition& partition, std::span<const std::string> names) {
  std::string text;
  for (const std::vector<Node>& block : partition.members()) {
    if (!text.empty()) text += " | ";
    for (std::size_t i = 0; i < block.size(); ++i) text += (i == 0 ? "" : " ") + node_name(block[i], names);
  }
  return text;
}

std::string drawing_of(const PartitionFamily& family, std::span<const std::string> names) {
  if (family.empty()) return "";
  constexpr std::string_view signs = "#.ox+*=%@&";
  std::size_t width = 1;
  const std::size_t nodes = family.front().nodes();
  for (Node node = 0; node < nodes; ++node) width = std::max(width, node_name(node, names).size());
  std::string text = "       ";
  for (Node node = 0; node < nodes; ++node) text += fmt::format(" {:>{}}", node_name(node, names), width);
  for (std::size_t i = 0; i < family.size(); ++i) {
    text += fmt::format("\n  {:>4} ", i + 1);
    for (Node node = 0; node < nodes; ++node) {
      const std::uint32_t block = family[i].block_of(node);
      const std::string sign =
          block < signs.size() ? std::string(1, signs[block]) : std::to_string(block + 1);
      text += fmt::format(" {:>{}}", sign, width);
    }
  }
  return text + "\n";
}

}  // namespace gainsay::family
