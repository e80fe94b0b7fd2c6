// One part of a history (the operations on one key, or all of them), judged.
//
// Which algorithm: the fast path of the object's shape where the history has no duplicate values (fast.hpp); else
// depth first, and when that has taken long, just in time and depth first in turn with growing shares, whichever
// decides first. Shares are counted in steps, so the course of a check does not depend on the machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/base/budget.hpp"
#include "gainsay/oracle/history.hpp"
#include "gainsay/oracle/linearizability.hpp"

namespace gainsay::linearizable {

// Indices of the history, ascending; none of them failed.
using Part = std::vector<std::uint32_t>;

struct PartResult {
  Verdict verdict = Verdict::unknown;
  std::string unknown_because;
  bool out_of_memory = false;
  bool over_budget = false;  // unknown because of the budget, and not of the specification
  std::string method;
  std::uint64_t steps = 0;
  std::uint64_t bytes = 0;
  std::vector<std::size_t> linearization;
  std::vector<Explanation::Attempt> attempts;
  std::optional<std::size_t> culprit;
};

PartResult judge(const History& history, const Part& part, const SpecType& spec, const AnyValue& initial,
                 const CheckOptions& options, const Budget& budget);
// The same by search alone, with some outcomes forgotten (by index in the history; null: none).
PartResult judge_by_search(const History& history, const Part& part, const SpecType& spec,
                           const AnyValue& initial, const CheckOptions& options, const Budget& budget,
                           const std::vector<bool>* forgotten);

// Sequential consistency of the whole history, with some outcomes forgotten.
PartResult judge_sequential(const History& history, const Part& part, const SpecType& spec,
                            const AnyValue& initial, const Budget& budget,
                            const std::vector<bool>* forgotten);

// Adds operations that fit anywhere in their interval to an order, and merges orders of independent parts: every
// operation gets a point (its predecessor's, or its invocation if that is later), and points decide.
std::vector<std::size_t> merge_orders(const History& history,
                                      const std::vector<std::vector<std::size_t>>& orders);

}  // namespace gainsay::linearizable
