#include "gainsay/family/chain_partition.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/family/coverage.hpp"

namespace gainsay::family {
namespace {

// An upgrowing poset, dumb: element y with everything below it, as sets of earlier numbers.
using Downset = std::set<std::uint32_t>;
using Upgrowing = std::vector<Downset>;

// Algorithm 2 with sets of chains, no shortcut. As printed it opens a chain wherever a level has room; ours
// looks for a chain to extend in all levels first.
class DumbPartition {
 public:
  explicit DumbPartition(bool as_printed) : as_printed_(as_printed) {}

  std::uint32_t add(std::uint32_t y, const Downset& below) {
    for (const bool open : as_printed_ ? std::vector<bool>{true} : std::vector<bool>{false, true}) {
      for (std::size_t i = 0; i < levels_.size() + (open ? 1 : 0); ++i) {
        if (i == levels_.size()) levels_.emplace_back();
        int chain = -1;
        for (const std::uint32_t candidate : levels_[i]) {
          if (chain < 0 && below.contains(last_[candidate])) chain = static_cast<int>(candidate);
        }
        if (chain < 0 && open && levels_[i].size() < i + 1) {
          chain = static_cast<int>(last_.size());
          last_.push_back(y);
        }
        if (chain >= 0) return put(static_cast<std::uint32_t>(chain), i, y);
      }
    }
    ADD_FAILURE() << "nowhere to put an element";
    return 0;
  }
  std::size_t chains() const { return last_.size(); }

 private:
  std::uint32_t put(std::uint32_t chain, std::size_t i, std::uint32_t y) {
    last_[chain] = y;
    levels_[i].insert(chain);
    if (i > 0) {
      std::set<std::uint32_t> upper = levels_[i - 1];
      upper.insert(chain);
      levels_[i].erase(chain);
      levels_[i - 1] = levels_[i];
      levels_[i] = upper;
    }
    return chain;
  }

