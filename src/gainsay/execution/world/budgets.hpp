// Budgets: how often faults and timers may happen in one execution, as a row of numbers (WorldState::budgets).
//
// The row is empty where the scenario has neither. Otherwise the fixed entries come first, then one for each
// corruption, then one for each timer type with a budget; then what the scenario plans of all else: further drops and
// duplicates (by type), isolations, recreations, disk faults, clock jumps. Fingerprints are made of this row, so
// entries of kinds that are not planned are left out.
#pragma once

#include <cstdint>
#include <utility>
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

  // Messages of one group draw on the same budgets, so that a world need only count them (WorldState::messages_in).
  // Group 0 is of all that no fault of messages concerns.
  struct MessageGroup {
    std::size_t drop = none;
    std::size_t duplicate = none;
    std::size_t corruption = none;
    friend bool operator==(const MessageGroup&, const MessageGroup&) = default;
  };
  static constexpr std::size_t groups_max = 128;  // Pending::group has seven bits
  const std::vector<MessageGroup>& groups() const { return groups_; }
  std::uint8_t group_of(const ValueType& type) const;
  // Whether anything is left in a world's row; nothing is of `none`.
  static bool is_left(const std::vector<std::uint32_t>& row, std::size_t place) {
    return place != none && row[place] > 0;
  }

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

  void make_groups();
  std::uint8_t add_group(const MessageGroup& group);

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
  std::vector<MessageGroup> groups_;
  std::vector<std::pair<const ValueType*, std::uint8_t>> named_;  // the groups of types that a plan names
  std::uint8_t unnamed_ = 0;                                      // that of all others
};

}  // namespace gainsay
