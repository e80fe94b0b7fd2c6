// Trees and forests as orders: parents before children. Niksic's thesis (2019), section 5.2.4.
//
// A forest stands for a tree whose root is not an element; constructions add that root and drop it again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gainsay/family/poset.hpp"

namespace gainsay::family {

inline constexpr Element no_parent = 0xffffffffU;

class Tree {
 public:
  Tree() = default;
  // parents[x] is x's parent, or no_parent. Throws UserError on a cycle or a number that is no element.
  explicit Tree(std::vector<Element> parents);

  std::size_t size() const { return parents_.size(); }
  Element parent(Element x) const { return parents_[x]; }
  const std::vector<Element>& children(Element x) const { return children_[x]; }
  const std::vector<Element>& roots() const { return roots_; }
  std::size_t height() const { return height_; }  // of the longest path, in elements
  std::size_t outdegree_max() const;              // of elements, and of the hidden root of a forest
  // Elements, parents before children; subtrees from left to right, or from right to left.
  Schedule traversal(bool mirrored) const;
  Poset poset() const;

 private:
  std::vector<Element> parents_;
  std::vector<std::vector<Element>> children_;
  std::vector<Element> roots_;
  std::size_t height_ = 0;
};

// "a(b(c d) e)": a node, then its children in brackets, separated by blanks or commas. Several roots make a
// forest.
struct NamedTree {
  Tree tree;
  std::vector<std::string> names;
};
NamedTree parse_tree(std::string_view text);
Tree complete_binary_tree(std::size_t height);    // numbered as a heap: children of x are 2x+1 and 2x+2
std::optional<Tree> as_tree(const Poset& poset);  // nothing if some element has two immediate predecessors

// Lemma 5.9: a binary tree in which the original is embedded, of height at most h max(1, ceil(log2 Δ)) (for a
// forest one layer more). A node with one child keeps it as its left child. New nodes are numbered from
// size() on.
struct BinaryTree {
  struct Node {
    Element child[2] = {no_parent, no_parent};
    std::uint32_t layer = 0;
  };
  std::vector<Node> nodes;
  Element root = 0;
  std::size_t originals = 0;  // nodes below this number are the tree's elements
  std::size_t height = 0;
};
BinaryTree binary_embedding(const Tree& tree);
std::size_t binary_embedding_height_bound(const Tree& tree);

}  // namespace gainsay::family
