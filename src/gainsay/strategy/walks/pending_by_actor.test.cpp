#include "gainsay/strategy/walks/pending_by_actor.hpp"

#include <map>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/walks/possible.hpp"

namespace gainsay::pending_by_actor_test {
namespace {

// A pending list of which a part is possible.
class Source final : public EventSource {
 public:
  Event event_at(std::size_t index) const override { return pending_event(possible.at(index)); }
  std::optional<std::uint64_t> world_fingerprint() const override { return std::nullopt; }
  std::size_t pending_count() const override { return pending.size(); }
  EventId pending_id(std::size_t position) const override { return pending.at(position).id; }
  Event pending_event(std::size_t position) const override { return pending.at(position); }
  std::size_t position_of(std::size_t index) const override { return possible.at(index); }

  std::vector<Event> pending;
  std::vector<std::size_t> possible;  // positions
};

class RandomWorld {
 public:
  explicit RandomWorld(std::uint64_t seed) : rng_(seed) {}

  // Some events appear, and now and then some leave by themselves.
  void change() {
    for (std::uint64_t i = rng_.below(4); i > 0; --i) {
      Event event;
      event.id = EventId{++ids_};
      event.receiver = ActorId{rng_.below(5) * 40'000};  // small ids and large ones
      source.pending.push_back(event);
    }
    if (!source.pending.empty() && rng_.chance(1, 8))
      source.pending.erase(source.pending.begin() +
                           static_cast<std::ptrdiff_t>(rng_.below(source.pending.size())));
    source.possible.clear();
    const bool all = rng_.chance(1, 3);
    for (std::size_t i = 0; i < source.pending.size(); ++i) {
      if (all || rng_.chance(2, 3)) source.possible.push_back(i);
    }
  }
  // The positions of what is pending at each actor, from the oldest.
  std::map<ActorId, std::vector<std::size_t>> by_actor() const {
    std::map<ActorId, std::vector<std::size_t>> all;
    for (std::size_t i = 0; i < source.pending.size(); ++i) all[source.pending[i].receiver].push_back(i);
    return all;
  }
  Rng& rng() { return rng_; }

  Source source;

 private:
  Rng rng_;
  std::uint64_t ids_ = 0;
};

// Compared with a pass over everything, while events come, are taken and leave by themselves, in one run after the
// other.
TEST(PendingByActor, AgreesWithAPassOverAllThatIsPending) {
  std::uint64_t compared = 0;
  PendingByActor<std::uint64_t> pending;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomWorld world(seed);
    pending.clear();
    for (int step = 0; step < 400; ++step) {
      world.change();
      pending.update(world.source, [&](std::uint32_t actor) { return actor + 1ULL; });
      ASSERT_EQ(pending.size(), world.source.pending.size());
      const auto expected = world.by_actor();
      std::size_t listed = 0;
      for (std::uint32_t actor = 0; actor < pending.actors(); ++actor) {
        const auto found = expected.find(pending.id(actor));
        const std::size_t count = found == expected.end() ? 0 : found->second.size();
        ASSERT_EQ(pending.of(actor).size(), count);
        EXPECT_EQ(pending.number_of(pending.id(actor)), actor);
        listed += count;
        for (std::size_t nth = 0; nth < count; ++nth, ++compared) {
          const std::size_t position = pending.position(pending.of(actor)[nth]);
          ASSERT_EQ(position, found->second[nth]);
          ASSERT_EQ(pending.actor_at(position), actor);
          ASSERT_EQ(pending.at(position), actor + 1ULL);
        }
      }
      ASSERT_EQ(listed, pending.size());
      if (world.source.possible.empty()) continue;
      const std::size_t taken = world.source.possible[world.rng().below(world.source.possible.size())];
      pending.take(taken);
      world.source.pending.erase(world.source.pending.begin() + static_cast<std::ptrdiff_t>(taken));
    }
  }
  EXPECT_GT(compared, 10'000U);
}

TEST(Possible, KnowsWhatIsNotPossible) {
  Source source;
  source.pending.resize(6);
  source.possible = {1, 4};
  Possible possible;
  possible.look(ChoicePoint::events(source, 0, 2, 2), 6);
  EXPECT_FALSE(possible.all());
  EXPECT_EQ(possible.index_of(0), Possible::no_index);
  EXPECT_EQ(possible.index_of(1), 0U);
  EXPECT_EQ(possible.index_of(2), Possible::no_index);
  EXPECT_EQ(possible.index_of(4), 1U);
  EXPECT_EQ(possible.index_of(5), Possible::no_index);
}

TEST(Possible, IsOfTheLastChoicePointThatWasLookedAt) {
  Source source;
  source.pending.resize(6);
  Possible possible;
  for (const std::vector<std::size_t>& now :
       {std::vector<std::size_t>{1, 4}, {0, 2, 5}, {0, 1, 2, 3, 4, 5}, {3}}) {
    source.possible = now;
    possible.look(ChoicePoint::events(source, 0, now.size(), now.size()), 6);
    std::vector<std::size_t> listed;
    possible.each([&](std::size_t position) { listed.push_back(position); });
    EXPECT_EQ(listed, now);
    for (std::size_t index = 0; index < now.size(); ++index) {
      EXPECT_EQ(possible.position_of(index), now[index]);
      EXPECT_EQ(possible.index_of(now[index]), index);
    }
  }
}

}  // namespace
}  // namespace gainsay::pending_by_actor_test
