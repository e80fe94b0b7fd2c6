#include "gainsay/strategy/walks/pctcp.hpp"

#include <algorithm>
#include <bit>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/walks/faults.hpp"

namespace gainsay {
namespace {

// Above every priority that a change point gives.
constexpr std::uint64_t early_bit = std::uint64_t{1} << 63U;
std::uint64_t draw_priority(Rng& rng) { return rng.next() | early_bit; }

// By priority alone.
constexpr auto lower = [](const auto& a, const auto& b) { return a.first < b.first; };

// So many pending events are looked at one by one.
constexpr std::size_t few = 32;

// Priorities are drawn evenly, so their first bits put them nearly in place: one pass by these, and few moves after it.
template <class Ranked> void sort_by_priority(std::vector<Ranked>& all) {
  const auto bits = static_cast<unsigned>(std::bit_width(all.size()));
  const auto bucket = [&](const Ranked& each) {
    return each.first >> 63U == 0 ? 0 : static_cast<std::size_t>(each.first << 1U >> (64U - bits));
  };
  std::vector<std::uint32_t> ends((std::size_t{1} << bits) + 1);
  for (const Ranked& each : all) ++ends[bucket(each) + 1];
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  std::vector<Ranked> sorted(all.size());
  for (const Ranked& each : all) sorted[ends[bucket(each)]++] = each;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const Ranked moved = sorted[i];
    std::size_t to = i;
    for (; to > 0 && lower(moved, sorted[to - 1]); --to) sorted[to] = sorted[to - 1];
    sorted[to] = moved;
  }
  all = std::move(sorted);
}

}  // namespace

StrategyInfo pctcp_strategy() {
  return StrategyInfo::of<PctcpOptions>(
      "pctcp", "random priorities of causal chains, d - 1 change points; a bound for bugs of depth d",
      StrategyKind::random,
      [](const PctcpOptions& options) { return std::make_unique<PctcpStrategy>(options); });
}

std::optional<Keep> PctcpStrategy::begin(const RunInfo& run) {
  if (!campaign_.begin(run)) return std::nullopt;
  asked_ = branched_ = stop_drawn_ = false;
  fault_points_ = 0;
  draws_faults_ = false;
  for (std::size_t kind = 0; kind < event_kinds; ++kind) {
    if (!is_crash_or_restart(static_cast<EventKind>(kind)) && run.world.budgets[kind] > 0)
      draws_faults_ = true;
  }
  ordered_ = run.world.ordered && options_.order == PctcpOptions::Order::causes;
  sent_.clear();
  tails_.clear();
  parent_id_ = 0;
  pending_.clear();
  ranked_of_.reset();
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
  started_ = false;
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
  if (parent_.chain != no_chain && (!ordered_ || tails_[parent_.chain] == parent_id_)) {
    item.chain = parent_.chain;
    item.priority = parent_.priority;
    parent_.chain = no_chain;
  } else {
    branched_ = branched_ || started_;
    item.chain = chains_;
    item.priority = new_chains_priority();
    ++chains_;
  }
}

// The chain of an exhaustive index is below all others, and above the change points.
inline std::uint64_t PctcpStrategy::new_chains_priority() {
  const std::uint64_t drawn = draw_priority(campaign_.rng());
  return campaign_.has_index() && chains_ == campaign_.lowest_chain() ? options_.depth : drawn;
}

// Behind what the same step sent to the same receiver, if the link keeps that order.
bool PctcpStrategy::place_by_link(Item& item, const EventLink& event) {
  if (!event.ordered || event.kind != EventKind::deliver) return false;
  for (std::size_t i = sent_.size(); i-- > 0;) {
    const Sent& before = sent_[i];
    if (before.parent != event.parent || before.sender != event.sender || before.receiver != event.receiver)
      continue;
    if (tails_[before.chain] != before.id) return false;
    item.chain = before.chain;
    item.priority = before.priority;
    return true;
  }
  return false;
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
    priorities_.push_back(new_chains_priority());
    ++chains_;
  }
  item.priority = priorities_[item.chain];
}

