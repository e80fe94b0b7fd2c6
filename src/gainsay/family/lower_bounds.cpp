#include "gainsay/family/lower_bounds.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/coverage.hpp"

namespace gainsay::family {

// What is incomparable with x is convex (between two such elements there are only such), so its chains can be followed
// along immediate successors. Quadratic in elements times their successors.
std::size_t chain_beside(const Poset& poset) {
  const Schedule order = first_schedule(poset);
  std::vector<std::vector<Element>> before(poset.size());
  for (Element y = 0; y < poset.size(); ++y) before[y] = poset.immediate_predecessors(y);
  std::size_t best = 0;
  std::vector<std::size_t> length(poset.size());
  for (Element x = 0; x < poset.size(); ++x) {
    for (const Element y : order) {
      length[y] = 0;
      if (!poset.incomparable(x, y)) continue;
      length[y] = 1;
      for (const Element z : before[y]) length[y] = std::max(length[y], length[z] + 1);
      best = std::max(best, length[y]);
    }
  }
  GAINSAY_CHECK(best < std::max<std::size_t>(1, poset.size()), "an element is not beside itself");
  return best;
}

// Beside a node are the subtrees that leave its path from the root. So where a node has two children, each child's
// highest path stands beside the other child.
std::size_t chain_beside(const Tree& tree) {
  std::vector<std::size_t> height(tree.size(), 1);
  const Schedule down = tree.traversal(false);
  for (std::size_t i = down.size(); i-- > 0;) {
    const Element parent = tree.parent(down[i]);
    if (parent != no_parent) height[parent] = std::max(height[parent], height[down[i]] + 1);
  }
  std::size_t best = 0;
  const auto look_at = [&](const std::vector<Element>& siblings) {
    if (siblings.size() < 2) return;
    for (const Element child : siblings) best = std::max(best, height[child]);
  };
  look_at(tree.roots());
  for (Element x = 0; x < tree.size(); ++x) look_at(tree.children(x));
  return best;
}

std::uint64_t antichain_lower_bound(std::uint64_t w, std::uint64_t d) {
  std::uint64_t best = w >= 2 && d >= 2 ? 2 : 1;
  for (std::uint64_t r = 1; 2 * r + 1 <= d && r < w; ++r) {
    const double k =
        log_falling_factorial(static_cast<double>(w - 1), r) / std::log(static_cast<double>(r + 1));
    // Down by a hair: a logarithm that is a whole number must not become the next one.
    best = std::max(best, static_cast<std::uint64_t>(std::ceil(k - 1e-9)));
  }
  return best;
}

std::vector<LowerBound> lower_bounds(const OrderFacts& facts, const Poset* poset, std::size_t d) {
  // Without tuples of d elements there is nothing to hit.
  if (facts.chain || d < 2 || d > facts.size) return {{1, "one schedule is always needed"}};
  std::vector<LowerBound> found = {{2, "two of its elements are not ordered"}};
  if (facts.standard) found.push_back({facts.standard->size(), "it is a standard example (Example 5.1)"});
  if (d >= 3) {
    const std::size_t m = poset != nullptr ? chain_beside(*poset) : chain_beside(*facts.tree);
    found.push_back(
        {m + 1, fmt::format("it has a chain of {} beside an element (Proposition 5.3)", with_commas(m))});
    const std::size_t w = poset != nullptr ? width(*poset) : facts.antichain ? facts.size : 0;
    if (w >= 3)
      found.push_back({antichain_lower_bound(w, d),
                       fmt::format("it has an antichain of {} (Theorem 5.4)", with_commas(w))});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const LowerBound& a, const LowerBound& b) { return a.schedules > b.schedules; });
  return found;
}

}  // namespace gainsay::family
