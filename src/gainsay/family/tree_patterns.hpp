// d-hitting families of trees for any d, by patterns. Niksic's thesis (2019), section 5.4, Theorem 5.12.
//
// The least common ancestors of a d-tuple, closed, form a small binary tree D. A pattern is such a D with a
// left and a right where a node has two children, a layer of the big tree for each inner node, and a schedule
// of D. One schedule of the big tree hits all tuples that conform to a pattern: the tree is cut below the
// layers, the pieces belong to nodes of D, and are scheduled in D's order. There are at most 4^(2d-1)/3
// h^(d-1) (2d-1)! patterns for height h. Other trees are embedded into a binary one first (Lemma 5.9) and the
// added nodes dropped; layers that do not exist cost nothing.
#pragma once

#include <cstdint>

#include "gainsay/family/tree.hpp"

namespace gainsay::family {

// The number of patterns that this construction uses for a binary tree of that height. Never more than the
// bound.
double pattern_count(std::size_t height, std::size_t d);
double pattern_bound(std::size_t height, std::size_t d);

// At most pattern_count(height of the binary embedding, d) schedules, all distinct.
Family tree_family(const Tree& tree, std::size_t d);

}  // namespace gainsay::family
