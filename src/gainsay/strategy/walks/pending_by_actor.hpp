// PendingByActor: what a strategy keeps of each pending event (pending_mirror.hpp), also listed by receiver, the oldest
// event first.
//
// Strategies that pick among receivers need not look at all that is pending, which grows without end where a schedule
// starves somebody. Actors are numbered in the order in which they are first met.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/strategy.hpp"
#include "gainsay/strategy/walks/actor_numbers.hpp"
#include "gainsay/strategy/walks/pending_mirror.hpp"

namespace gainsay {

template <class T> class PendingByActor {
 public:
  using Slot = std::uint32_t;
  static constexpr std::uint32_t no_actor = 0xffffffffU;

  void clear() {
    mirror_.clear();
    numbers_.clear();
    for (std::size_t actor = 0; actor < ids_.size(); ++actor) lists_[actor].clear();
    ids_.clear();
    rebuilds_ = mirror_.rebuilds();
  }

  std::size_t size() const { return mirror_.size(); }
  std::uint32_t actors() const { return static_cast<std::uint32_t>(ids_.size()); }
  ActorId id(std::uint32_t actor) const { return ids_[actor]; }
  // What is pending there, the oldest first.
  const std::vector<Slot>& of(std::uint32_t actor) const { return lists_[actor]; }
  // `no_actor`: nothing was ever pending there.
  std::uint32_t number_of(ActorId actor) const {
    const auto found = std::find(ids_.begin(), ids_.end(), actor);
    return found == ids_.end() ? no_actor : static_cast<std::uint32_t>(found - ids_.begin());
  }
  T& item(Slot slot) { return mirror_.in_slot(slot).item; }
  std::uint32_t actor_at(std::size_t position) const { return mirror_[position].actor; }
  const T& at(std::size_t position) const { return mirror_[position].item; }
  // REQUIRES: the event is pending.
  std::size_t position(Slot slot) const { return mirror_.position(slot); }

  // Brings the lists up to date. `born(actor)` makes the item of an event that was not there; `placed(actor, slot)` is
  // told where it is kept; `rebuilt()` that all slots have changed.
  template <class Born, class Placed, class Rebuilt>
  void update(const EventSource& source, Born born, Placed placed, Rebuilt rebuilt) {
    bool renumbered = false;
    mirror_.update(
        source,
        [&](std::size_t position) {
          const std::uint32_t actor = number(source.pending_receiver(position));
          return Kept{actor, born(actor)};
        },
        [&](Slot slot) {
          const std::uint32_t actor = mirror_.in_slot(slot).actor;
          lists_[actor].push_back(slot);
          placed(actor, slot);
        },
        [&] {
          relist();
          renumbered = true;
        });
    if (mirror_.rebuilds() != rebuilds_) {  // events left by themselves
      rebuilds_ = mirror_.rebuilds();
      relist();
      renumbered = true;
    }
    if (renumbered) rebuilt();
  }
  template <class Born> void update(const EventSource& source, Born born) {
    update(
        source, born, [](std::uint32_t, Slot) {}, [] {});
  }

  // The event at `position` was chosen and is about to leave. Returns its receiver.
  std::uint32_t take(std::size_t position) {
    const Slot slot = mirror_.slot(position);
    const std::uint32_t actor = mirror_.take(position).actor;
    std::vector<Slot>& list = lists_[actor];
    const auto found = std::lower_bound(list.begin(), list.end(), slot);
    GAINSAY_CHECK(found != list.end() && *found == slot, "what is pending is listed with its receiver");
    list.erase(found);
    return actor;
  }

 private:
  struct Kept {
    std::uint32_t actor = 0;
    T item{};
  };

  std::uint32_t number(ActorId actor) {
    const std::uint32_t number = numbers_.of(actor);
    if (number == ids_.size()) {
      if (number == lists_.size()) lists_.emplace_back();
      GAINSAY_CHECK(lists_[number].empty(), "nothing is left of another run");
      ids_.push_back(actor);
    }
    GAINSAY_CHECK(ids_[number] == actor, "actors are numbered in the order of their first event");
    return number;
  }

  // What is in a slot is, or is about to be, in the slot that is its position.
  void relist() {
    for (std::vector<Slot>& list : lists_) list.clear();
    for (std::size_t position = 0; position < mirror_.size(); ++position)
      lists_[mirror_[position].actor].push_back(static_cast<Slot>(position));
  }

  PendingMirror<Kept> mirror_;
  ActorNumbers numbers_;
  std::vector<std::vector<Slot>>
      lists_;                   // by number of the actor; ascending; the rest is kept for another run
  std::vector<ActorId> ids_;    // by number
  std::uint64_t rebuilds_ = 0;  // of the mirror, when the lists were made
};

}  // namespace gainsay
