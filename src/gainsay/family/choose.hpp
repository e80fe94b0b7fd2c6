// Which construction serves a given poset best: what kind of order it is, what each construction would cost,
// and the family itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/base/rng.hpp"
#include "gainsay/family/poset.hpp"
#include "gainsay/family/series_parallel.hpp"
#include "gainsay/family/tree.hpp"

namespace gainsay::family {

enum class Construction : std::uint8_t {
  single,           // one schedule: a chain, or d = 1
  antichain,        // two permutations, or sampled ones
  chain_and_one,    // a chain with an independent element
  traversals,       // d = 2: the two schedules of a realiser
  tree_of_three,    // Theorem 5.10 on a binary tree
  series_parallel,  // Theorem 5.10 on a binary semilattice
  tree_patterns,    // Theorem 5.12
  standard,         // Example 5.1, d = 2
  dimension_two,    // Proposition 5.2
  general,          // Proposition 5.1
};
std::string name_of(Construction construction);  // with the place in the thesis
std::string word_of(Construction construction);  // "patterns", for a command line
std::vector<std::string> construction_words();

struct Plan {
  Construction construction = Construction::general;
  double size = 0;  // at most that many schedules
};

// What is known about an order. A tree may be too large for a Poset, so everything but the tree is optional.
struct OrderFacts {
  std::size_t size = 0;
  std::size_t height = 0;
  bool chain = false;
  bool antichain = false;
  std::optional<Element> independent;  // the element beside a chain of all others
  std::optional<Tree> tree;            // or forest
  std::optional<SpOrder> series_parallel;
  std::optional<ZigZag> zigzag;                                      // why it is not series-parallel
  std::optional<std::pair<Schedule, Schedule>> realiser;             // dimension two
  std::optional<std::vector<std::pair<Element, Element>>> standard;  // S_n, n >= 3: its (a_i, b_i)
  bool dimension_known = true;  // false: too large to decide whether there is a realiser
};
OrderFacts recognise(const Poset& poset);
OrderFacts recognise(const Tree& tree);

// What could be built, the smallest first. Throws UserError for d = 0.
std::vector<Plan> plans(const OrderFacts& facts, std::size_t d);

struct BuiltFamily {
  Family family;
  Plan plan;
  std::string remark;  // what else is worth saying: sampled, repaired, existence bounds
};
// The smallest plan, or the one that is `wanted`, carried out. Throws UserError, with the size it would have, where the
// family would hold more than `entries_max` elements over all schedules, and where `wanted` (a construction's word)
// does not fit. `poset` may be null where only a tree is known.
inline constexpr double entries_default = 1e8;
BuiltFamily build(const OrderFacts& facts, const Poset* poset, std::size_t d, std::uint64_t seed,
                  double entries_max = entries_default, const std::string& wanted = {});

}  // namespace gainsay::family