  bool as_printed_;
  std::vector<std::set<std::uint32_t>> levels_;
  std::vector<std::uint32_t> last_;
};

std::size_t width(const Upgrowing& poset) {  // the greatest antichain, over all subsets
  std::size_t best = 0;
  const std::size_t n = poset.size();
  for (std::uint32_t set = 1; set < 1U << n; ++set) {
    bool antichain = true;
    for (std::uint32_t y = 0; y < n && antichain; ++y) {
      for (const std::uint32_t x : poset[y]) antichain = antichain && !((set >> y & 1U) && (set >> x & 1U));
    }
    if (antichain) best = std::max(best, static_cast<std::size_t>(__builtin_popcount(set)));
  }
  return best;
}

// The chains of both, which must agree element by element, with the invariants looked at from outside.
std::size_t partition(const Upgrowing& poset, std::size_t* printed_chains = nullptr) {
  ChainPartition partition;
  DumbPartition dumb(false);
  DumbPartition printed(true);
  std::vector<ChainPartition::Past> pasts;
  std::vector<std::vector<std::uint32_t>> chains;
  for (std::uint32_t y = 0; y < poset.size(); ++y) {
    ChainPartition::Past past;
    for (const std::uint32_t x : poset[y]) partition.join(past, pasts[x]);
    const ChainPartition::Added added = partition.add(past);
    EXPECT_EQ(added.chain, dumb.add(y, poset[y]));
    printed.add(y, poset[y]);
    EXPECT_EQ(added.new_chain, added.chain == chains.size());
    if (added.new_chain) chains.emplace_back();
    if (!chains[added.chain].empty()) {
      EXPECT_TRUE(poset[y].contains(chains[added.chain].back())) << "not a chain";
    }
    chains[added.chain].push_back(y);
    EXPECT_EQ(added.length, chains[added.chain].size());
    pasts.push_back(std::move(past));
  }
  EXPECT_EQ(partition.chains(), dumb.chains());
  if (printed_chains != nullptr) *printed_chains = printed.chains();
  EXPECT_EQ(partition.elements(), poset.size());
  for (std::uint32_t a = 0; a < chains.size(); ++a) {
    for (std::uint32_t b = 0; b < chains.size(); ++b) {
      if (a == b || partition.level_of(a) != partition.level_of(b)) continue;
      EXPECT_FALSE(poset[chains[b].back()].contains(chains[a].back())) << "last elements of a level compare";
    }
  }
  return partition.chains();
}

// Every poset on {0..n-1} in which a smaller number never is above a larger one: each is one poset together
// with one upgrowing order of it, and all such pairs occur.
void for_all_upgrowing(std::size_t n, Upgrowing& poset, const std::function<void(const Upgrowing&)>& use) {
  if (poset.size() == n) return use(poset);
  const std::size_t k = poset.size();
  for (std::uint32_t set = 0; set < 1U << k; ++set) {
    Downset below;
    bool closed = true;
    for (std::uint32_t x = 0; x < k; ++x) {
      if (!(set >> x & 1U)) continue;
      below.insert(x);
      for (const std::uint32_t under : poset[x]) closed = closed && (set >> under & 1U);
    }
    if (!closed) continue;
    poset.push_back(below);
    for_all_upgrowing(n, poset, use);
    poset.pop_back();
  }
}

TEST(ChainPartition, UsesAtMostTheTriangularNumberOnEveryUpgrowingOrderOfEveryPoset) {
  // 1, 2, 7, 40, 357, 4824 naturally labelled posets with 1..6 elements (OEIS A006455).
  const std::size_t counts[] = {1, 1, 2, 7, 40, 357, 4824};
  for (std::size_t n = 1; n <= 6; ++n) {
    std::size_t count = 0;
    Upgrowing poset;
    for_all_upgrowing(n, poset, [&](const Upgrowing& p) {
      ++count;
      const std::size_t most = chains_for_width(width(p));
      std::size_t printed = 0;
      EXPECT_LE(partition(p, &printed), most);
      EXPECT_LE(printed, most);
    });
    EXPECT_EQ(count, counts[n]);
  }
}

// The greatest antichain by Dilworth: n minus a maximum matching of x < y.
class Growing {
 public:
  explicit Growing(Upgrowing poset = {}) : poset_(std::move(poset)) {}

  std::size_t width_with(const Downset& below) {
    poset_.push_back(below);
    const std::size_t found = width();
    poset_.pop_back();
    return found;
  }
  std::size_t width() {
    const std::size_t n = poset_.size();
    partner_.assign(n, -1);
    std::size_t matched = 0;
    for (std::uint32_t y = 0; y < n; ++y) {
      seen_.assign(n, false);
      matched += match(y) ? 1 : 0;
    }
    return n - matched;
  }
  void grow(const Downset& below) { poset_.push_back(below); }
  const Upgrowing& poset() const { return poset_; }

 private:
  bool match(std::uint32_t y) {
    for (const std::uint32_t x : poset_[y]) {
      if (seen_[x]) continue;
      seen_[x] = true;
      if (partner_[x] >= 0 && !match(static_cast<std::uint32_t>(partner_[x]))) continue;
      partner_[x] = static_cast<int>(y);
      return true;
    }
    return false;
  }

  Upgrowing poset_;
  std::vector<int> partner_;
  std::vector<bool> seen_;
};

std::size_t dilworth_width(const Upgrowing& poset) { return Growing(poset).width(); }

// Felsner's lower bound (1997) as a player. It draws w lines upwards; every element stands on one line, so
// the width is at most w. A chain is private to a line if its last element is at or below the end of that
// line and of no other. `raise` makes line i have i private chains, whatever the algorithm does: the first w
// - 1 lines by recursion, the last one has p = 1; then, while p < w, one element above the ends of the last
// line and of line p, which have p private chains each. It takes a private chain of at most one of them; call
// that line p, the other one last. Now the last line has the element's chain and its own p, and recursion
// restores the rest with fresh elements that are not below it.
class Felsner {
 public:
  using Algorithm = std::function<std::uint32_t(std::uint32_t y, const Downset& below)>;

