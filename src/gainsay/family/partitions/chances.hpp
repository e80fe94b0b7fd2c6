// How likely a random partition meets a goal, and how many are enough. Niksic's thesis (2018), theorems 3.1, 4.2, 4.5,
// 4.7, corollaries 4.3 to 4.14.
//
// Chances are fractions of counts, exact; they depend on the sizes of a goal's sides alone, since samplers treat all
// nodes alike. The thesis counts goals (S, T) of equal sizes twice and bounds chances from below by what does not
// depend on n; its numbers are here as they are printed there (`ThesisBound`), and the sharper ones beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gainsay/family/partitions/counting.hpp"
#include "gainsay/family/partitions/goal.hpp"
#include "gainsay/family/partitions/sampler.hpp"

namespace gainsay::family {

struct Chance {
  Big met;
  Big of;

  double value() const { return ratio(met, of); }
  std::string text() const;  // "8/15 = 0.533", in lowest terms; long fractions as a decimal alone
};

// Of a fixed goal of the notion, for one partition drawn. The bridge of an intersecting partition is one of its blocks,
// each with the same chance. REQUIRES: the sampler's nodes and blocks are those of the notion.
Chance chance_of(const Sampler& sampler, const Notion& notion);

// How many goals there are: as the thesis counts them, and each once.
Big goals_counted_by_thesis(const Notion& notion);
Big goals_counted_once(const Notion& notion);

// A corollary of chapter 4, where there is one for the notion and the sampler.
struct ThesisBound {
  std::string place;         // "Corollary 4.4"
  std::string form;          // "2 log2 n - 1", of the family that exists
  std::uint64_t exists = 0;  // a family of that size exists
  std::uint64_t needed = 0;  // so many random ones are one with probability 1 - epsilon
  double chance = 0;         // the thesis' lower bound on the chance that one meets a goal
};
std::optional<ThesisBound> thesis_bound(const Sampler& sampler, const Notion& notion, double epsilon);
// How sure the corollary lets one be after so many: 1 - m exp(-p N). Never above `confidence_after`.
double thesis_confidence(double log_goals, double p, std::uint64_t tests);

// Sizes from the history of perfect hashing, as the thesis quotes them (after Theorem 4.5): Yao's explicit families of
// 4^(k^2) (log2 n)^(k-1), Graham's random ones of e^k sqrt(k) log n.
double yao_size(std::size_t nodes, std::size_t k);
double graham_size(std::size_t nodes, std::size_t k);

}  // namespace gainsay::family
