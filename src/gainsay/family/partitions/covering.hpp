// Covering families: partitions chosen, not drawn, that meet every goal of a notion. Niksic's thesis (2018), chapter 4.
//
// Two blocks by bits (Remark 1: floor(log2 n) + 1; by numbers from 0 the optimal ceil(log2 n)). A minority is a third
// of the nodes or more, so three partitions isolate everybody (four for n = 4). For the rest:
// - `greedy`: always the partition that meets most of what is left. It keeps the thesis' bound, since the best is no
//   worse than the average: after t of m goals at most m (1 - p)^t are left.
// - `hashed`: nodes are polynomials of degree below t over a field of q elements, q^t >= n. Two of them agree in less
//   than t places, so for k nodes one of C(k,2) (t-1) + 1 places tells them all apart (k l (t-1) + 1 for two sides);
//   there a family for q nodes finishes. For many nodes, without looking at goals.
// - `least`: search, for few nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gainsay/family/partitions/goal.hpp"
#include "gainsay/family/partitions/reach.hpp"

namespace gainsay::family {

// Remark 1, as it is written: by the bits of 1 to n.
PartitionFamily splitting_by_bits_of_thesis(std::size_t nodes);
// By the bits of 0 to n - 1: no 2-splitting family is smaller, since f partitions tell at most 2^f nodes apart.
PartitionFamily splitting_by_bits(std::size_t nodes);
PartitionFamily minority_family(std::size_t nodes);

// All that could be a test of the notion.
CutTests candidates_of(const Notion& notion, std::size_t most = partitions_listed_max);

// Sets of goals, one for each candidate: the indices of chosen ones. Greedy throws UserError where some goal is met by
// none. `least_cover` looks for the smallest set of candidates; none: the search took more than `work` steps.
std::vector<std::size_t> greedy_cover(std::size_t goals, const std::vector<std::vector<std::uint32_t>>& met);
std::optional<std::vector<std::size_t>> least_cover(std::size_t goals,
                                                    const std::vector<std::vector<std::uint32_t>>& met,
                                                    std::uint64_t work = 20'000'000);
// For each candidate the goals that it meets.
std::vector<std::vector<std::uint32_t>> goals_met(const std::vector<Goal>& goals, const CutTests& candidates);

struct Covering {
  CutTests tests;
  std::string construction;  // how it was made: "bits (Remark 1)", "greedy", "least, by search"
  bool least = false;        // none is smaller
};
// The smallest that is known here. Throws UserError where the notion has too many goals for every construction.
Covering covering_family(const Notion& notion);
// One of the constructions; none: it does not serve this notion or this size.
std::optional<PartitionFamily> hashed_family(const Notion& notion);
std::optional<CutTests> greedy_family(const Notion& notion);
std::optional<CutTests> least_family_of(const Notion& notion);

}  // namespace gainsay::family
