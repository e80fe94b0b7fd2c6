// SymmetryGroup: which actors of a scenario can be exchanged without changing its world.
//
// Members of a group (world.group) are alike if exchanging two of them, everywhere, gives the same beginning: the same
// initial values, pending messages, orders of links and faults. Members of several groups may belong together (each
// server and its own timer); then they are exchanged together. Exchangeable members form classes, and every
// permutation within classes is a symmetry of the beginning; that handlers and gates keep it is seen when they run
// (explorer/equivariance.hpp).
//
// Symmetries that exchange no two members alone (the rotation of a ring) are not found; leaving symmetries out is
// sound, it only merges less.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gainsay/base/renaming.hpp"
#include "gainsay/scenario/blueprint.hpp"

namespace gainsay {

// Members that can be exchanged: the same indexes in each of these groups, moved together.
struct SymmetryClass {
  std::vector<std::size_t> groups;     // indexes into Blueprint::groups
  std::vector<std::uint32_t> members;  // indexes into each of those groups, at least two
};

struct SymmetryGroup {
  std::vector<SymmetryClass> classes;
  std::vector<std::vector<ActorId>> images;  // every permutation, by actor; the first is the identity
  std::vector<std::vector<std::uint32_t>> partitions;  // by permutation: image of each planned partition
  std::vector<std::string> obstacles;                  // of groups that have no symmetry, why

  std::size_t order() const { return images.size(); }

  // More permutations than this are refused: every state is looked at under each of them.
  static constexpr std::uint64_t most = 5'040;
};

// Throws UserError where no two actors can be exchanged, saying why, and where there are too many permutations.
SymmetryGroup find_symmetry(const Blueprint& blueprint);

// "replica.{0,1,2}, client.{0,1}"
std::string describe(const SymmetryGroup& group, const Blueprint& blueprint);
// "server.0 and server.1 exchanged", or "server.0, server.1, server.2 permuted".
std::string describe(const std::vector<ActorId>& images, const Blueprint& blueprint);

}  // namespace gainsay
