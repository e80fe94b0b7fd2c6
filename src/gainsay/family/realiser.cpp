#include "gainsay/family/realiser.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay::family {
namespace {

class Orientation {
 public:
  explicit Orientation(const Poset& poset) : n_(poset.size()), edge_(n_ * n_, false), arc_(n_ * n_, false) {
    for (Element x = 0; x < n_; ++x) {
      for (Element y = 0; y < n_; ++y) edge_[x * n_ + y] = poset.incomparable(x, y);
    }
  }

  // Orients all edges transitively; false if that cannot be.
  bool orient() {
    for (Element x = 0; x < n_; ++x) {
      for (Element y = x + 1; y < n_; ++y) {
        if (edge_[x * n_ + y] && !orient_class(x, y)) return false;
      }
    }
    return true;
  }
  bool before(Element x, Element y) const { return arc_[x * n_ + y]; }

 private:
  // x->y and everything it forces among the edges that are left, which then leave.
  bool orient_class(Element from, Element to) {
    std::vector<std::pair<Element, Element>> forced{{from, to}};
    arc_[from * n_ + to] = true;
    for (std::size_t i = 0; i < forced.size(); ++i) {
      const auto [x, y] = forced[i];
      for (Element z = 0; z < n_; ++z) {
        // x->y with x-z an edge and y-z none forces x->z; with y-z an edge and x-z none it forces z->y.
        if (z == x || z == y) continue;
        const bool xz = edge_[x * n_ + z];
        const bool yz = edge_[y * n_ + z];
        if (xz == yz) continue;
        const Element a = xz ? x : z;
        const Element b = xz ? z : y;
        if (arc_[a * n_ + b]) continue;
        if (arc_[b * n_ + a]) return false;
        arc_[a * n_ + b] = true;
        forced.emplace_back(a, b);
      }
    }
    for (const auto& [x, y] : forced) edge_[x * n_ + y] = edge_[y * n_ + x] = false;
    return true;
  }

  std::size_t n_;
  std::vector<bool> edge_;  // not oriented yet
  std::vector<bool> arc_;
};

// The total order in which x comes before y iff `before(x, y)`.
template <class Before> Schedule sorted(std::size_t n, const Before& before) {
  std::vector<std::pair<std::size_t, Element>> ranks;
  for (Element x = 0; x < n; ++x) {
    std::size_t rank = 0;
    for (Element y = 0; y < n; ++y) rank += before(y, x) ? 1 : 0;
    ranks.emplace_back(rank, x);
  }
  std::sort(ranks.begin(), ranks.end());
  Schedule schedule;
  for (const auto& [rank, x] : ranks) schedule.push_back(x);
  return schedule;
}

}  // namespace

std::optional<std::pair<Schedule, Schedule>> dimension_two_realiser(const Poset& poset) {
  Orientation orientation(poset);
  if (!orientation.orient()) return std::nullopt;
  auto left = sorted(poset.size(),
                     [&](Element x, Element y) { return poset.less(x, y) || orientation.before(x, y); });
  auto right = sorted(poset.size(),
                      [&](Element x, Element y) { return poset.less(x, y) || orientation.before(y, x); });
  GAINSAY_CHECK(is_schedule(poset, left) && is_schedule(poset, right),
                "a transitive orientation sorts the poset");
  return std::pair{std::move(left), std::move(right)};
}

}  // namespace gainsay::family
