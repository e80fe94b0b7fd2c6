#include "gainsay/strategy/pctcp.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/faults.hpp"

namespace gainsay {
namespace {

// Above every priority that a change point gives.
std::uint64_t draw_priority(Rng& rng) { return rng.next() | (std::uint64_t{1} << 63U); }

// By priority alone.
constexpr auto lower = [](const auto& a, const auto& b) { return a.first < b.first; };

// So many pending events are looked at one by one.
constexpr std::size_t few = 32;

}  // namespace

StrategyInfo pctcp_strategy() {
  return StrategyInfo::of<PctcpOptions>(
      "pctcp", "random priorities of causal chains, d - 1 change points; a bound for bugs of depth d",
      StrategyKind::random,
      [](const PctcpOptions& options) { return std::make_unique<PctcpStrategy>(options); });
}

std::optional<Keep> PctcpStrategy::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  world_ = run.world;
  scout_ = run.scout;
  n_ = options_.n != 0 ? options_.n : learned_.steps_max;
  points_.draw(scout_ ? 0 : options_.depth - 1, n_, rng_);
  pending_.clear();
  heap_of_.reset();
  crashes_.clear();
  added_ = 0;
  chains_ = 0;
  parent_ = Item{};
  parent_actor_ = nobody;
  parent_kind_ = EventKind::deliver;
  last_chain_ = no_chain;
  turns_ = 0;
  aside_.clear();
  livelocked_ = false;
  if (options_.order == PctcpOptions::Order::happened_before) {
    partition_.clear();
    actors_.clear();
    pasts_.clear();
    free_pasts_.clear();
    priorities_.clear();
  }
  return Keep{};
}

// --- chains ---

// The chain of the last executed event is free for the first event that it caused.
inline void PctcpStrategy::place_by_cause(Item& item) {
  if (parent_.chain != no_chain) {
    item.chain = parent_.chain;
    item.priority = parent_.priority;
    parent_.chain = no_chain;
  } else {
    item.chain = chains_++;
    item.priority = draw_priority(rng_);
  }
}

void PctcpStrategy::place_by_past(Item& item, ActorId creator) {
  if (free_pasts_.empty()) {
    free_pasts_.push_back(static_cast<std::uint32_t>(pasts_.size()));
    pasts_.emplace_back();
  }
  item.past = free_pasts_.back();
  free_pasts_.pop_back();
  Past& past = pasts_[item.past];
  past.clear();
  if (creator != nobody) past = actors_[creator];
  const auto added = partition_.add(past);
  item.chain = added.chain;
  if (added.new_chain) {
    GAINSAY_CHECK(added.chain == priorities_.size(), "chains are numbered in the order of their creation");
    priorities_.push_back(draw_priority(rng_));
    ++chains_;
  }
  item.priority = priorities_[item.chain];
}

inline PctcpStrategy::Item PctcpStrategy::born(ActorId creator) {
  Item item;
  if (options_.order == PctcpOptions::Order::causes) {
    place_by_cause(item);
  } else {
    place_by_past(item, creator);
  }
  if (const std::uint64_t priority = points_.priority_at(++added_)) {
    item.priority = priority;
    if (!priorities_.empty()) priorities_[item.chain] = priority;
  }
  if (!aside_.empty()) {
    std::erase_if(aside_, [&](const auto& entry) { return entry.first == item.chain; });
  }
  return item;
}

// `actor` has handled the event.
void PctcpStrategy::happened(const Item& item, ActorId actor) {
  if (options_.order == PctcpOptions::Order::causes) return;
  partition_.join(actors_[actor], pasts_[item.past]);
  free_pasts_.push_back(item.past);
}

// Crashes and restarts have no pending entry: they are known by their stable ids.
void PctcpStrategy::follow_crashes(const ChoicePoint& point) {
  for (std::size_t i = point.ordinary(); i < point.size(); ++i) {
    const Event event = point.event(i);
    if (!is_crash_or_restart(event.kind)) continue;
    const bool known = std::any_of(crashes_.begin(), crashes_.end(),
                                   [&](const Crash& crash) { return crash.id == event.id; });
    if (known) continue;
    const bool follows = is_crash_or_restart(parent_kind_) && parent_actor_ == event.receiver;
    const Item parent = parent_;
    if (!follows) parent_.chain = no_chain;
    crashes_.push_back({event.id, born(follows ? parent_actor_ : nobody)});
    if (!follows) parent_ = parent;
  }
}

// --- choosing ---

std::size_t PctcpStrategy::choose(const ChoicePoint& point) {
  if (point.is_value()) return rng_.below(point.size());
  pending_.follow(
      point.source(), [this](std::size_t) { return born(parent_actor_); },
      [this](PendingMirror<Item>::Slot slot) {
        if (!heap_of_) return;
        if (top_left_ && heap_.front().first == pending_.in_slot(slot).priority) {  // it continues the chain
          heap_.front().second = slot;
          top_left_ = false;
          return;
        }
        drop_top();
        heap_.emplace_back(pending_.in_slot(slot).priority, slot);
        std::push_heap(heap_.begin(), heap_.end(), lower);
      });
  if (point.ordinary() < point.size()) [[unlikely]] {
    follow_crashes(point);
    if (const std::size_t fault = roll_fault(point, options_.faults, rng_, CrashesAre::events);
        fault != no_fault) {
      parent_ = Item{};
      parent_actor_ = nobody;
      return fault;
    }
  }
  Pick pick = highest(point);
  GAINSAY_CHECK(pick.item != nullptr, "something is possible");
  if (options_.livelock > 0) count_turns(point, pick);
  return perform(point, pick.index);
}

