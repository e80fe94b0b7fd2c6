#include "gainsay/scenario/blueprint.hpp"

#include <gtest/gtest.h>

#include "gainsay/scenario/world.hpp"

namespace gainsay {
namespace {

TEST(Blueprint, APropertyIsGlobalWhereSeveralActorsDecideIt) {
  const auto is_global = [](Property::Kind kind, std::vector<ActorId> scope) {
    Property property;
    property.kind = kind;
    property.scope = std::move(scope);
    return property.is_global();
  };
  for (const auto kind : {Property::Kind::always, Property::Kind::reached}) {
    EXPECT_TRUE(is_global(kind, {})) << "it may read anything";
    EXPECT_FALSE(is_global(kind, {ActorId{1}}));
    EXPECT_FALSE(is_global(kind, {ActorId{1}, ActorId{1}}));
    EXPECT_TRUE(is_global(kind, {ActorId{1}, ActorId{1}, ActorId{2}}));
  }
  EXPECT_FALSE(is_global(Property::Kind::finally, {}))
      << "only the end counts, and it is the same in all orders";
  EXPECT_FALSE(is_global(Property::Kind::finally, {ActorId{1}, ActorId{2}}));
}

TEST(Blueprint, PartitionsCountStepsWhereTheyCanHappen) {
  FaultPlan faults;
  PartitionPlan until_healed;
  PartitionPlan for_three;
  for_three.steps = 3;
  faults.partitions = {until_healed, for_three};
  EXPECT_FALSE(faults.counts_steps()) << "none can happen";
  faults.partition_events = 1;
  EXPECT_TRUE(faults.counts_steps());
  faults.partitions.pop_back();
  EXPECT_FALSE(faults.counts_steps());
}

namespace keys {

struct Put {
  int key = 0;
};
struct Clear {};
struct Ping {};
struct Unlisted {};

struct Store {
  using Receives = Messages<Put>;
  int puts = 0;
  void on(const Put&) { ++puts; }
};

}  // namespace keys

TEST(Blueprint, KnowsTheKeysOfMessages) {
  World world("keys");
  world.spawn<keys::Store>("store");
  world.key<keys::Put>([](const keys::Put& put) { return put.key; });
  world.any_key<keys::Clear>();
  world.no_key<keys::Ping>();
  const Blueprint blueprint = world.take();
  const auto key_of = [&](const auto& message) {
    using M = std::decay_t<decltype(message)>;
    return blueprint.key_of(&reflect::value_type<M>(), &message);
  };
  using Kind = MessageKey::Kind;
  EXPECT_EQ(key_of(keys::Put{1}).kind, Kind::key);
  EXPECT_EQ(key_of(keys::Put{1}), key_of(keys::Put{1}));
  EXPECT_NE(key_of(keys::Put{1}), key_of(keys::Put{2}));
  EXPECT_EQ(key_of(keys::Clear{}), (MessageKey{Kind::any, 0}));
  EXPECT_EQ(key_of(keys::Ping{}), (MessageKey{Kind::none, 0}));
  EXPECT_EQ(key_of(keys::Unlisted{}), MessageKey{});
  EXPECT_EQ(blueprint.key_of(nullptr, nullptr), MessageKey{}) << "a start has no message";
}

}  // namespace
}  // namespace gainsay
