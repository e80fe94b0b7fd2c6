// Budgets: how often faults and timers may happen in one execution, as a row of numbers (WorldState::budgets).
//
// The row is empty where the scenario has neither. Otherwise the fixed entries come first, then one for each
// corruption, then one for each timer type with a budget.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/scenario/blueprint.hpp"

namespace gainsay {

class Budgets {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);  // draws on no budget
  static constexpr std::size_t drops = 0;
  static constexpr std::size_t duplicates = 1;
  static constexpr std::size_t crashes = 2;
  static constexpr std::size_t restarts = 3;
  static constexpr std::size_t partitions = 4;

  // The blueprint must outlive it.
  explicit Budgets(const Blueprint& blueprint) : blueprint_(blueprint) {}

  std::vector<std::uint32_t> initial() const;
  // Of a timer of this type; `none` where it may fire without end.
  std::size_t timer(const ValueType& type) const;
  // Of corrupting a message of this type, and how; `none` where it cannot be.
  std::size_t corruption(const ValueType& type) const;
  const Corruption& plan_of_corruption(std::size_t budget) const;

 private:
  static constexpr std::size_t fixed = 5;

  const Blueprint& blueprint_;
};

}  // namespace gainsay
