// EventBook: the events of a scenario's graph, each with one number, for several workers at once.
//
// A worker asks its own small table first (EventPages); only what is new to it goes through the lock. Numbers depend on
// who comes first and are replaced by the order of texts when the graph is put together.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/execution/world/engine.hpp"
#include "gainsay/model/state_graph.hpp"

namespace gainsay {

class EventBook {
 public:
  explicit EventBook(const Kernel& kernel) : kernel_(kernel) {}

  // What an event is besides its answers: where it comes from in the world.
  struct Place {
    EventKind kind = EventKind::deliver;
    EnvelopeId envelope = 0;   // 0: it concerns no message
    std::uint32_t target = 0;  // of a fault that concerns none
    std::uint32_t cut = 0;     // the cut in force, where the event names it
  };
  // Safe for concurrent callers. `identity` is asked for once per event.
  template <class Identity>
  std::uint32_t number(const Place& place, const std::vector<DataChoice>& answers, const Identity& identity) {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(place.kind), place.envelope, place.target,
                                   place.cut};
    for (const DataChoice& each : answers) key.push_back(each.answer);
    const auto [where, added] =
        numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(events_.size()));
    if (added) {
      events_.push_back(describe(place, answers, identity()));
      envelopes_.push_back(place.envelope);
    }
    return where->second;
  }

  std::vector<GraphEvent> take_events() { return std::move(events_); }
  const std::vector<EnvelopeId>& envelopes() const { return envelopes_; }

 private:
  GraphEvent describe(const Place& place, const std::vector<DataChoice>& answers,
                      std::uint64_t identity) const;

  const Kernel& kernel_;
  std::mutex mutex_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
  std::vector<GraphEvent> events_;
  std::vector<EnvelopeId> envelopes_;
};

// One worker's view of the book.
class EventPages {
 public:
  explicit EventPages(EventBook& book) : book_(book) {}

  std::uint32_t number(Engine& engine, const WorldState& world, const Alternative& alternative,
                       const Leaf* leaf);

 private:
  EventBook& book_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> known_;
};

// An actor's cell in words: its fields, and whatever else tells it from others.
std::string cell_text(const Kernel& kernel, CellId cell);

}  // namespace gainsay
