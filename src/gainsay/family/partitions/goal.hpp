// Goals: what partitions should do at least once, and which of them does it. Niksic's thesis (2018), sections 2.5 and
// 4.2 to 4.4, definitions 4.1 to 4.3.
//
// A goal is a few sides, each a set of nodes: every side lies within one block, and no two sides within the same.
// Three things can be asked besides: the first side's block is a minority; the last side's block is the bridge of an
// intersecting partition {X \ Z, Z, Y \ Z}; all nodes beyond the sides lie in one further block. A Notion is all goals
// of a kind, for any nodes or for nodes of roles. `met_by` reads the definitions literally: it judges everything here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gainsay/family/partitions/partition.hpp"

namespace gainsay::family {

struct Goal {
  std::vector<std::vector<Node>> sides;
  bool minority = false;       // the block of the first side has less than half of the nodes
  bool bridge = false;         // the last side is in the bridge, the others are not
  bool rest_together = false;  // whoever is in no side is in one block that no side is in
};

// `bridge`: the block that reaches everybody, of an intersecting partition.
bool met_by(const Partition& partition, const Goal& goal, std::optional<std::uint32_t> bridge = std::nullopt);
std::string text_of(const Goal& goal, std::span<const std::string> names = {});

// So many nodes out of a pool.
struct Side {
  std::uint32_t count = 1;
  std::vector<Node> pool;
};

struct Notion {
  enum class Kind { split, separate, isolate_minority, bridge };

  Kind kind = Kind::split;
  std::size_t nodes = 0;
  std::vector<Side> sides;
  bool roles = false;  // the pools are not all nodes

  // Each throws UserError where nodes do not suffice. Definition 4.1: any k nodes, each in a block of its own.
  static Notion split(std::size_t nodes, std::size_t k);
  // Definition 4.2: any k nodes in one block, any l others in another.
  static Notion separate(std::size_t nodes, std::size_t k, std::size_t l);
  // Definition 4.3: any node in a block that is smaller than the other one.
  static Notion isolate_minority(std::size_t nodes);
  // k nodes on one side, l on the other, z in the bridge that both reach.
  static Notion bridge(std::size_t nodes, std::size_t k, std::size_t l, std::size_t z);
  // Separation with roles: `a.count` nodes of the one pool from `b.count` of the other; the pools do not overlap.
  static Notion separate_roles(std::size_t nodes, Side a, Side b);

  std::size_t blocks() const;  // of the partitions that are tests of it
  std::string text() const;    // "2-splitting", "2,2-separating"
  // All of them, in a fixed order, each once: for k = l, (S, T) and (T, S) are one. Throws where there are more than
  // `most`.
  std::vector<Goal> goals(std::size_t most = 5'000'000) const;
};

}  // namespace gainsay::family
