#include "gainsay/family/choose.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/coverage.hpp"
#include "gainsay/family/hitting.hpp"
#include "gainsay/family/realiser.hpp"
#include "gainsay/family/tree_patterns.hpp"

namespace gainsay::family {
namespace {

constexpr std::size_t realiser_size_max = 400;  // finding one takes cubic time and more
constexpr std::size_t pattern_depth_max = 7;  // beyond, there are millions of patterns for the flattest tree

std::string size_text(double size) {
  return size < 1e15 ? with_commas(static_cast<std::uint64_t>(size)) : fmt::format("{:.3g}", size);
}

Family reordered(Family family, const std::vector<Element>& old_number) {
  for (Schedule& schedule : family) {
    for (Element& x : schedule) x = old_number[x];
  }
  return family;
}

Family chain_and_one(const Poset& poset, Element independent, std::size_t d) {
  std::vector<Element> old_number;
  for (const Element x : first_schedule(poset)) {
    if (x != independent) old_number.push_back(x);
  }
  old_number.push_back(independent);
  return reordered(chain_with_independent_family(poset.size() - 1, d), old_number);
}

}  // namespace

std::string name_of(Construction construction) {
  switch (construction) {
    case Construction::single:
      return "one schedule";
    case Construction::antichain:
      return "antichain (Theorem 3.1, Example 3.3)";
    case Construction::chain_and_one:
      return "chain with an independent element (section 5.2.1)";
    case Construction::traversals:
      return "two schedules of a realiser (Proposition 5.6)";
    case Construction::tree_of_three:
      return "layers of a binary tree (Theorem 5.10, Lemma 5.9)";
    case Construction::series_parallel:
      return "layers of a binary semilattice (Theorem 5.10, Lemma 5.8)";
    case Construction::tree_patterns:
      return "patterns of trees (Theorem 5.12)";
    case Construction::standard:
      return "standard example (Example 5.1)";
    case Construction::dimension_two:
      return "dimension two (Proposition 5.2)";
    case Construction::general:
      return "any order (Proposition 5.1)";
  }
  return "";
}

namespace {

constexpr std::pair<Construction, const char*> construction_list[] = {
    {Construction::single, "single"},
    {Construction::antichain, "antichain"},
    {Construction::chain_and_one, "chain-and-one"},
    {Construction::traversals, "realiser"},
    {Construction::tree_of_three, "tree-layers"},
    {Construction::series_parallel, "series-parallel"},
    {Construction::tree_patterns, "patterns"},
    {Construction::standard, "standard"},
    {Construction::dimension_two, "dimension-two"},
    {Construction::general, "general"},
};

// Two layers of n >= 3 elements each, and each element is beside exactly one of the other layer.
std::optional<std::vector<std::pair<Element, Element>>> standard_pairs(const Poset& poset) {
  const std::size_t n = poset.size() / 2;
  if (poset.size() != 2 * n || n < 3 || height(poset) != 2) return std::nullopt;
  std::vector<std::pair<Element, Element>> pairs;
  std::vector<bool> taken(poset.size());
  const std::vector<std::uint32_t> layer = layers(poset);
  for (Element a = 0; a < poset.size(); ++a) {
    if (layer[a] != 0) continue;
    std::size_t beside = 0;
    Element b = 0;
    for (Element y = 0; y < poset.size(); ++y) {
      if (layer[y] == 0 || poset.less(a, y)) continue;
      ++beside;
      b = y;
    }
    if (beside != 1 || taken[b]) return std::nullopt;
    taken[b] = true;
    pairs.emplace_back(a, b);
  }
  if (pairs.size() != n) return std::nullopt;
  return pairs;
}

// Schedule i: all other a's, b_i, a_i, all other b's. Every pair of a's is hit by the schedule in which its second one
// comes last, every pair of b's by that in which its first one comes first.
Family standard_family(const std::vector<std::pair<Element, Element>>& pairs) {
  Family family;
  for (const auto& [a, b] : pairs) {
    Schedule& schedule = family.emplace_back();
    for (const auto& other : pairs) {
      if (other.first != a) schedule.push_back(other.first);
    }
    schedule.push_back(b);
    schedule.push_back(a);
    for (const auto& other : pairs) {
      if (other.second != b) schedule.push_back(other.second);
    }
  }
  return family;
}

Plan plan_of(const OrderFacts& facts, std::size_t d, const std::string& wanted) {
  const std::vector<Plan> found = plans(facts, d);
  if (wanted.empty()) return found.front();
  std::vector<std::string> words;
  for (const Plan& plan : found) {
    if (word_of(plan.construction) == wanted) return plan;
    words.push_back(word_of(plan.construction));
  }
  throw UserError(fmt::format("construction '{}' is not for this order with d = {}; there are: {}", wanted, d,
                              fmt::join(words, ", ")));
}

}  // namespace

std::string word_of(Construction construction) {
  for (const auto& [each, word] : construction_list) {
    if (each == construction) return word;
  }
  return "";
}

std::vector<std::string> construction_words() {
  std::vector<std::string> words;
  for (const auto& [each, word] : construction_list) words.emplace_back(word);
  return words;
}

OrderFacts recognise(const Poset& poset) {
  if (poset.size() == 0) throw UserError("the order has no elements");
  OrderFacts facts;
  facts.size = poset.size();
  facts.height = height(poset);
  facts.chain = facts.height == facts.size;
  facts.antichain = facts.height == 1;
  if (!facts.chain && !facts.antichain && facts.height + 1 == facts.size) {
    for (Element x = 0; x < poset.size(); ++x) {
      bool alone = true;
      for (Element y = 0; y < poset.size() && alone; ++y) alone = x == y || poset.incomparable(x, y);
      if (alone) facts.independent = x;
    }
  }
  facts.tree = as_tree(poset);
  facts.standard = standard_pairs(poset);
  auto decomposed = decompose(poset);
  if (auto* order = std::get_if<SpOrder>(&decomposed)) {
    facts.realiser = order->realiser();
    facts.series_parallel = std::move(*order);
    return facts;
  }
  facts.zigzag = std::get<ZigZag>(decomposed);
  facts.dimension_known = poset.size() <= realiser_size_max;
  if (facts.dimension_known) facts.realiser = dimension_two_realiser(poset);
  return facts;
}

OrderFacts recognise(const Tree& tree) {
  if (tree.size() == 0) throw UserError("the tree has no nodes");
  OrderFacts facts;
  facts.size = tree.size();
  facts.height = tree.height();
  facts.chain = facts.height == facts.size;
  facts.antichain = facts.height == 1;
  facts.tree = tree;
  facts.realiser = std::pair{tree.traversal(false), tree.traversal(true)};
  return facts;
}

std::vector<Plan> plans(const OrderFacts& facts, std::size_t d) {
  if (d == 0) throw UserError("d must be at least 1: a family hits tuples of d elements");
  if (facts.chain || d == 1 || facts.size == 1) return {{Construction::single, 1}};
  const auto n = static_cast<double>(facts.size);
  std::vector<Plan> found;
  if (facts.antichain) {
    const std::size_t length = std::min(facts.size, d);
    const double p = std::exp(-std::lgamma(static_cast<double>(length) + 1));
    found.push_back(
        {Construction::antichain,
         d == 2 ? 2 : static_cast<double>(tests_needed(log_falling_factorial(n, length), p, 1e-9))});
  }
  if (facts.independent) found.push_back({Construction::chain_and_one, d == 2 ? 2 : n});
  if (facts.realiser && d == 2) found.push_back({Construction::traversals, 2});
  if (facts.standard && d == 2)
    found.push_back({Construction::standard, static_cast<double>(facts.standard->size())});
  if (facts.tree && d >= 3) {
    const std::size_t binary_height = binary_embedding(*facts.tree).height;
    if (d == 3) found.push_back({Construction::tree_of_three, 4 * static_cast<double>(binary_height)});
    if (d > 3 && d <= pattern_depth_max)
      found.push_back({Construction::tree_patterns, std::max(1.0, pattern_count(binary_height, d))});
  }
  if (facts.series_parallel && d == 3 && !facts.tree) {
    const std::size_t extended = binary_semilattice(*facts.series_parallel).height();
    found.push_back({Construction::series_parallel, 4 * static_cast<double>(extended)});
  }
  if (facts.realiser && d >= 3)
    found.push_back({Construction::dimension_two, 2 * falling_factorial(n, d - 2)});
  found.push_back({Construction::general, falling_factorial(n, std::min(d - 1, facts.size))});
  for (Plan& plan : found) plan.size = std::max(plan.size, 1.0);
  std::stable_sort(found.begin(), found.end(), [](const Plan& a, const Plan& b) { return a.size < b.size; });
  return found;
}

BuiltFamily build(const OrderFacts& facts, const Poset* poset, std::size_t d, std::uint64_t seed,
                  double entries_max, const std::string& wanted) {
  BuiltFamily built;
  built.plan = plan_of(facts, d, wanted);
  const double entries = built.plan.size * static_cast<double>(facts.size);
  if (entries > entries_max)
    throw UserError(fmt::format(
        "a {}-hitting family of this order of {} elements would have up to {} schedules ({}): "
        "too many to build; take a smaller d or a smaller order, or sample with pctcp",
        d, with_commas(facts.size), size_text(built.plan.size), name_of(built.plan.construction)));
  std::optional<Poset> closure;
  const auto order = [&]() -> const Poset& {
    if (poset != nullptr) return *poset;
    if (!closure) closure = facts.tree->poset();
    return *closure;
  };
  switch (built.plan.construction) {
    case Construction::single:
      built.family = {facts.tree ? facts.tree->traversal(false) : first_schedule(order())};
      break;
    case Construction::antichain: {
      Rng rng(seed);
      AntichainFamily sampled = antichain_family(facts.size, d, rng);
      built.family = std::move(sampled.family);
      if (d == 2) break;
      built.remark = fmt::format(
          "{} random permutations{}; the local lemma says that {} suffice", with_commas(sampled.sampled),
          sampled.verified
              ? fmt::format(" (Theorem 3.1), verified, {} added for missed tuples, {} dropped again",
                            sampled.repaired, sampled.thinned)
              : fmt::format(", not verified: a tuple is missed with probability at most {:.0e}",
                            sampled.epsilon),
          with_commas(sampled.lovasz_bound));
      break;
    }
    case Construction::chain_and_one:
      built.family = chain_and_one(order(), *facts.independent, d);
      break;
    case Construction::traversals:
      built.family = {facts.realiser->first, facts.realiser->second};
      make_distinct(built.family);
      break;
    case Construction::tree_of_three:
      built.family = tree_family_of_three(*facts.tree);
      break;
    case Construction::series_parallel:
      built.family = series_parallel_family(*facts.series_parallel);
      break;
    case Construction::tree_patterns:
      built.family = tree_family(*facts.tree, d);
      break;
    case Construction::standard:
      built.family = standard_family(*facts.standard);
      break;
    case Construction::dimension_two:
      built.family = dimension_two_family(order(), *facts.realiser, d);
      break;
    case Construction::general:
      built.family = general_family(order(), d);
      break;
  }
  GAINSAY_CHECK(static_cast<double>(built.family.size()) <= built.plan.size, "a family keeps its bound");
  return built;
}

}  // namespace gainsay::family
