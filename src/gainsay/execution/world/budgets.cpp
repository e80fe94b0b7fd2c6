#include "gainsay/execution/world/budgets.hpp"

#include "gainsay/base/check.hpp"

namespace gainsay {

std::vector<std::uint32_t> Budgets::initial() const {
  const FaultPlan& faults = blueprint_.faults;
  if (!faults.any() && blueprint_.timer_budgets.empty()) return {};
  std::vector<std::uint32_t> row = {faults.drops, faults.duplicates, faults.crashes, faults.restarts,
                                    faults.partitions.empty() ? 0 : faults.partition_events};
  GAINSAY_CHECK(row.size() == fixed, "the fixed entries come first");
  for (const Corruption& corruption : faults.corruptions) row.push_back(corruption.budget);
  for (const TimerBudget& timer : blueprint_.timer_budgets) row.push_back(timer.budget);
  return row;
}

std::size_t Budgets::timer(const ValueType& type) const {
  for (std::size_t i = 0; i < blueprint_.timer_budgets.size(); ++i) {
    if (blueprint_.timer_budgets[i].type == &type) return fixed + blueprint_.faults.corruptions.size() + i;
  }
  return none;
}

std::size_t Budgets::corruption(const ValueType& type) const {
  for (std::size_t i = 0; i < blueprint_.faults.corruptions.size(); ++i) {
    if (blueprint_.faults.corruptions[i].type == &type) return fixed + i;
  }
  return none;
}

const Corruption& Budgets::plan_of_corruption(std::size_t budget) const {
  GAINSAY_CHECK(budget != none && budget >= fixed, "a corruption's budget");
  GAINSAY_CHECK(budget - fixed < blueprint_.faults.corruptions.size(), "a corruption's budget");
  return blueprint_.faults.corruptions[budget - fixed];
}

}  // namespace gainsay