  explicit Felsner(Algorithm algorithm) : algorithm_(std::move(algorithm)) {}

  std::size_t play(std::size_t w) {
    ends_.assign(w, -1);
    std::vector<std::size_t> lines(w);
    for (std::size_t i = 0; i < w; ++i) lines[i] = i;
    raise(lines);
    for (std::size_t i = 0; i < w; ++i) EXPECT_GE(privates(lines[i]).size(), i + 1);
    return last_.size();
  }
  const Upgrowing& poset() const { return poset_; }

 private:
  // Adds an element to `line`, also above the end of `other`.
  std::uint32_t put(std::size_t line, std::optional<std::size_t> other = std::nullopt) {
    Downset below;
    for (const std::size_t under : {line, other.value_or(line)}) {
      if (ends_[under] < 0) continue;
      const auto end = static_cast<std::uint32_t>(ends_[under]);
      below.insert(end);
      below.insert(poset_[end].begin(), poset_[end].end());
    }
    const auto y = static_cast<std::uint32_t>(poset_.size());
    const std::uint32_t chain = algorithm_(y, below);
    if (chain == last_.size()) last_.push_back(y);
    last_[chain] = y;
    poset_.push_back(std::move(below));
    ends_[line] = static_cast<int>(y);
    return chain;
  }

  bool under(std::uint32_t x, std::size_t line) const {
    const auto end = static_cast<std::uint32_t>(ends_[line]);
    return ends_[line] >= 0 && (x == end || poset_[end].contains(x));
  }

  std::set<std::uint32_t> privates(std::size_t line) const {
    std::set<std::uint32_t> found;
    for (std::uint32_t chain = 0; chain < last_.size(); ++chain) {
      bool others = false;
      for (std::size_t l = 0; l < ends_.size(); ++l) others = others || (l != line && under(last_[chain], l));
      if (under(last_[chain], line) && !others) found.insert(chain);
    }
    return found;
  }

  void raise(std::vector<std::size_t>& lines) {
    if (lines.size() == 1) {
      put(lines[0]);
      return;
    }
    std::vector<std::size_t> rest(lines.begin(), lines.end() - 1);
    std::size_t last = lines.back();
    raise(rest);
    put(last);
    for (std::size_t p = 1; p < lines.size(); ++p) {
      std::size_t& twin = rest[p - 1];
      const std::set<std::uint32_t> of_last = privates(last);
      ASSERT_GE(of_last.size(), p);
      ASSERT_GE(privates(twin).size(), p);
      // The element belongs to the line whose private chains it did not take.
      const int end_before = ends_[last];
      const std::uint32_t chain = put(last, twin);
      if (of_last.contains(chain)) {
        ends_[twin] = ends_[last];
        ends_[last] = end_before;
        std::swap(twin, last);
      }
      raise(rest);
    }
    lines = rest;
    lines.push_back(last);
  }

