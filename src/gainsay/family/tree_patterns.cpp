#include "gainsay/family/tree_patterns.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "gainsay/base/check.hpp"
#include "gainsay/family/hitting.hpp"

namespace gainsay::family {
namespace {

// The shape of D: nodes in preorder, each with 0, 1 or 2 children (two: left, right).
struct Shape {
  std::vector<std::vector<std::uint32_t>> children;
  std::size_t leaves = 0;
  std::size_t unary = 0;
  std::size_t binary = 0;
};

Shape leaf() { return {{{}}, 1, 0, 0}; }

Shape under_root(const std::vector<const Shape*>& parts) {
  Shape shape;
  shape.children.emplace_back();
  for (const Shape* part : parts) {
    const auto offset = static_cast<std::uint32_t>(shape.children.size());
    shape.children[0].push_back(offset);
    for (std::vector<std::uint32_t> children : part->children) {
      for (std::uint32_t& child : children) child += offset;
      shape.children.push_back(std::move(children));
    }
    shape.leaves += part->leaves;
    shape.unary += part->unary;
    shape.binary += part->binary;
  }
  ++(parts.size() == 1 ? shape.unary : shape.binary);
  return shape;
}

// Shapes that closures of d-tuples have: leaves and unary nodes are in the tuple, binary ones may be.
std::vector<Shape> shapes(std::size_t d) {
  // by_weight[k]: all with k leaves and unary nodes.
  std::vector<std::vector<Shape>> by_weight(d + 1);
  for (std::size_t weight = 1; weight <= d; ++weight) {
    std::vector<Shape>& own = by_weight[weight];
    if (weight == 1) own.push_back(leaf());
    for (const Shape& part : by_weight[weight - 1]) own.push_back(under_root({&part}));
    for (std::size_t left = 1; left < weight; ++left) {
      for (const Shape& l : by_weight[left]) {
        for (const Shape& r : by_weight[weight - left]) own.push_back(under_root({&l, &r}));
      }
    }
  }
  std::vector<Shape> result;
  for (std::size_t weight = 1; weight <= d; ++weight) {
    for (const Shape& shape : by_weight[weight]) {
      if (weight + shape.binary >= d) result.push_back(shape);
    }
  }
  return result;
}

// Ways to give increasing layers, at most height - 2 (something lies below), to the inner nodes.
double layer_count(const Shape& shape, std::size_t height) {
  // ways[node][l]: for the subtree of `node`, whose root must be at layer l or deeper.
  std::vector<std::vector<double>> ways(shape.children.size());
  for (std::size_t node = ways.size(); node-- > 0;) {  // children come after their parents
    ways[node].assign(height + 1, shape.children[node].empty() ? 1 : 0);
    if (shape.children[node].empty()) continue;
    for (std::size_t least = height - 1; least-- > 0;) {
      double here = 1;
      for (const std::uint32_t child : shape.children[node]) here *= ways[child][least + 1];
      ways[node][least] = here + ways[node][least + 1];
    }
  }
  return ways[0][0];
}

// Hook lengths: the schedules of a tree are n! / (product of the subtrees' sizes).
double schedule_count(const Shape& shape) {
  std::vector<double> size(shape.children.size(), 1);
  double count = std::exp(std::lgamma(static_cast<double>(size.size()) + 1));
  for (std::size_t node = size.size(); node-- > 0;) {
    for (const std::uint32_t child : shape.children[node]) size[node] += size[child];
    count /= size[node];
  }
  return std::round(count);
}

void for_layers(const Shape& shape, std::size_t height, std::uint32_t node, std::vector<std::uint32_t>& layer,
                const std::vector<std::uint32_t>& parent, const std::function<void()>& use) {
  if (node == shape.children.size()) return use();
  if (shape.children[node].empty()) {
    layer[node] = static_cast<std::uint32_t>(height);  // a leaf's pieces reach the bottom
    return for_layers(shape, height, node + 1, layer, parent, use);
  }
  const std::uint32_t least = node == 0 ? 0 : layer[parent[node]] + 1;
  for (std::uint32_t l = least; l + 1 < height; ++l) {
    layer[node] = l;
    for_layers(shape, height, node + 1, layer, parent, use);
  }
}

void for_schedules(const Shape& shape, std::vector<std::uint32_t>& ready,
                   std::vector<std::uint32_t>& schedule, const std::function<void()>& use) {
  if (schedule.size() == shape.children.size()) return use();
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const std::uint32_t node = ready[i];
    std::vector<std::uint32_t> next = ready;
    next.erase(next.begin() + static_cast<std::ptrdiff_t>(i));
    next.insert(next.end(), shape.children[node].begin(), shape.children[node].end());
    schedule.push_back(node);
    for_schedules(shape, next, schedule, use);
    schedule.pop_back();
  }
}

// The pieces of one cut: which elements each node of D gets. They do not depend on D's schedule.
std::vector<Schedule> pieces(const BinaryTree& tree, const Shape& shape,
                             const std::vector<std::uint32_t>& layer) {
  std::vector<Schedule> result(shape.children.size());
  std::vector<std::vector<Element>> enabled(shape.children.size());
  enabled[0] = {tree.root};
  for (std::uint32_t node = 0; node < shape.children.size(); ++node) {  // preorder: parents first
    const std::vector<std::uint32_t>& children = shape.children[node];
    std::vector<Element> open(enabled[node].rbegin(), enabled[node].rend());
    while (!open.empty()) {
      const Element x = open.back();
      open.pop_back();
      if (x < tree.originals) result[node].push_back(x);
      for (const std::size_t side : {1U, 0U}) {
        const Element child = tree.nodes[x].child[side];
        if (child == no_parent) continue;
        if (tree.nodes[x].layer < layer[node]) {
          open.push_back(child);
        } else {
          GAINSAY_CHECK(!children.empty(), "a leaf's pieces are whole subtrees");
          enabled[children.size() == 1 ? children[0] : children[side]].push_back(child);
        }
      }
    }
  }
  return result;
}

}  // namespace

