#include "gainsay/family/chain_partition.hpp"

#include <algorithm>
#include <utility>

#include "gainsay/base/check.hpp"

namespace gainsay::family {

ChainPartition::Added ChainPartition::add(Past& past) {
  // The least level with a chain that the element can extend, and that chain.
  const auto none = static_cast<std::uint32_t>(group_at_.size());
  std::uint32_t level = none;
  Added added;
  std::size_t kept = 0;
  for (const Top& top : past) {
    GAINSAY_CHECK(top.chain < length_.size(), "a past names chains of this partition");
    if (!live(top)) continue;
    past[kept++] = top;
    const std::uint32_t its_level = level_of_[group_of_[top.chain]];
    if (its_level >= level) continue;
    level = its_level;
    added.chain = top.chain;
  }
  past.resize(kept);

  ++elements_;
  if (level == none) {
    level = 0;
    while (level < none && size_of_[group_at_[level]] == level + 1) ++level;
    if (level == none) {
      group_at_.push_back(level);
      level_of_.push_back(level);
      size_of_.push_back(0);
    }
    added.chain = static_cast<std::uint32_t>(length_.size());
    added.new_chain = true;
    length_.push_back(0);
    group_of_.push_back(group_at_[level]);
    ++size_of_[group_at_[level]];
  }
  added.length = ++length_[added.chain];

  if (level > 0) {
    // B_(i-1), B_i := B_i without the chain, B_(i-1) with it.
    const std::uint32_t from = group_at_[level];
    const std::uint32_t to = group_at_[level - 1];
    GAINSAY_CHECK(group_of_[added.chain] == from, "the chain stands where it was found");
    group_of_[added.chain] = to;
    --size_of_[from];
    ++size_of_[to];
    std::swap(group_at_[level - 1], group_at_[level]);
    std::swap(level_of_[from], level_of_[to]);
    GAINSAY_CHECK(size_of_[from] <= level && size_of_[to] <= level + 1, "level i holds at most i chains");
  }

  const auto at = std::lower_bound(past.begin(), past.end(), added.chain,
                                   [](const Top& top, std::uint32_t chain) { return top.chain < chain; });
  const Top own{added.chain, added.length};
  if (at != past.end() && at->chain == added.chain) {
    *at = own;
  } else {
    past.insert(at, own);
  }
  return added;
}

void ChainPartition::join(Past& into, const Past& from) const {
  merged_.clear();
  auto a = into.begin();
  auto b = from.begin();
  while (a != into.end() || b != from.end()) {
    const bool from_a = b == from.end() || (a != into.end() && a->chain <= b->chain);
    const Top top = from_a ? *a : *b;
    if (live(top) && (merged_.empty() || merged_.back().chain != top.chain)) merged_.push_back(top);
    from_a ? ++a : ++b;
  }
  into.swap(merged_);
}

void ChainPartition::clear() {
  length_.clear();
  group_of_.clear();
  level_of_.clear();
  size_of_.clear();
  group_at_.clear();
  elements_ = 0;
}

}  // namespace gainsay::family