  Algorithm algorithm_;
  Upgrowing poset_;
  std::vector<std::uint32_t> last_;  // of each chain
  std::vector<int> ends_;            // of each line; -1: none yet
};

TEST(ChainPartition, FelsnersAdversaryForcesTheTriangularNumber) {
  for (std::size_t w = 1; w <= 5; ++w) {
    ChainPartition partition;
    std::vector<ChainPartition::Past> pasts;
    Felsner against_ours([&](std::uint32_t, const Downset& below) {
      ChainPartition::Past past;
      for (const std::uint32_t x : below) partition.join(past, pasts[x]);
      const std::uint32_t chain = partition.add(past).chain;
      pasts.push_back(std::move(past));
      return chain;
    });
    EXPECT_EQ(against_ours.play(w), chains_for_width(w));
    EXPECT_EQ(dilworth_width(against_ours.poset()), w);

    // The adversary is right about every algorithm: Algorithm 2 as printed, and first fit.
    DumbPartition printed(true);
    Felsner against_printed([&](std::uint32_t y, const Downset& below) { return printed.add(y, below); });
    EXPECT_EQ(against_printed.play(w), chains_for_width(w));
    std::vector<std::uint32_t> last;
    Felsner against_first_fit([&](std::uint32_t y, const Downset& below) {
      std::uint32_t chain = 0;
      while (chain < last.size() && !below.contains(last[chain])) ++chain;
      if (chain == last.size()) last.push_back(y);
      last[chain] = y;
      return chain;
    });
    EXPECT_GE(against_first_fit.play(w), chains_for_width(w));
  }
}

// Whether some online algorithm gets along with `chains` chains on all upgrowing posets of width at most `w`
// with at most `size` elements. An algorithm's state is the chain of each element; new chains are alike.
bool scheduler_wins(Growing& growing, std::vector<std::uint32_t>& chain_of, std::uint32_t used,
                    std::uint32_t chains, std::size_t w, std::size_t size) {
  const Upgrowing poset = growing.poset();
  if (poset.size() == size) return true;
  for (std::uint32_t set = 0; set < 1U << poset.size(); ++set) {
    Downset below;
    bool closed = true;
    for (std::uint32_t x = 0; x < poset.size(); ++x) {
      if (!(set >> x & 1U)) continue;
      below.insert(x);
      for (const std::uint32_t under : poset[x]) closed = closed && (set >> under & 1U);
    }
    if (!closed || growing.width_with(below) > w) continue;
    bool answered = false;
    for (std::uint32_t chain = 0; chain <= used && chain < chains && !answered; ++chain) {
      bool fits = true;
      for (std::uint32_t x = 0; x < poset.size(); ++x)
        fits = fits && (chain_of[x] != chain || below.contains(x));
      if (!fits) continue;
      Growing next = growing;
      next.grow(below);
      chain_of.push_back(chain);
      answered = scheduler_wins(next, chain_of, std::max(used, chain + 1), chains, w, size);
      chain_of.pop_back();
    }
    if (!answered) return false;
  }
  return true;
}

TEST(ChainPartition, NoOnlineAlgorithmDoesWithFewerAtWidthTwo) {
  Growing growing;
  std::vector<std::uint32_t> chain_of;
  // Two incomparable elements, one above both, one above the element whose chain that took.
  EXPECT_FALSE(scheduler_wins(growing, chain_of, 0, 2, 2, 4));
  EXPECT_TRUE(scheduler_wins(growing, chain_of, 0, 2, 2, 3));
  EXPECT_TRUE(scheduler_wins(growing, chain_of, 0, 3, 2, 5));
}

TEST(ChainPartition, OneChainNeedsOneAndClearForgets) {
  ChainPartition partition;
  for (int round = 0; round < 2; ++round) {
    ChainPartition::Past past;
    for (std::uint32_t i = 1; i <= 1000; ++i) {
      const ChainPartition::Added added = partition.add(past);
      EXPECT_EQ(added.chain, 0U);
      EXPECT_EQ(added.length, i);
      EXPECT_EQ(past, (ChainPartition::Past{{0, i}}));
    }
    EXPECT_EQ(partition.chains(), 1U);
    EXPECT_EQ(partition.levels(), 1U);
    partition.clear();
    EXPECT_EQ(partition.chains(), 0U);
  }
}

// The thesis' figure 6.1: request, then log and terminate, then flush, then flushed.
TEST(ChainPartition, TheFlushRaceHasTwoChains) {
  ChainPartition partition;
  ChainPartition::Past request;
  partition.add(request);
  ChainPartition::Past log = request;
  ChainPartition::Past terminate = request;
  const auto first = partition.add(log);
  const auto second = partition.add(terminate);
  EXPECT_FALSE(first.new_chain);
  EXPECT_TRUE(second.new_chain);
  EXPECT_EQ(partition.add(terminate).chain, second.chain);
  EXPECT_EQ(partition.add(terminate).chain, second.chain);
  EXPECT_EQ(partition.chains(), 2U);
}

}  // namespace
}  // namespace gainsay::family