// Puts a new event into a chain.
inline PctcpStrategy::Item PctcpStrategy::add_event(ActorId creator, const EventSource* source,
                                                    std::size_t position) {
  Item item;
  EventLink event;
  if (ordered_ && source != nullptr) event = source->pending_link(position);
  if (options_.order != PctcpOptions::Order::causes) {
    place_by_past(item, creator);
  } else if (!place_by_link(item, event)) {
    place_by_cause(item);
  }
  if (const std::uint64_t priority = campaign_.points().priority_at(++added_)) {
    item.priority = priority;
    if (!priorities_.empty()) priorities_[item.chain] = priority;
  }
  if (options_.late == PctcpOptions::Late::after) [[unlikely]] {
    // All first ones above all late ones; below that bit the order of chains is kept.
    item.priority = added_ > options_.n ? item.priority & ~early_bit : item.priority | early_bit;
  }
  if (ordered_) {
    if (item.chain >= tails_.size()) tails_.resize(item.chain + std::size_t{1}, 0);
    tails_[item.chain] = event.id.raw;
    if (event.ordered && event.kind == EventKind::deliver)
      sent_.push_back({event.parent, event.sender, event.receiver, item.chain, item.priority, event.id.raw});
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
    crashes_.push_back({event.id, add_event(follows ? parent_actor_ : nobody)});
    if (!follows) parent_ = parent;
  }
}

// --- choosing ---

