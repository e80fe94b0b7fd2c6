// SomeEvents: a part of a choice point's alternatives, for a strategy that lets another one choose among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gainsay/strategy/event_source.hpp"

namespace gainsay {

// Keeps references: both must outlive it.
class SomeEvents final : public EventSource {
 public:
  SomeEvents(const EventSource& all, const std::vector<std::size_t>& shown) : all_(all), shown_(shown) {}
  Event event_at(std::size_t index) const override { return all_.event_at(shown_[index]); }
  EventKind kind_at(std::size_t index) const override { return all_.kind_at(shown_[index]); }
  std::optional<std::uint64_t> world_fingerprint() const override { return all_.world_fingerprint(); }
  std::size_t pending_count() const override { return all_.pending_count(); }
  EventId pending_id(std::size_t position) const override { return all_.pending_id(position); }
  Event pending_event(std::size_t position) const override { return all_.pending_event(position); }
  std::size_t position_of(std::size_t index) const override { return all_.position_of(shown_[index]); }

 private:
  const EventSource& all_;
  const std::vector<std::size_t>& shown_;
};

}  // namespace gainsay
