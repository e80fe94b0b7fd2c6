// Cuts: the family of cuts that a world may make, phase after phase, and the goals that they are made for.
//
// Nodes are places, not actors; a world says who lives on which (World::faults().partitions). The alternatives of a
// phase are equally likely to whoever draws among them. Which goals a cut meets is worked out here, once, so that who
// plays the cuts can count what was met and say how likely it is that nothing was missed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gainsay/family/partitions/goal.hpp"
#include "gainsay/family/partitions/links.hpp"
#include "gainsay/family/partitions/reach.hpp"
#include "gainsay/family/partitions/sampler.hpp"
#include "gainsay/family/partitions/story.hpp"

namespace gainsay::family {

struct Cut {
  std::string name;  // "1 4 | 2 3 5"
  Links links;
  std::vector<std::uint32_t>
      meets{};  // goals, ascending; of a sequence: those whose part in this phase it does
};

// Which tests of a notion a family has: all of a kind, to be drawn among, or few that meet every goal. Semibalanced
// blocks differ, and as little as they can: of an odd number of nodes the balanced ones do.
enum class CutFamily { uniform, balanced, semibalanced, covering };

struct Cuts {
  static constexpr std::size_t cuts_max = 4096;  // of a phase

  std::size_t nodes = 0;
  std::string name;                      // what they are: "balanced 2-partitions"
  std::string notion;                    // what they are for: "2-splitting"; empty: nothing was said
  std::vector<std::vector<Cut>> phases;  // in turn, from the first one again after the last
  std::vector<std::string> goals;        // in words

  // Everything that a sampler may draw: a uniform choice among these is a draw. Throws UserError where they are more
  // than `cuts_max`.
  static Cuts of(const Sampler& sampler, std::vector<std::string> names = {});
  // Of so many blocks as tests of the notion have (of a bridge, with each block as the bridge), with its goals.
  static Cuts of(const Notion& notion, CutFamily family, std::vector<std::string> names = {});
  // The covering family of the notion, with its goals: sound to go through one by one.
  static Cuts covering(const Notion& notion, std::vector<std::string> names = {});
  // Some partitions.
  static Cuts of(const PartitionFamily& family, std::vector<std::string> names = {});
  // Every 3-partition of the sampler with each of its blocks as the bridge.
  static Cuts bridges(const Sampler& sampler, std::vector<std::string> names = {});
  // Every block of every partition of the sampler cannot be heard by the others, which it still hears.
  static Cuts one_way(const Sampler& sampler, std::vector<std::string> names = {});
  // Every ring of the nodes in which each sees a majority; for at most 8 nodes.
  static Cuts majorities_rings(std::size_t nodes, std::vector<std::string> names = {});
  // The phases of a story, each with all that may be drawn in it, and its choices as goals.
  static Cuts of(const Story& story, std::vector<std::string> names = {});
  // A phase more: after a cut of these comes one of those. Goals are kept of the first, where it has some.
  Cuts then(Cuts next) &&;
  // Says what they are for: the goals of the notion, of cuts that are partitions (of two blocks or more).
  Cuts towards(const Notion& wanted) &&;

  std::vector<std::string> names{};           // of nodes
  std::vector<std::vector<CutTest>> tests{};  // the partitions behind the cuts; empty where they are none
};

// n1, n2, and so on: names of nodes.
std::vector<std::string> numbered_names(std::string_view stem, std::size_t count);

// What one cycle through all phases meets, and the chance of each goal, exactly: the product over phases of the share
// of cuts that do their part.
double chance_of(const Cuts& cuts, std::uint32_t goal);

}  // namespace gainsay::family
