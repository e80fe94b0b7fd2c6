// Budgets: how often faults and timers may happen in one execution, as a row of numbers (WorldState::budgets).
//
// The row is empty where the scenario has neither. Otherwise the fixed entries come first, then one for each
// corruption, then one for each timer type with a budget; then what the scenario plans of all else: further drops and
// duplicates (by type), isolations, recreations, disk faults, clock jumps. Fingerprints are made of this row, so
// entries of kinds that are not planned are left out.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/scenario/blueprint.hpp"

namespace gainsay {

class Budgets {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);  // draws on no budget
  static constexpr std::size_t crashes = 2;
  static constexpr std::size_t restarts = 3;
  static constexpr std::size_t partitions = 4;

  // The blueprint must outlive it.
  explicit Budgets(const Blueprint& blueprint);

  const std::vector<std::uint32_t>& initial() const { return initial_; }
  // Of a timer of this type; `none` where it may fire without end.
  std::size_t timer(const ValueType& type) const;
  // Of dropping, duplicating or corrupting a message of this type; `none` where that is not planned.
  std::size_t drop(const ValueType& type) const;
  std::size_t duplicate(const ValueType& type) const;
  std::size_t corruption(const ValueType& type) const;
  // Whether any drop or duplicate is left in a world's row.
  bool any_drop_left(const std::vector<std::uint32_t>& row) const;
  bool any_duplicate_left(const std::vector<std::uint32_t>& row) const;
  // How many cuts of the scenario have this phase.
  std::size_t cuts_in(std::uint32_t phase) const { return cuts_in_[phase]; }
  // Of the others; `none` where they are not planned.
  std::size_t isolation() const { return isolation_; }
  std::size_t recreation() const { return recreation_; }
  std::size_t failing_write() const { return failing_write_; }
  std::size_t losing_write() const { return losing_write_; }
  // By the index of the plan. REQUIRES: there is one.
  std::size_t tear(std::size_t plan) const { return tears_ + plan; }
  std::size_t clock_jump(std::size_t plan) const { return clock_jumps_ + plan; }

  const Blueprint& blueprint() const { return blueprint_; }

 private:
  static constexpr std::size_t fixed = 5;

  const Blueprint& blueprint_;
  std::vector<std::uint32_t> initial_;
  std::vector<std::size_t> cuts_in_;  // by phase
  std::size_t more_drops_ = none;     // of the second plan
  std::size_t more_duplicates_ = none;
  std::size_t isolation_ = none;
  std::size_t recreation_ = none;
  std::size_t failing_write_ = none;
  std::size_t tears_ = none;  // of the first plan
  std::size_t losing_write_ = none;
  std::size_t clock_jumps_ = none;  // of the first plan
};

}  // namespace gainsay
