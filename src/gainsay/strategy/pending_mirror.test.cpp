#include "gainsay/strategy/pending_mirror.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/choice_tree.test.hpp"

namespace gainsay {
namespace {

// A list that loses what is chosen, sometimes others, and grows at its end: the mirror always agrees, and asks
// for an item once per event.
TEST(PendingMirror, FollowsAnyListThatGrowsAtItsEnd) {
  Rng rng(11);
  for (int round = 0; round < 200; ++round) {
    std::vector<Event> list;
    std::uint64_t next_id = 1;
    const auto grow = [&] {
      for (std::uint64_t count = rng.below(4); count > 0; --count) {
        list.emplace_back();
        list.back().id = EventId{next_id++};
      }
    };
    PendingMirror<std::uint64_t> mirror;
    std::uint64_t born = 0;
    std::uint64_t seen = 0;  // ids below it were shown at some choice point
    grow();
    for (int step = 0; step < 60; ++step) {
      const choice_tree::Source source(list);
      mirror.follow(source, [&](std::size_t position) {
        ++born;
        return list[position].id.raw;
      });
      for (const Event& event : list) seen += event.id.raw > seen ? event.id.raw - seen : 0;
      ASSERT_EQ(mirror.size(), list.size());
      for (std::size_t i = 0; i < list.size(); ++i) {
        EXPECT_EQ(mirror[i], list[i].id.raw);
        EXPECT_EQ(mirror.id(i), list[i].id);
      }
      if (!list.empty()) {
        const std::size_t chosen = rng.below(list.size());
        EXPECT_EQ(mirror.take(chosen), list[chosen].id.raw);
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(chosen));
      }
      while (!list.empty() && rng.chance(1, 4))  // cancelled, lost
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(rng.below(list.size())));
      grow();
    }
    EXPECT_EQ(born, seen);
  }
}

TEST(PendingMirror, StartsAnewWhenCleared) {
  std::vector<Event> list(2);
  list[0].id = EventId{1};
  list[1].id = EventId{2};
  const choice_tree::Source source(list);
  PendingMirror<int> mirror;
  int born = 0;
  mirror.follow(source, [&](std::size_t) { return ++born; });
  mirror.clear();
  EXPECT_EQ(mirror.size(), 0U);
  mirror.follow(source, [&](std::size_t) { return ++born; });
  EXPECT_EQ(born, 4);
}

}  // namespace
}  // namespace gainsay
