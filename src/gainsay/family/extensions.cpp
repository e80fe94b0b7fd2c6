#include "gainsay/family/extensions.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace gainsay::family {
namespace {

// The elements as chains, each with what it needs of the others. An ideal is how far each chain has been taken; these
// numbers are the digits of its key.
struct Chains {
  std::vector<Schedule> chains;
  std::vector<std::uint64_t> weight;  // by chain: what one more element adds to a key
  std::vector<std::vector<std::uint32_t>>
      needed;        // by element: of each chain so many must be there before it
  bool fits = true;  // keys fit into 64 bits

  explicit Chains(const Poset& poset) {
    // An element stands behind all below it if they are taken in the order of how many those are.
    Schedule order(poset.size());
    std::vector<std::size_t> below(poset.size(), 0);
    for (Element x = 0; x < poset.size(); ++x) {
      order[x] = x;
      for (const std::uint64_t word : poset.below(x))
        below[x] += static_cast<std::size_t>(__builtin_popcountll(word));
    }
    std::stable_sort(order.begin(), order.end(), [&](Element a, Element b) { return below[a] < below[b]; });
    for (const Element x : order) {
      const auto home = std::find_if(chains.begin(), chains.end(),
                                     [&](const Schedule& chain) { return poset.less(chain.back(), x); });
      if (home == chains.end()) {
        chains.push_back({x});
      } else {
        home->push_back(x);
      }
    }
    std::uint64_t next = 1;
    for (const Schedule& chain : chains) {
      weight.push_back(next);
      fits = fits && !__builtin_mul_overflow(next, chain.size() + 1, &next);
    }
    needed.assign(poset.size(), std::vector<std::uint32_t>(chains.size(), 0));
    for (Element x = 0; x < poset.size(); ++x) {
      for (std::size_t c = 0; c < chains.size(); ++c) {
        for (const Element y : chains[c]) needed[x][c] += poset.less(y, x) ? 1 : 0;
      }
    }
  }

  std::uint32_t taken(std::uint64_t key, std::size_t chain) const {
    return static_cast<std::uint32_t>(key / weight[chain] % (chains[chain].size() + 1));
  }
};

struct KeyHash {
  std::size_t operator()(std::uint64_t key) const { return key * 0x9e3779b97f4a7c15ULL; }
};

}  // namespace

std::optional<long double> count_schedules(const Poset& poset, std::size_t ideals_max) {
  const Chains all(poset);
  if (!all.fits) return std::nullopt;
  const std::size_t width = all.chains.size();
  // Ideals of one size, and how many schedules of each there are.
  boost::unordered_flat_map<std::uint64_t, long double, KeyHash> level{{0, 1.0L}};
  boost::unordered_flat_map<std::uint64_t, long double, KeyHash> next;
  std::vector<std::uint32_t> taken(width);
  std::size_t ideals = 1;
  for (std::size_t size = 0; size < poset.size(); ++size) {
    next.clear();
    for (const auto& [key, schedules] : level) {
      for (std::size_t c = 0; c < width; ++c) taken[c] = all.taken(key, c);
      for (std::size_t c = 0; c < width; ++c) {
        if (taken[c] == all.chains[c].size()) continue;
        const std::vector<std::uint32_t>& needed = all.needed[all.chains[c][taken[c]]];
        if (std::equal(needed.begin(), needed.end(), taken.begin(),
                       [](std::uint32_t need, std::uint32_t have) { return need <= have; }))
          next[key + all.weight[c]] += schedules;
      }
    }
    ideals += next.size();
    if (ideals > ideals_max) return std::nullopt;
    std::swap(level, next);
  }
  return level.begin()->second;
}

}  // namespace gainsay::family
