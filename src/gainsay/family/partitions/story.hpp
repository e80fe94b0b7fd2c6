// Story: partitions that must come one after the other, with the same nodes in the same parts. Niksic's thesis (2018),
// example 4.2: Zookeeper and the leader are cut from the two others, then the leader alone from everybody.
//
// Written as "zk a | * ; a | *": phases between semicolons, blocks between bars, names of parts within them, `*` for
// whoever is not named in the phase. A goal is a choice of nodes for the parts; it is met where every phase's partition
// does to these nodes what the phase says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gainsay/family/partitions/goal.hpp"
#include "gainsay/family/partitions/reach.hpp"
#include "gainsay/family/partitions/sampler.hpp"

namespace gainsay::family {

struct Phase {
  std::vector<std::vector<std::uint32_t>> blocks;  // of parts
  bool rest = false;                               // `*`: the others are one block
};

struct Story {
  std::size_t nodes = 0;
  std::vector<std::string> parts;
  std::vector<Phase> phases;

  // The goals of one choice of nodes, one for each phase. A choice gives each part a node of its own.
  std::vector<Goal> goals_of(const std::vector<Node>& choice) const;
  // All choices, in lexicographic order.
  std::vector<std::vector<Node>> choices() const;
  // What is drawn in a phase: where the phase says of everybody where he is, the partitions of its sizes; else any
  // with so many blocks.
  Sampler sampler_of(std::size_t phase) const;
  std::string text() const;
};

// Throws UserError that says what was expected.
Story parse_story(std::string_view text, std::size_t nodes);

// For each combination of one test per phase, all equally likely, the set of choices that it meets; the first phase
// changes slowest. REQUIRES: at most Reach::goals_max choices.
std::vector<std::uint32_t> masks_of(const Story& story, const std::vector<CutTests>& tests_by_phase);
// A smallest set of combinations that meets every choice, each as one partition per phase.
std::vector<PartitionFamily> covering_family(const Story& story);

}  // namespace gainsay::family
