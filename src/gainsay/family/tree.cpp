#include "gainsay/family/tree.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay::family {

Tree::Tree(std::vector<Element> parents) : parents_(std::move(parents)), children_(parents_.size()) {
  for (Element x = 0; x < parents_.size(); ++x) {
    const Element parent = parents_[x];
    if (parent == no_parent) {
      roots_.push_back(x);
    } else if (parent < parents_.size()) {
      children_[parent].push_back(x);
    } else {
      throw UserError(
          fmt::format("node {} has parent {}, but there are only {} nodes", x, parent, parents_.size()));
    }
  }
  std::vector<Element> reached = roots_;
  std::vector<std::size_t> depth(parents_.size(), 1);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    height_ = std::max(height_, depth[reached[i]]);
    for (const Element child : children_[reached[i]]) {
      depth[child] = depth[reached[i]] + 1;
      reached.push_back(child);
    }
  }
  if (reached.size() < parents_.size()) {
    std::vector<Relation> relations;
    for (Element x = 0; x < parents_.size(); ++x) {
      if (parents_[x] != no_parent) relations.push_back({parents_[x], x});
    }
    const std::vector<Element> cycle = find_cycle(parents_.size(), relations);
    std::string path;
    for (const Element x : cycle) path += fmt::format("{} < ", x);
    throw UserError(fmt::format("the tree is cyclic: {}{}", path, cycle.front()));
  }
}

std::size_t Tree::outdegree_max() const {
  std::size_t most = roots_.size();
  for (const auto& children : children_) most = std::max(most, children.size());
  return most;
}

Schedule Tree::traversal(bool mirrored) const {
  Schedule schedule;
  std::vector<Element> open = roots_;
  if (!mirrored) std::reverse(open.begin(), open.end());
  while (!open.empty()) {
    const Element x = open.back();
    open.pop_back();
    schedule.push_back(x);
    if (mirrored) {
      open.insert(open.end(), children_[x].begin(), children_[x].end());
    } else {
      open.insert(open.end(), children_[x].rbegin(), children_[x].rend());
    }
  }
  return schedule;
}

Poset Tree::poset() const {
  std::vector<Relation> relations;
  for (Element x = 0; x < size(); ++x) {
    if (parents_[x] != no_parent) relations.push_back({parents_[x], x});
  }
  return Poset(size(), relations);
}

NamedTree parse_tree(std::string_view text) {
  NamedTree result;
  std::vector<Element> parents;
  std::vector<Element> open;  // ancestors whose bracket is not closed yet
  std::optional<Element> last;
  std::map<std::string, Element> seen;
  const auto fail = [&](std::size_t at, std::string_view expected) {
    const std::string found = at < text.size() ? fmt::format("'{}'", text[at]) : "the end";
    throw UserError(fmt::format("tree {}, column {}: expected {}, found {}; write for example a(b(c d) e)",
                                quoted(text), at + 1, expected, found));
  };
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (is_name(c)) {
      std::size_t end = at;
      while (end < text.size() && is_name(text[end])) ++end;
      const std::string name(text.substr(at, end - at));
      const auto x = static_cast<Element>(parents.size());
      if (!seen.emplace(name, x).second)
        throw UserError(
            fmt::format("tree {}, column {}: node '{}' occurs twice; in a tree each node has one parent",
                        quoted(text), at + 1, name));
      parents.push_back(open.empty() ? no_parent : open.back());
      result.names.push_back(name);
      last = x;
      at = end;
    } else if (c == '(') {
      if (!last) fail(at, "a node's name before '('");
      open.push_back(*last);
      last.reset();
      ++at;
    } else if (c == ')') {
      if (open.empty()) fail(at, "a node's name: this ')' closes nothing");
      open.pop_back();
      last.reset();
      ++at;
    } else if (c == ' ' || c == ',' || c == '\t' || c == '\n') {
      last.reset();
      ++at;
    } else {
      fail(at, "a node's name, '(' or ')'");
    }
  }
  if (!open.empty()) fail(at, "')'");
  if (parents.empty()) fail(0, "a node's name");
  result.tree = Tree(std::move(parents));
  return result;
}

Tree complete_binary_tree(std::size_t height) {
  if (height == 0 || height > 30)
    throw UserError(fmt::format("the height of a complete binary tree must be 1 to 30, not {}", height));
  std::vector<Element> parents((std::size_t{1} << height) - 1, no_parent);
  for (Element x = 1; x < parents.size(); ++x) parents[x] = (x - 1) / 2;
  return Tree(std::move(parents));
}

std::optional<Tree> as_tree(const Poset& poset) {
  std::vector<Element> parents(poset.size(), no_parent);
  for (Element x = 0; x < poset.size(); ++x) {
    const std::vector<Element> predecessors = poset.immediate_predecessors(x);
    if (predecessors.size() > 1) return std::nullopt;
    if (!predecessors.empty()) parents[x] = predecessors.front();
  }
  return Tree(std::move(parents));
}

BinaryTree binary_embedding(const Tree& tree) {
  GAINSAY_CHECK(tree.size() > 0, "a tree has nodes");
  BinaryTree binary;
  binary.originals = tree.size();
  binary.nodes.resize(tree.size());
  // Children are paired below new nodes until at most `most` are left.
  const auto reduce = [&](std::vector<Element> children, std::size_t most) {
    while (children.size() > most) {
      std::vector<Element> paired;
      for (std::size_t i = 0; i < children.size(); i += 2) {
        if (i + 1 == children.size()) {
          paired.push_back(children[i]);
          continue;
        }
        paired.push_back(static_cast<Element>(binary.nodes.size()));
        binary.nodes.push_back({{children[i], children[i + 1]}, 0});
      }
      children = std::move(paired);
    }
    return children;
  };
  for (Element x = 0; x < tree.size(); ++x) {
    const std::vector<Element> children = reduce(tree.children(x), 2);
    for (std::size_t i = 0; i < children.size(); ++i) binary.nodes[x].child[i] = children[i];
  }
  binary.root = reduce(tree.roots(), 1).front();
  std::vector<Element> open{binary.root};
  while (!open.empty()) {
    const Element x = open.back();
    open.pop_back();
    binary.height = std::max<std::size_t>(binary.height, binary.nodes[x].layer + 1);
    for (const Element child : binary.nodes[x].child) {
      if (child == no_parent) continue;
      binary.nodes[child].layer = binary.nodes[x].layer + 1;
      open.push_back(child);
    }
  }
  return binary;
}

std::size_t binary_embedding_height_bound(const Tree& tree) {
  std::size_t most = 1;
  for (Element x = 0; x < tree.size(); ++x) most = std::max(most, tree.children(x).size());
  const std::size_t hidden = tree.roots().size() > 1 ? std::bit_width(tree.roots().size() - 1) : 0;
  const std::size_t per_layer = std::max<std::size_t>(1, std::bit_width(most - 1));
  return tree.height() * per_layer + hidden;
}

}  // namespace gainsay::family
