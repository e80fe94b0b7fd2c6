// SomeEvents: a part of a choice point's alternatives, for a strategy that lets another one choose among them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/strategy/event_source.hpp"

namespace gainsay {

// So many alternatives in a row, all of one kind: there may be a fault for every pending message.
struct EventRange {
  std::size_t first = 0;
  std::size_t end = 0;
};

// Those in `shown`, then those in `ranges`. Keeps references: all must outlive it.
class SomeEvents final : public EventSource {
 public:
  SomeEvents(const EventSource& all, const std::vector<std::size_t>& shown,
             std::span<const EventRange> ranges = {})
      : all_(all), shown_(shown), ranges_(ranges) {}
  std::size_t size() const {
    std::size_t count = shown_.size();
    for (const EventRange& range : ranges_) count += range.end - range.first;
    return count;
  }
  // What it is among all.
  std::size_t index_in_all(std::size_t index) const {
    if (index < shown_.size()) return shown_[index];
    return range_at(index).first;
  }
  Event event_at(std::size_t index) const override { return all_.event_at(index_in_all(index)); }
  EventKind kind_at(std::size_t index) const override { return all_.kind_at(index_in_all(index)); }
  std::size_t kind_end(std::size_t index, std::size_t end) const override {
    if (index < shown_.size()) return EventSource::kind_end(index, end);
    const EventRange rest = range_at(index);
    return std::min(end, index + (rest.end - rest.first));
  }
  std::optional<std::uint64_t> world_fingerprint() const override { return all_.world_fingerprint(); }
  std::size_t pending_count() const override { return all_.pending_count(); }
  EventId pending_id(std::size_t position) const override { return all_.pending_id(position); }
  Event pending_event(std::size_t position) const override { return all_.pending_event(position); }
  // Orders are not told, as by `traits_of`.
  EventLink pending_link(std::size_t position) const override {
    EventLink link = all_.pending_link(position);
    link.ordered = false;
    return link;
  }
  ActorId pending_receiver(std::size_t position) const override { return all_.pending_receiver(position); }
  ActorId pending_task(std::size_t position) const override { return all_.pending_task(position); }
  std::size_t position_of(std::size_t index) const override { return all_.position_of(shown_[index]); }

 private:
  // From this one to the end of its range. REQUIRES: it is in a range.
  EventRange range_at(std::size_t index) const {
    index -= shown_.size();
    for (const EventRange& range : ranges_) {
      const std::size_t count = range.end - range.first;
      if (index < count) return {range.first + index, range.end};
      index -= count;
    }
    GAINSAY_CHECK(false, "an alternative that is shown");
    return {};
  }

  const EventSource& all_;
  const std::vector<std::size_t>& shown_;
  std::span<const EventRange> ranges_;
};

}  // namespace gainsay
