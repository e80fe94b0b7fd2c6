// Faults as peers: every kind of fault is one file beside this one and one row in the list.
//
// A fault is an optional event with a budget. A row says which alternatives a world offers, their stable ids, the
// budget that one of them draws on, what it does to the world, and what it is about, which is what its Event shows.
// Rows are tables of functions: offering is one call per kind and world, never one per pending event.
//
// The order of the list is the order in which faults are offered. Strategies choose by place in that order, so the
// results of seeds depend on it: new kinds go to the end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gainsay/execution/world/alternative.hpp"
#include "gainsay/execution/world/budgets.hpp"

namespace gainsay {

class Asker;
class Stepper;
struct StepResult;

enum class FaultSubject : std::uint8_t {
  message,  // `target` is a place in WorldState::pending
  actor,  // an actor of the scenario, with the index of a plan where there are several: plan * actors + slot
  // The index of a partition, or the slot of an isolated actor. It concerns all, so the Event has no receiver.
  links,
};

// Where faults are offered: in a list, or only counted.
class Offers {
 public:
  explicit Offers(std::vector<Alternative>* list) : list_(list) {}

  bool listed() const { return list_ != nullptr; }
  std::size_t count() const { return count_; }
  void add(EventKind kind, std::uint32_t target) {
    ++count_;
    if (list_ != nullptr) list_->push_back({kind, target});
  }
  // So many, whatever they are. REQUIRES: not listed.
  void add_unseen(std::size_t count) {
    GAINSAY_CHECK(list_ == nullptr, "a list has them one by one");
    count_ += count;
  }

 private:
  std::vector<Alternative>* list_;
  std::size_t count_ = 0;
};

struct Fault {
  EventKind kind;
  FaultSubject subject;
  // Adds what is possible in this world and has budget left.
  void (*offer)(const Kernel& kernel, const Budgets& budgets, const WorldState& world, Offers& out);
  EventId (*id)(const WorldState& world, std::uint32_t target);
  // The place in WorldState::budgets, or Budgets::none. `message`: the type of the message concerned, if any.
  std::size_t (*budget)(const Budgets& budgets, std::uint32_t target, const ValueType* message);
  // How often it may happen in all, as strategies are told (WorldTraits::budgets).
  std::uint32_t (*planned)(const FaultPlan& plan);
  // Spends the budget and changes the world. REQUIRES: it is offered there.
  StepResult (*apply)(Stepper& stepper, WorldState& world, std::uint32_t target, EventId id, Asker& asker);
};

std::span<const Fault* const> all_faults();
// REQUIRES: is_fault(kind).
const Fault& fault_of(EventKind kind);
// REQUIRES: a fault that this world offers.
EventId fault_id(const WorldState& world, const Alternative& fault);

// --- what several kinds share ---

// What FaultSubject::actor means by `target`.
inline Slot actor_of(const Blueprint& blueprint, std::uint32_t target) {
  return target % static_cast<std::uint32_t>(blueprint.actors.size());
}
inline std::size_t plan_of(const Blueprint& blueprint, std::uint32_t target) {
  return target / blueprint.actors.size();
}

// Ids of faults at actors that are numbered kind by kind and target by target (WorldState::happened): they stay the
// same whatever else happens to the actor.
EventId numbered_id(const WorldState& world, EventKind kind, std::uint32_t target);
void note_happened(WorldState& world, EventKind kind, std::uint32_t target);

template <class Plans> std::uint32_t planned_in_all(const Plans& plans) {
  std::uint32_t sum = 0;
  for (const auto& plan : plans) sum += plan.budget;
  return sum;
}

// Adds the actors of a plan that `wanted` accepts, while the budget lasts.
template <class Wanted>
void offer_actors(EventKind kind, const Kernel& kernel, const WorldState& world, const ActorFault& plan,
                  std::size_t plan_index, std::size_t budget, const Wanted& wanted, Offers& out) {
  if (budget == Budgets::none || world.budgets[budget] == 0) return;
  const auto first = static_cast<std::uint32_t>(plan_index * kernel.blueprint().actors.size());
  for (const ActorId id : plan.whom) {
    const auto slot = static_cast<Slot>(id.raw);
    if (wanted(slot)) out.add(kind, first + slot);
  }
}

ActorStatus status_of(const Kernel& kernel, const WorldState& world, Slot slot);
// Takes one from a budget. REQUIRES: there is one.
void spend(WorldState& world, std::size_t budget);
// Adds every pending message of the groups that `wanted(group)` accepts, by place.
template <class Wanted>
void offer_messages(EventKind kind, const WorldState& world, const Wanted& wanted, Offers& out) {
  if (!out.listed()) {
    for (std::size_t group = 1; group < world.messages_in.size(); ++group) {
      if (world.messages_in[group] > 0 && wanted(group)) out.add_unseen(world.messages_in[group]);
    }
    return;
  }
  for (const std::size_t place : world.pending.each_place()) {
    const std::size_t group = world.pending[place].group;
    if (group != 0 && wanted(group)) out.add(kind, static_cast<std::uint32_t>(place));
  }
}

}  // namespace gainsay
