#include "gainsay/strategy/some_events.hpp"

#include <gtest/gtest.h>

namespace gainsay::some_events_test {
namespace {

// Four messages to two actors. Each is awaited by a task of its own; the last alternative is a fault.
class Source final : public EventSource {
 public:
  Event event_at(std::size_t index) const override {
    if (index < pending_count()) return pending_event(index);
    Event fault;
    fault.kind = EventKind::drop;
    return fault;
  }
  std::optional<std::uint64_t> world_fingerprint() const override { return 17; }
  std::size_t pending_count() const override { return 4; }
  EventId pending_id(std::size_t position) const override { return EventId{100 + position}; }
  Event pending_event(std::size_t position) const override {
    Event event;
    event.id = pending_id(position);
    event.kind = EventKind::deliver;
    event.sender = ActorId{9};
    event.receiver = pending_receiver(position);
    event.type = 5;
    return event;
  }
  EventLink pending_link(std::size_t position) const override {
    return {pending_id(position), ActorId{9}, pending_receiver(position), 7, EventKind::deliver};
  }
  ActorId pending_receiver(std::size_t position) const override { return ActorId{position / 2}; }
  ActorId pending_task(std::size_t position) const override { return ActorId{50 + position}; }
  std::size_t position_of(std::size_t index) const override { return index; }
};

// What is pending is what is pending, whatever part of it may be next: positions keep their meaning.
TEST(SomeEvents, SaysOfPendingEventsWhatTheWorldSays) {
  const Source all;
  const std::vector<std::size_t> shown{1, 3};
  const std::vector<EventRange> ranges{{4, 5}};
  const SomeEvents some(all, shown, ranges);
  ASSERT_EQ(some.size(), 3U);
  EXPECT_EQ(some.event_at(1).id, EventId{103});
  EXPECT_EQ(some.kind_at(2), EventKind::drop);
  EXPECT_EQ(some.position_of(0), 1U);
  EXPECT_EQ(some.world_fingerprint(), 17U);
  ASSERT_EQ(some.pending_count(), all.pending_count());
  for (std::size_t position = 0; position < all.pending_count(); ++position) {
    EXPECT_EQ(some.pending_id(position), all.pending_id(position));
    EXPECT_EQ(some.pending_event(position), all.pending_event(position));
    EXPECT_EQ(some.pending_link(position), all.pending_link(position)) << "the message is not asked";
    EXPECT_EQ(some.pending_receiver(position), all.pending_receiver(position));
    EXPECT_EQ(some.pending_task(position), all.pending_task(position)) << "pct counts tasks, also in a swarm";
  }
}

}  // namespace
}  // namespace gainsay::some_events_test
