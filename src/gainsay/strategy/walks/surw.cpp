#include "gainsay/strategy/walks/surw.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/walks/faults.hpp"

namespace gainsay {
namespace {

using Entry = SurwLessons::Entry;

void sort_and_fold(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (kept > 0 && entries[kept - 1].name == entries[i].name) {
      entries[kept - 1].size_sum += entries[i].size_sum;
      entries[kept - 1].count += entries[i].count;
    } else {
      entries[kept++] = entries[i];
    }
  }
  entries.resize(kept);
}

const Entry* find(const std::vector<Entry>& entries, std::uint64_t name) {
  const auto found = std::lower_bound(entries.begin(), entries.end(), name,
                                      [](const Entry& entry, std::uint64_t n) { return entry.name < n; });
  return found != entries.end() && found->name == name ? &*found : nullptr;
}

}  // namespace

StrategyInfo surw_strategy() {
  return StrategyInfo::of<SurwOptions>(
      "surw", "random walk weighted by how many events follow from each event; no bound known",
      StrategyKind::random,
      [](const SurwOptions& options) { return std::make_unique<SurwStrategy>(options); });
}

void SurwLessons::settle() {
  sort_and_fold(events);
  sort_and_fold(kinds);
  if (events.size() > most_events) closed = true;
  if (closed) events.clear();
}

void SurwLessons::merge(const Lessons& later) {
  const auto& other = dynamic_cast<const SurwLessons&>(later);
  closed = closed || other.closed;
  scouted = scouted || other.scouted;
  events.insert(events.end(), other.events.begin(), other.events.end());
  kinds.insert(kinds.end(), other.kinds.begin(), other.kinds.end());
  settle();
}

bool SurwLessons::save(ByteWriter& out) const {
  out.flag(closed);
  out.flag(scouted);
  for (const std::vector<Entry>* entries : {&events, &kinds}) {
    out.number(entries->size());
    for (const Entry& entry : *entries) {
      out.number(entry.name);
      out.number(entry.size_sum);
      out.number(entry.count);
    }
  }
  return true;
}

bool SurwLessons::load(ByteReader& in) {
  closed = in.flag();
  scouted = in.flag();
  for (std::vector<Entry>* entries : {&events, &kinds}) {
    entries->resize(in.count());
    for (Entry& entry : *entries) {
      entry.name = in.number();
      entry.size_sum = in.number();
      entry.count = in.number();
    }
  }
  return in.good();
}

double SurwLessons::weight(std::uint64_t event, std::uint64_t kind) const {
  if (const Entry* entry = find(events, event)) return entry->mean();
  if (const Entry* entry = find(kinds, kind)) return entry->mean();
  return 1;
}

std::optional<Keep> SurwStrategy::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  scout_ = run.scout;
  learning_ = run.scout || run.index < learning_runs;
  pending_.clear();
  weights_.clear();
  rebuilds_ = pending_.rebuilds();
  steps_.clear();
  return Keep{};
}

// An index below `count`, by weight; `position` says where an alternative is pending.
template <class Position> std::size_t SurwStrategy::draw(std::size_t count, Position position) {
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += weights_[position(i)];
  double left = rng_.unit() * total;
  std::size_t chosen = 0;
  for (; chosen + 1 < count; ++chosen) {
    const double weight = weights_[position(chosen)];
    if (left < weight) break;
    left -= weight;
  }
  return chosen;
}

std::size_t SurwStrategy::choose(const ChoicePoint& point) {
  if (point.is_value()) return rng_.below(point.size());
  const EventSource& source = point.source();
  pending_.update(
      source,
      [&](std::size_t position) {
        const Event event = source.pending_event(position);
        const std::uint64_t kind = mix(event.receiver.raw, event.type);
        const std::uint32_t parent =
            steps_.empty() ? no_parent : static_cast<std::uint32_t>(steps_.size() - 1);
        return Item{learned_.weight(event.id.raw, kind), kind, parent};
      },
      [&](PendingMirror<Item>::Slot slot) { weights_.push_back(pending_.in_slot(slot).weight); }, [] {});
  if (rebuilds_ != pending_.rebuilds()) {  // events left by themselves
    rebuilds_ = pending_.rebuilds();
    weights_.resize(pending_.size());
    for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = pending_[i].weight;
  }
  GAINSAY_CHECK(weights_.size() == pending_.size(), "every pending event has its weight");
  if (const std::size_t fault = roll_fault(point, options_.faults, rng_); fault != no_fault) {
    steps_.push_back({0, 0, no_parent});
    return fault;
  }
  GAINSAY_CHECK(point.ordinary() > 0, "something is possible");
  const bool all = point.ordinary() == pending_.size();  // then an alternative's index is its position
  const std::size_t chosen =
      all ? draw(point.ordinary(), [](std::size_t index) { return index; })
          : draw(point.ordinary(), [&](std::size_t index) { return source.position_of(index); });
  const std::size_t position = all ? chosen : source.position_of(chosen);
  const std::uint64_t id = pending_.id(position).raw;
  const Item item = pending_.take(position);
  weights_.erase(weights_.begin() + static_cast<std::ptrdiff_t>(position));
  steps_.push_back({id, item.kind, item.parent});
  return chosen;
}

// Every event's size is one more than the sizes of what it caused.
void SurwStrategy::end(const RunEnd& end) {
  lessons_.scouted = lessons_.scouted || scout_;
  if (!learning_ || end.ending != Ending::quiescent) return;  // others were cut: their sizes say too little
  sizes_.assign(steps_.size(), 1);
  for (std::size_t i = steps_.size(); i-- > 0;) {
    if (steps_[i].parent != no_parent) sizes_[steps_[i].parent] += sizes_[i];
    if (steps_[i].kind == 0) continue;  // a fault
    if (!lessons_.closed) lessons_.events.push_back({steps_[i].event, sizes_[i], 1});
    lessons_.kinds.push_back({steps_[i].kind, sizes_[i], 1});
  }
  if (lessons_.kinds.size() > SurwLessons::most_events) lessons_.settle();
}

std::unique_ptr<Lessons> SurwStrategy::take_lessons() {
  lessons_.settle();
  auto taken = std::make_unique<SurwLessons>(std::move(lessons_));
  lessons_ = SurwLessons{};
  lessons_.closed = taken->closed;
  return taken;
}

void SurwStrategy::learn(const Lessons& all) { learned_ = dynamic_cast<const SurwLessons&>(all); }

}  // namespace gainsay
