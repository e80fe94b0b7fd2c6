#include "gainsay/strategy/walks/pending_mirror.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/choice_tree.test.hpp"

namespace gainsay::pending_mirror_test {
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
    std::uint64_t made = 0;
    std::uint64_t seen = 0;  // ids below it were shown at some choice point
    grow();
    for (int step = 0; step < 60; ++step) {
      const choice_tree::Source source(list);
      mirror.update(source, [&](std::size_t position) {
        ++made;
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
    EXPECT_EQ(made, seen);
  }
}

// Long-lived events beside many short-lived ones: slots are numbered anew now and then, and whoever remembers slots
// can keep up. Memory does not grow with what was executed.
TEST(PendingMirror, WhoRemembersSlotsIsToldBeforeTheyChange) {
  Rng rng(3);
  std::vector<Event> list;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> remembered;  // id and slot
  PendingMirror<std::uint64_t> mirror;
  std::uint64_t next_id = 1;
  std::size_t renumbered = 0;
  std::uint32_t greatest = 0;
  for (int step = 0; step < 5'000; ++step) {
    list.emplace_back();
    list.back().id = EventId{next_id++};
    const choice_tree::Source source(list);
    mirror.update(
        source, [&](std::size_t position) { return list[position].id.raw; },
        [&](std::uint32_t slot) {
          remembered.emplace_back(mirror.in_slot(slot), slot);
          greatest = std::max(greatest, slot);
        },
        [&] {
          ++renumbered;
          for (auto& each : remembered)
            each.second = static_cast<std::uint32_t>(mirror.position(each.second));
        });
    for (const auto& [id, slot] : remembered) {
      ASSERT_EQ(mirror.in_slot(slot), id);
      ASSERT_EQ(mirror[mirror.position(slot)], id);
    }
    if (list.size() < 20) continue;
    const std::size_t chosen = rng.below(list.size());
    std::erase_if(remembered, [&](const auto& each) { return each.first == list[chosen].id.raw; });
    mirror.take(chosen);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  EXPECT_GT(renumbered, 10U);
  EXPECT_LT(greatest, 200U) << "of 5,000 events 20 are pending";
}

TEST(PendingMirror, StartsAnewWhenCleared) {
  std::vector<Event> list(2);
  list[0].id = EventId{1};
  list[1].id = EventId{2};
  const choice_tree::Source source(list);
  PendingMirror<int> mirror;
  int made = 0;
  mirror.update(source, [&](std::size_t) { return ++made; });
  mirror.clear();
  EXPECT_EQ(mirror.size(), 0U);
  mirror.update(source, [&](std::size_t) { return ++made; });
  EXPECT_EQ(made, 4);
}

}  // namespace
}  // namespace gainsay::pending_mirror_test
