#include "gainsay/execution/world/budgets.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

// Where the budget of a message's type is: the first plan's is fixed, the others' are in a row.
std::size_t place_of(const std::vector<MessageFault>& plans, const ValueType& type, std::size_t first,
                     std::size_t more) {
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (plans[i].concerns(type)) return i == 0 ? first : more + i - 1;
  }
  return Budgets::none;
}

constexpr std::size_t first_drop = 0;
constexpr std::size_t first_duplicate = 1;

}  // namespace

Budgets::Budgets(const Blueprint& blueprint) : blueprint_(blueprint) {
  const FaultPlan& faults = blueprint.faults;
  cuts_in_.resize(faults.phases());
  for (const PartitionPlan& cut : faults.partitions) {
    GAINSAY_CHECK(cut.phase < cuts_in_.size(), "a phase of the cuts");
    ++cuts_in_[cut.phase];
  }
  if (!faults.any() && blueprint.timer_budgets.empty()) return;
  const auto first = [](const std::vector<MessageFault>& plans) {
    return plans.empty() ? 0 : plans.front().budget;
  };
  initial_ = {first(faults.drops), first(faults.duplicates), faults.crashes, faults.restarts,
              faults.partitions.empty() ? 0 : faults.partition_events};
  GAINSAY_CHECK(initial_.size() == fixed, "the fixed entries come first");
  for (const Corruption& corruption : faults.corruptions) initial_.push_back(corruption.budget);
  for (const TimerBudget& timer : blueprint.timer_budgets) initial_.push_back(timer.budget);
  const auto add = [this](const auto& plans, std::size_t from) {
    const std::size_t place = initial_.size();
    for (std::size_t i = from; i < plans.size(); ++i) initial_.push_back(plans[i].budget);
    return place;
  };
  const auto add_one = [this](const ActorFault& plan) {
    if (plan.budget == 0) return none;
    initial_.push_back(plan.budget);
    return initial_.size() - 1;
  };
  more_drops_ = add(faults.drops, 1);
  more_duplicates_ = add(faults.duplicates, 1);
  isolation_ = add_one(faults.isolation);
  recreation_ = add_one(faults.recreation);
  failing_write_ = add_one(faults.failing_writes);
  tears_ = add(faults.tears, 0);
  losing_write_ = add_one(faults.losing_writes);
  clock_jumps_ = add(faults.clock_jumps, 0);
  make_groups();
}

void Budgets::make_groups() {
  const FaultPlan& faults = blueprint_.faults;
  if (faults.drops.empty() && faults.duplicates.empty() && faults.corruptions.empty()) return;
  groups_ = {MessageGroup{}};
  const auto name = [this](const ValueType& type) {
    for (const auto& [named, group] : named_) {
      if (named == &type) return;
    }
    named_.emplace_back(&type, add_group({drop(type), duplicate(type), corruption(type)}));
  };
  const auto name_all = [&](const std::vector<MessageFault>& plans) {
    for (const MessageFault& plan : plans) {
      for (const ValueType* type : plan.types) name(*type);
    }
  };
  name_all(faults.drops);
  name_all(faults.duplicates);
  for (const Corruption& corruption : faults.corruptions) name(*corruption.type);
  static const ValueType nobodys{};  // a type that no plan names
  unnamed_ = add_group({drop(nobodys), duplicate(nobodys), none});
}

std::uint8_t Budgets::add_group(const MessageGroup& group) {
  auto found = std::find(groups_.begin(), groups_.end(), group);
  if (found == groups_.end()) {
    if (groups_.size() == groups_max)
      throw UserError(
          fmt::format("scenario '{}': too many kinds of messages have budgets of their own for being lost, "
                      "duplicated or corrupted; at most {} can be told apart",
                      blueprint_.scenario, groups_max - 1));
    found = groups_.insert(found, group);
  }
  return static_cast<std::uint8_t>(found - groups_.begin());
}

std::uint8_t Budgets::group_of(const ValueType& type) const {
  for (const auto& [named, group] : named_) {
    if (named == &type) return group;
  }
  return unnamed_;
}

std::size_t Budgets::timer(const ValueType& type) const {
  for (std::size_t i = 0; i < blueprint_.timer_budgets.size(); ++i) {
    if (blueprint_.timer_budgets[i].type == &type) return fixed + blueprint_.faults.corruptions.size() + i;
  }
  return none;
}

std::size_t Budgets::drop(const ValueType& type) const {
  return place_of(blueprint_.faults.drops, type, first_drop, more_drops_);
}

std::size_t Budgets::duplicate(const ValueType& type) const {
  return place_of(blueprint_.faults.duplicates, type, first_duplicate, more_duplicates_);
}

std::size_t Budgets::corruption(const ValueType& type) const {
  for (std::size_t i = 0; i < blueprint_.faults.corruptions.size(); ++i) {
    if (blueprint_.faults.corruptions[i].type == &type) return fixed + i;
  }
  return none;
}

}  // namespace gainsay