double pattern_bound(std::size_t height, std::size_t d) {
  const auto dd = static_cast<double>(d);
  return std::pow(4, 2 * dd - 1) / 3 * std::pow(static_cast<double>(height), dd - 1) *
         std::exp(std::lgamma(2 * dd));
}

double pattern_count(std::size_t height, std::size_t d) {
  double total = 0;
  for (const Shape& shape : shapes(d)) {
    total += layer_count(shape, height) * schedule_count(shape);
  }
  return total;
}

Family tree_family(const Tree& tree, std::size_t d) {
  GAINSAY_CHECK(d > 0, "tuples have elements");
  if (d == 1) return {tree.traversal(false)};
  const BinaryTree binary = binary_embedding(tree);
  std::set<Schedule> distinct{tree.traversal(false)};  // also where the tree is too flat for any pattern
  for (const Shape& shape : shapes(d)) {
    std::vector<std::uint32_t> parent(shape.children.size(), 0);
    for (std::uint32_t node = 0; node < parent.size(); ++node) {
      for (const std::uint32_t child : shape.children[node]) parent[child] = node;
    }
    std::vector<std::uint32_t> layer(shape.children.size(), 0);
    for_layers(shape, binary.height, 0, layer, parent, [&] {
      const std::vector<Schedule> cut = pieces(binary, shape, layer);
      std::vector<std::uint32_t> ready{0};
      std::vector<std::uint32_t> order;
      for_schedules(shape, ready, order, [&] {
        Schedule schedule;
        schedule.reserve(tree.size());
        for (const std::uint32_t node : order)
          schedule.insert(schedule.end(), cut[node].begin(), cut[node].end());
        distinct.insert(std::move(schedule));
      });
    });
  }
  return Family(distinct.begin(), distinct.end());
}

}  // namespace gainsay::family