std::size_t PctcpStrategy::choose(const ChoicePoint& point) {
  if (point.is_value()) {
    asked_ = true;
    return campaign_.rng().below(point.size());
  }
  sent_.clear();
  const EventSource& source = point.source();
  pending_.update(
      source, [&](std::size_t position) { return add_event(parent_actor_, &source, position); },
      [this](PendingMirror<Item>::Slot slot) { rank(slot); }, [this] { renumber_ranked(); });
  if (point.ordinary() < point.size()) [[unlikely]] {
    follow_crashes(point);
    if (draws_faults_) {
      fault_points_ += point.ordinary() > 0 ? 1 : 0;
      stop_drawn_ = stop_drawn_ || (point.ordinary() == 0 && point.size() > 1);
    }
    started_ = true;
    if (const std::size_t fault = roll_fault(point, options_.faults, campaign_.rng(), CrashesAre::events);
        fault != no_fault) {
      parent_ = Item{};
      parent_actor_ = nobody;
      return fault;
    }
  }
  started_ = true;
  Pick pick = highest(point);
  GAINSAY_CHECK(pick.item != nullptr, "something is possible");
  if (options_.livelock > 0 || options_.cycles) count_turns(point, pick);
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
  if (ordinary != pending_.size() || ordinary <= few) ranked_of_.reset();
  if (ordinary == pending_.size() && ordinary > few) {
    highest_of_many(pick);
  } else if (ordinary > 0) {
    possible_.look(point, pending_.size());
    const std::size_t at =
        possible_.highest([&](std::size_t position) { return pending_[position].priority; });
    pick = {possible_.index_of(at), &pending_[at], ordinary == 1};
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

// --- the ranking ---

inline bool PctcpStrategy::top_is_newer() const {
  return !newer_.empty() && (sorted_.empty() || newer_.front().first > sorted_.back().first);
}

inline void PctcpStrategy::rank(PendingMirror<Item>::Slot slot) {
  if (!ranked_of_) return;
  const std::uint64_t priority = pending_.in_slot(slot).priority;
  if (top_left_ && top().first == priority) {  // it continues the chain
    top().second = slot;
    top_left_ = false;
    return;
  }
  drop_top();
  newer_.emplace_back(priority, slot);
  std::push_heap(newer_.begin(), newer_.end(), lower);
}

// Takes an executed event away, before anything can come above it.
inline void PctcpStrategy::drop_top() {
  if (!top_left_) return;
  top_left_ = false;
  if (!top_is_newer()) {
    sorted_.pop_back();
    return;
  }
  std::pop_heap(newer_.begin(), newer_.end(), lower);
  newer_.pop_back();
}

void PctcpStrategy::renumber_ranked() {
  if (!ranked_of_) return;
  const Ranked* left = top_left_ ? &top() : nullptr;
  for (std::vector<Ranked>* each : {&sorted_, &newer_}) {
    for (Ranked& entry : *each) {
      if (&entry != left) entry.second = static_cast<std::uint32_t>(pending_.position(entry.second));
    }
  }
}

void PctcpStrategy::highest_of_many(Pick& pick) {
  if (ranked_of_ != pending_.rebuilds()) {
    ranked_of_ = pending_.rebuilds();
    top_left_ = false;
    newer_.clear();
    sorted_.clear();
    for (std::size_t i = 0; i < pending_.size(); ++i)
      sorted_.emplace_back(pending_[i].priority, pending_.slot(i));
    sort_by_priority(sorted_);
  }
  drop_top();
  GAINSAY_CHECK(sorted_.size() + newer_.size() == pending_.size(), "all that is pending is ranked");
  const PendingMirror<Item>::Slot highest = top().second;
  pick.index = pending_.position(highest);
  pick.item = &pending_.in_slot(highest);
  pick.alone = false;
}

// Whether the world has been like this since the chain is chosen in a row.
bool PctcpStrategy::came_back(const ChoicePoint& point) {
  const std::optional<std::uint64_t> now = point.source().world_fingerprint();
  if (!now) return false;
  if (turns_ <= 1) worlds_.clear();
  const bool known = std::find(worlds_.begin(), worlds_.end(), *now) != worlds_.end();
  // A cycle is short; of a long streak the first worlds are enough to meet it again.
  constexpr std::size_t worlds_max = 64;
  if (!known && worlds_.size() < worlds_max) worlds_.push_back(*now);
  return known;
}

// The livelock rule.
inline void PctcpStrategy::count_turns(const ChoicePoint& point, Pick& pick) {
  if (pick.item->chain != last_chain_ || pick.alone) {
    last_chain_ = pick.item->chain;
    turns_ = pick.alone ? 0 : 1;
    if (options_.cycles) came_back(point);
    return;
  }
  ++turns_;
  const bool too_long = options_.livelock > 0 && turns_ > options_.livelock;
  if (!too_long && !(options_.cycles && came_back(point))) return;
  livelocked_ = true;
  aside_.emplace_back(pick.item->chain, pick.item->priority);
  pick.item->priority = set_aside;
  ranked_of_.reset();
  pick = highest(point);
  last_chain_ = pick.item->chain;
  turns_ = 1;
}

inline std::size_t PctcpStrategy::perform(const ChoicePoint& point, std::size_t index) {
  if (index < point.ordinary()) [[likely]] {
    const std::size_t position = point.ordinary() == pending_.size() ? index : possible_.position_of(index);
    if (options_.order == PctcpOptions::Order::happened_before)
      parent_actor_ = point.source().pending_event(position).receiver;
    if (ranked_of_) {
      GAINSAY_CHECK(top().second == pending_.slot(position), "the highest is chosen");
      top_left_ = true;  // its first effect often takes its place
    }
    if (ordered_) parent_id_ = pending_.id(position).raw;
    parent_ = pending_.take(position);
    parent_kind_ = EventKind::deliver;
  } else {
    const Event event = point.event(index);
    const auto chosen = std::find_if(crashes_.begin(), crashes_.end(),
                                     [&](const Crash& crash) { return crash.id == event.id; });
    parent_ = chosen->item;
    parent_id_ = 0;  // as it stands in tails_
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
  // What comes after the first n does not make the bound wrong where it waits for them.
  const bool waits = options_.late == PctcpOptions::Late::after;
  campaign_.end(end, {.steps = waits ? std::min(added_, options_.n) : added_,
                      .chains = chains_,
                      .livelocked = livelocked_,
                      .asked = asked_,
                      .branched = branched_,
                      .crashes = campaign_.world().budgets[static_cast<std::size_t>(EventKind::crash)] > 0,
                      .fault_rate = draws_faults_ ? options_.faults : 0,
                      .fault_points = fault_points_,
                      .stop_drawn = stop_drawn_});
}

Guarantee PctcpStrategy::guarantee() const {
  Guarantee guarantee = campaign_.guarantee("chain");
  if (const PriorityLessons& learned = campaign_.learned(); learned.runs > 0)
    guarantee.chains_mean = static_cast<double>(learned.chains_sum) / static_cast<double>(learned.runs);
  if (guarantee.per_run && options_.order == PctcpOptions::Order::happened_before)
    guarantee.assumptions.emplace_back("the chain of the bug's first event does not depend on the schedule");
  if (guarantee.per_run && options_.late == PctcpOptions::Late::after)
    guarantee.assumptions.emplace_back("the events of the bug are among the first n");
  return guarantee;
}

}  // namespace gainsay
