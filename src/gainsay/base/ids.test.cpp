#include "gainsay/base/ids.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace gainsay::ids_test {
namespace {

struct Node {};
struct Client {};

TEST(Ids, AHandleThatWasNeverSetIsNobody) {
  EXPECT_EQ(Ref<Node>{}, nobody);
  EXPECT_NE(nobody, outside);
  EXPECT_FALSE(is_spawned(nobody));
  EXPECT_FALSE(is_spawned(outside));
  EXPECT_FALSE(is_spawned(ActorId{0}));
  EXPECT_FALSE(is_spawned(ActorId{0x7fffffff}));
}

TEST(Ids, HandlesOfDifferentActorsAreDifferentTypes) {
  EXPECT_FALSE((std::is_convertible_v<Ref<Node>, Ref<Client>>));
  EXPECT_FALSE((std::is_convertible_v<ActorId, Ref<Node>>));
  EXPECT_TRUE((std::is_convertible_v<Ref<Node>, ActorId>));
}

TEST(Ids, ASpawnedActorIsNamedByItsCause) {
  static_assert(spawned_id(ActorId{3}, 0) == spawned_id(ActorId{3}, 0));
  EXPECT_EQ(spawned_id(ActorId{3}, 1).raw, 16808117085200171097ULL);
  EXPECT_NE(spawned_id(ActorId{3}, 0), spawned_id(ActorId{3}, 1));
  EXPECT_NE(spawned_id(ActorId{3}, 0), spawned_id(ActorId{4}, 0));
  EXPECT_NE(spawned_id(spawned_id(ActorId{3}, 0), 0), spawned_id(ActorId{3}, 0));
}

// 10,000 ids in a space of 2^63: the expected number of equal pairs is 10^8 / 2^64.
TEST(Ids, SpawnedIdsAreMarkedAndSpread) {
  std::set<ActorId> seen;
  for (std::uint32_t creator = 0; creator < 100; ++creator) {
    for (std::uint32_t ordinal = 0; ordinal < 100; ++ordinal) {
      const ActorId id = spawned_id(ActorId{creator}, ordinal);
      EXPECT_TRUE(is_spawned(id));
      seen.insert(id);
    }
  }
  EXPECT_EQ(seen.size(), 10'000U);
}

TEST(Ids, AGroupIsARangeOfHandles) {
  const Group<Node> group{Ref<Node>(ActorId{5}), 3};
  static_assert(std::forward_iterator<Group<Node>::Iterator>);
  EXPECT_EQ(std::vector<ActorId>(group.begin(), group.end()), (std::vector<ActorId>{{5}, {6}, {7}}));
  EXPECT_EQ(group.size(), 3U);
  EXPECT_FALSE(group.empty());
  EXPECT_EQ(group[2], ActorId{7});
  EXPECT_EQ(group.index(ActorId{6}), 1U);
}

TEST(Ids, AGroupContainsItsMembersOnly) {
  const Group<Node> group{Ref<Node>(ActorId{5}), 3};
  for (std::uint32_t raw = 0; raw < 20; ++raw)
    EXPECT_EQ(group.contains(ActorId{raw}), raw >= 5 && raw < 8) << raw;
  EXPECT_FALSE(group.contains(outside));
  EXPECT_FALSE(group.contains(nobody));
}

TEST(Ids, AnEmptyGroupHasNobody) {
  const Group<Node> group;
  EXPECT_TRUE(group.empty());
  EXPECT_EQ(group.begin(), group.end());
  EXPECT_FALSE(group.contains(nobody));
  EXPECT_FALSE(group.contains(outside));
  EXPECT_FALSE(group.contains(ActorId{0}));
}

}  // namespace
}  // namespace gainsay::ids_test