inline void PctcpStrategy::consider(Pick& pick, std::size_t index, Item& item) {
  if (pick.item != nullptr) pick.alone = false;
  if (pick.item != nullptr && item.priority <= pick.item->priority) return;
  pick.index = index;
  pick.item = &item;
}

inline PctcpStrategy::Pick PctcpStrategy::highest(const ChoicePoint& point) {
  Pick pick;
  const std::size_t ordinary = point.ordinary();
  if (ordinary != pending_.size() || ordinary <= few) heap_of_.reset();
  if (ordinary == pending_.size() && ordinary > few) {
    highest_of_many(pick);
  } else if (ordinary == pending_.size()) {  // all are enabled: an alternative's index is its position
    for (std::size_t i = 0; i < ordinary; ++i) consider(pick, i, pending_[i]);
  } else {
    for (std::size_t i = 0; i < ordinary; ++i) consider(pick, i, pending_[point.source().position_of(i)]);
  }
  if (crashes_.empty()) return pick;
  for (std::size_t i = ordinary; i < point.size(); ++i) {
    const Event event = point.event(i);
    if (!is_crash_or_restart(event.kind)) continue;
    for (Crash& crash : crashes_) {
      if (crash.id == event.id) consider(pick, i, crash.item);
    }
  }
  return pick;
}

// Takes an executed event off the heap, before anything can come above it.
void PctcpStrategy::drop_top() {
  if (!top_left_) return;
  std::pop_heap(heap_.begin(), heap_.end(), lower);
  heap_.pop_back();
  top_left_ = false;
}

void PctcpStrategy::highest_of_many(Pick& pick) {
  if (heap_of_ != pending_.rebuilds()) {
    heap_of_ = pending_.rebuilds();
    top_left_ = false;
    heap_.clear();
    for (std::size_t i = 0; i < pending_.size(); ++i)
      heap_.emplace_back(pending_[i].priority, pending_.slot(i));
    std::make_heap(heap_.begin(), heap_.end(), lower);
  }
  drop_top();
  GAINSAY_CHECK(heap_.size() == pending_.size(), "the heap holds what is pending");
  pick.index = pending_.position(heap_.front().second);
  pick.item = &pending_.in_slot(heap_.front().second);
  pick.alone = false;
}

// The livelock rule.
inline void PctcpStrategy::count_turns(const ChoicePoint& point, Pick& pick) {
  if (pick.item->chain != last_chain_ || pick.alone) {
    last_chain_ = pick.item->chain;
    turns_ = pick.alone ? 0 : 1;
    return;
  }
  if (++turns_ <= options_.livelock) return;
  livelocked_ = true;
  aside_.emplace_back(pick.item->chain, pick.item->priority);
  pick.item->priority = set_aside;
  heap_of_.reset();
  pick = highest(point);
  last_chain_ = pick.item->chain;
  turns_ = 1;
}

inline std::size_t PctcpStrategy::perform(const ChoicePoint& point, std::size_t index) {
  if (index < point.ordinary()) [[likely]] {
    const std::size_t position =
        point.ordinary() == pending_.size() ? index : point.source().position_of(index);
    if (options_.order == PctcpOptions::Order::happened_before)
      parent_actor_ = point.source().pending_event(position).receiver;
    if (heap_of_) {
      GAINSAY_CHECK(heap_.front().second == pending_.slot(position), "the highest is chosen");
      top_left_ = true;  // its first effect often takes its place
    }
    parent_ = pending_.take(position);
    parent_kind_ = EventKind::deliver;
  } else {
    const Event event = point.event(index);
    const auto chosen = std::find_if(crashes_.begin(), crashes_.end(),
                                     [&](const Crash& crash) { return crash.id == event.id; });
    parent_ = chosen->item;
    parent_kind_ = event.kind;
    parent_actor_ = event.receiver;
    crashes_.erase(chosen);
  }
  if (parent_.priority == set_aside) [[unlikely]] {  // nothing else was possible
    for (const auto& [chain, priority] : aside_) {
      if (chain == parent_.chain) parent_.priority = priority;
    }
  }
  happened(parent_, parent_actor_);
  return index;
}

// --- learning ---

void PctcpStrategy::end(const RunEnd& end) {
  if (end.ending == Ending::interrupted) return;
  if (scout_) {  // it says how large executions are, and is no run that could have hit anything
    lessons_.scouted = true;
    lessons_.steps_max = std::max(lessons_.steps_max, added_);
    return;
  }
  const std::uint64_t drawn_from = options_.depth == 1 ? ~std::uint64_t{0} : n_;
  add_run(lessons_, {drawn_from, added_, chains_, livelocked_, end.fair_suffix, false}, world_);
}

std::unique_ptr<Lessons> PctcpStrategy::take_lessons() {
  auto taken = std::make_unique<PriorityLessons>(lessons_);
  lessons_ = PriorityLessons{};
  return taken;
}

void PctcpStrategy::learn(const Lessons& all) { learned_ = dynamic_cast<const PriorityLessons&>(all); }

Guarantee PctcpStrategy::guarantee() const {
  Guarantee guarantee = priority_bound(learned_, options_.depth, options_.n, "chain");
  if (guarantee.per_run && options_.order == PctcpOptions::Order::happened_before)
    guarantee.assumptions.emplace_back("the chain of the bug's first event does not depend on the schedule");
  return guarantee;
}

}  // namespace gainsay
