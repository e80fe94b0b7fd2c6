#include "gainsay/family/partitions/chances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/family/coverage.hpp"

namespace gainsay::family {
namespace {

// n! / (s_1! s_2! ...): ways to deal n nodes to blocks of these sizes; 0 where they do not add up.
Big dealt(std::size_t n, const std::vector<std::ptrdiff_t>& sizes) {
  std::ptrdiff_t sum = 0;
  for (const std::ptrdiff_t size : sizes) {
    if (size < 0) return 0;
    sum += size;
  }
  if (static_cast<std::size_t>(sum) != n) return 0;
  Big ways = 1;
  std::size_t left = n;
  for (const std::ptrdiff_t size : sizes) {
    ways *= binomial(left, static_cast<std::size_t>(size));
    left -= static_cast<std::size_t>(size);
  }
  return ways;
}

// Blocks of given sizes: the sides are put into different blocks in every way, the others are dealt to what is left.
Chance sized_chance(const std::vector<std::size_t>& sizes, const Notion& notion) {
  const std::size_t n = notion.nodes;
  std::vector<std::ptrdiff_t> whole(sizes.begin(), sizes.end());
  Chance chance{0, dealt(n, whole)};
  std::size_t named = 0;
  for (const Side& side : notion.sides) named += side.count;
  std::vector<std::size_t> blocks(sizes.size());
  std::iota(blocks.begin(), blocks.end(), std::size_t{0});
  GAINSAY_CHECK(notion.sides.size() == sizes.size(), "a side for each block");
  do {  // side i goes to block blocks[i]; there are two or three
    std::vector<std::ptrdiff_t> left = whole;
    for (std::size_t i = 0; i < notion.sides.size(); ++i) left[blocks[i]] -= notion.sides[i].count;
    chance.met += dealt(n - named, left);
  } while (std::next_permutation(blocks.begin(), blocks.end()));
  return chance;
}

Chance split_chance(const Sampler& sampler, const Notion& notion) {
  const std::size_t n = notion.nodes;
  const std::size_t k = notion.sides.size();
  if (!sampler.sizes()) return {power_of(k, n - k), stirling(n, k)};  // Theorem 4.2
  Chance chance{1, binomial(n, k)};                                   // Theorem 4.5: one node of each block
  for (const std::size_t size : *sampler.sizes()) chance.met *= size;
  return chance;
}

Chance minority_chance(const Sampler& sampler, std::size_t n) {
  if (sampler.sizes()) {
    const auto [least, most] = std::minmax_element(sampler.sizes()->begin(), sampler.sizes()->end());
    return {*least == *most ? 0 : *least, n};
  }
  Chance chance{0, stirling(n, 2)};  // j others beside it in its block, fewer than half in all
  for (std::size_t j = 0; 2 * (j + 1) < n; ++j) chance.met += binomial(n - 1, j);
  return chance;
}

}  // namespace

std::string Chance::text() const {
  const Big divisor = boost::multiprecision::gcd(met, of);
  const Big a = divisor == 0 ? met : Big(met / divisor);
  const Big b = divisor == 0 ? of : Big(of / divisor);
  if (b == 1) return a.str();
  if (b > 1'000'000) return fmt::format("{:.4g}", value());
  return fmt::format("{}/{} = {:.4g}", a.str(), b.str(), value());
}

Chance chance_of(const Sampler& sampler, const Notion& notion) {
  GAINSAY_CHECK(sampler.nodes() == notion.nodes && sampler.blocks() == notion.blocks(),
                "tests of this notion");
  const std::size_t n = notion.nodes;
  switch (notion.kind) {
    case Notion::Kind::split:
      return split_chance(sampler, notion);
    case Notion::Kind::isolate_minority:
      return minority_chance(sampler, n);
    case Notion::Kind::separate: {
      if (sampler.sizes()) return sized_chance(*sampler.sizes(), notion);
      return {power_of(2, n - notion.sides[0].count - notion.sides[1].count), stirling(n, 2)};  // Theorem 4.7
    }
    case Notion::Kind::bridge: {
      const std::size_t named = notion.sides[0].count + notion.sides[1].count + notion.sides[2].count;
      Chance chance = sampler.sizes() ? sized_chance(*sampler.sizes(), notion)
                                      : Chance{power_of(3, n - named), stirling(n, 3)};
      chance.of *= 3;  // the block that Z is in is the bridge
      return chance;
    }
  }
  return {};
}

Big goals_counted_by_thesis(const Notion& notion) {
  if (notion.roles) return notion.goals().size();
  const std::size_t n = notion.nodes;
  if (notion.kind == Notion::Kind::split) return binomial(n, notion.sides.size());
  Big goals = 1;
  std::size_t left = n;
  for (const Side& side : notion.sides) {
    goals *= binomial(left, side.count);
    left -= side.count;
  }
  return goals;
}

Big goals_counted_once(const Notion& notion) {
  const Big goals = goals_counted_by_thesis(notion);
  const bool two_sides = notion.kind == Notion::Kind::separate || notion.kind == Notion::Kind::bridge;
  const bool twice = two_sides && !notion.roles && notion.sides[0].count == notion.sides[1].count;
  return twice ? Big(goals / 2) : goals;
}

namespace {

// The corollaries have the form: factor * (log goals + log 1/epsilon), the logarithm of goals bounded by a log n.
ThesisBound natural_bound(std::string place, std::string form, double chance, double goals_exponent, double n,
                          double epsilon) {
  const double log_goals = goals_exponent * std::log(n);
  return {std::move(place), std::move(form), tests_that_exist(log_goals, chance),
          tests_needed(log_goals, chance, epsilon), chance};
}

// At least 1, and not one more for the last bits of a whole number.
std::uint64_t rounded_up(double x) {
  return static_cast<std::uint64_t>(std::max(1.0, std::ceil(x - 1e-12 * std::abs(x))));
}

std::optional<ThesisBound> minority_bound(const Sampler& sampler, double n, double epsilon) {
  const bool odd = sampler.nodes() % 2 == 1;
  if (!sampler.sizes())
    return odd ? natural_bound("Corollary 4.10", "3 log n", 1.0 / 3, 1, n, epsilon)
               : natural_bound("Corollary 4.13", "7 log n", 1.0 / 7, 1, n, epsilon);
  const std::vector<std::size_t> wanted =
      odd ? balanced_sizes(sampler.nodes(), 2) : semibalanced_sizes(sampler.nodes());
  if (*sampler.sizes() != wanted) return std::nullopt;
  return odd ? natural_bound("Corollary 4.11", "2 (1 + 1/(n-1)) log n", (n - 1) / (2 * n), 1, n, epsilon)
             : natural_bound("Corollary 4.14", "2 (1 + 2/(n-2)) log n", (n - 2) / (2 * n), 1, n, epsilon);
}

}  // namespace

std::optional<ThesisBound> thesis_bound(const Sampler& sampler, const Notion& notion, double epsilon) {
  if (notion.roles || notion.kind == Notion::Kind::bridge) return std::nullopt;
  const auto n = static_cast<double>(notion.nodes);
  if (notion.kind == Notion::Kind::isolate_minority) {
    if (notion.nodes < 3 || (notion.nodes % 2 == 0 && notion.nodes < 4)) return std::nullopt;
    return minority_bound(sampler, n, epsilon);
  }
  const bool balanced = sampler.sizes() && *sampler.sizes() == balanced_sizes(notion.nodes, notion.blocks());
  if (notion.kind == Notion::Kind::split) {
    if (sampler.sizes() && !balanced) return std::nullopt;  // Theorem 4.5: balanced ones are no worse
    const auto k = static_cast<double>(notion.sides.size());
    const double chance = std::exp(std::lgamma(k + 1) - k * std::log(k));
    if (notion.sides.size() != 2)
      return natural_bound("Corollary 4.3", "k^(k+1)/k! log n", chance, k, n, epsilon);
    // Corollary 4.4: m <= n^2 / 2 and 1 - p < 1/2, so logarithms to base 2.
    const double exists = 2 * std::log2(n) - 1;
    return ThesisBound{"Corollary 4.4", "2 log2 n - 1", rounded_up(exists),
                       rounded_up(exists - std::log2(epsilon)), chance};
  }
  if (sampler.sizes()) return std::nullopt;
  const double together = notion.sides[0].count + notion.sides[1].count;
  return natural_bound("Corollary 4.8", "2^(k+l-1) (k+l) log n", std::exp2(1 - together), together, n,
                       epsilon);
}

double thesis_confidence(double log_goals, double p, std::uint64_t tests) {
  return std::max(0.0, -std::expm1(log_goals - p * static_cast<double>(tests)));
}

double yao_size(std::size_t nodes, std::size_t k) {
  const auto depth = static_cast<double>(k);
  return std::pow(4.0, depth * depth) * std::pow(std::log2(static_cast<double>(nodes)), depth - 1);
}

double graham_size(std::size_t nodes, std::size_t k) {
  const auto depth = static_cast<double>(k);
  return std::exp(depth) * std::sqrt(depth) * std::log(static_cast<double>(nodes));
}

}  // namespace gainsay::family
