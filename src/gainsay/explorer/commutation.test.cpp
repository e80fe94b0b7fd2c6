#include "gainsay/explorer/commutation.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/explorer/random_system.test.hpp"

namespace gainsay::commutation_test {
namespace {

using testing::HasSubstr;

struct Put {
  int key = 0;
  int value = 0;
};
struct Get {
  int key = 0;
};
struct Size {};
struct Value {
  int value = 0;
};

struct Store {
  using Receives = Messages<Put, Get, Size>;
  std::map<int, int> values;
  bool counts = false;  // a secret that all keys share
  int puts = 0;
  void on(const Put& put) {
    values[put.key] = put.value;
    if (counts) ++puts;
    if (counts && puts == 2) values[put.key] = -1;
  }
  void on(const Get& get, Context& ctx) { ctx.reply(Value{values[get.key]}); }
  void on(const Size&, Context& ctx) { ctx.reply(Value{static_cast<int>(values.size())}); }
};

Blueprint store(bool counts, bool sizes) {
  World world("store");
  const auto store = world.spawn<Store>("store", Store{{}, counts, 0});
  world.send(store, Put{1, 10});
  world.send(store, Put{2, 20});
  world.send(store, Get{1});
  if (sizes) world.send(store, Size{});
  return world.take();
}

int key_of(const PossibleEvent& event) {
  if (event.type == &reflect::value_type<Put>()) return static_cast<const Put*>(event.message)->key;
  if (event.type == &reflect::value_type<Get>()) return static_cast<const Get*>(event.message)->key;
  return 0;
}

// Events of different keys are called independent.
bool other_key(const PossibleEvent& a, const PossibleEvent& b) { return key_of(a) != key_of(b); }

TEST(Commutations, ASoundClaimIsNotRefuted) {
  const CommutationResult result = check_commutations(store(false, false), other_key, {.pairs = 200});
  EXPECT_FALSE(result.refutation.has_value()) << result.refutation->why;
  EXPECT_EQ(result.sampled, 200U);
  EXPECT_GT(result.states, 20U);
}

// The second Put of any key is spoilt: which one that is depends on the order.
TEST(Commutations, ASharedSecretIsFound) {
  const CommutationResult result = check_commutations(store(true, false), other_key, {.pairs = 200});
  ASSERT_TRUE(result.refutation.has_value());
  const Refutation& refutation = *result.refutation;
  EXPECT_THAT(refutation.first + " " + refutation.second,
              HasSubstr("Put{key: 1, value: 10} from outside to store"));
  EXPECT_THAT(refutation.first + " " + refutation.second,
              HasSubstr("Put{key: 2, value: 20} from outside to store"));
  EXPECT_THAT(refutation.why, HasSubstr("store is "));
  EXPECT_EQ(refutation.receiver, "store");
  ASSERT_EQ(refutation.document.steps.size(), refutation.steps.size());
  EXPECT_EQ(refutation.document.steps.back().to, "store");
}

// Size has key 0, which no Put has: it answers something else after a Put.
TEST(Commutations, DifferentEffectsAreFound) {
  const CommutationResult result = check_commutations(store(false, true), other_key, {.pairs = 500});
  ASSERT_TRUE(result.refutation.has_value());
  EXPECT_THAT(result.refutation->why, HasSubstr("replies Value{value: "));
  EXPECT_THAT(result.refutation->why, HasSubstr("Size"));
}

// --- an event that takes away the other one ---

struct Lock {};
struct Work {};
struct Door {
  using Receives = Messages<Lock, Work>;
  bool locked = false;
  void on(const Lock&) { locked = true; }
  void on(const Work&) {}
  bool accepts(const Work&) const { return !locked; }
};

TEST(Commutations, DisabledEventsAreFound) {
  World world("door");
  const auto door = world.spawn<Door>("door");
  world.send(door, Lock{});
  world.send(door, Work{});
  const auto all = [](const PossibleEvent&, const PossibleEvent&) { return true; };
  const CommutationResult result = check_commutations(world.take(), all, {});
  ASSERT_TRUE(result.refutation.has_value());
  EXPECT_THAT(result.refutation->why,
              HasSubstr("Work from outside to door is no longer possible after Lock"));
}

// Only effects that are equal for each event count: two acknowledgements, of which the second sends the result, do the
// same together in both orders.
struct Ack {};
struct Done {};
struct Client {
  using Receives = Messages<Done>;
  void on(const Done&) {}
};
struct Quorum {
  using Receives = Messages<Ack>;
  Ref<Client> client{nobody};
  int acks = 0;
  void on(const Ack&, Context& ctx) {
    if (++acks == 2) ctx.send(client, Done{});
  }
};

TEST(Commutations, EqualTogetherIsNotEnough) {
  World world("quorum");
  const auto client = world.spawn<Client>("client");
  const auto quorum = world.spawn<Quorum>("quorum", Quorum{client, 0});
  world.send(quorum, Ack{});
  world.send(quorum, Ack{});
  const auto all = [](const PossibleEvent&, const PossibleEvent&) { return true; };
  const CommutationResult result = check_commutations(world.take(), all, {});
  ASSERT_TRUE(result.refutation.has_value());
  EXPECT_THAT(result.refutation->why, HasSubstr("sends Done to client"));
}

// Events of different actors commute in all worlds whose messages have no common queue: what the reductions rest on.
TEST(Commutations, DifferentActorsAreIndependent) {
  std::uint64_t sampled = 0;
  for (std::uint64_t number = 7000; number < 7100; ++number) {
    random_system::Features features = random_system::draw(number);
    if (features.order == Delivery::mailbox) features.order = Delivery::fifo;
    if (features.partitions > 0 && features.partition_steps > 0) continue;
    features.monitor = false;   // they share it
    features.timer_budget = 0;  // likewise
    SCOPED_TRACE(random_system::text(features));
    const auto apart = [](const PossibleEvent& a, const PossibleEvent& b) {
      return a.event.receiver != b.event.receiver;
    };
    const CommutationResult result = check_commutations(random_system::build(features), apart,
                                                        {.pairs = 100, .walks = 10, .seed = number});
    ASSERT_FALSE(result.refutation.has_value()) << result.refutation->why;
    sampled += result.sampled;
  }
  EXPECT_GT(sampled, 3'000U);
}

TEST(Commutations, AreDeterministic) {
  const auto first = check_commutations(store(true, false), other_key, {.pairs = 200, .seed = 5});
  const auto second = check_commutations(store(true, false), other_key, {.pairs = 200, .seed = 5});
  EXPECT_EQ(first.sampled, second.sampled);
  EXPECT_EQ(first.refutation->why, second.refutation->why);
  const std::atomic<bool> stop{true};
  EXPECT_TRUE(check_commutations(store(true, false), other_key, {.stop = &stop}).interrupted);
}

struct Wrapped {
  using Receives = Messages<Lock>;
  void on(const Lock&) {}
};

TEST(Commutations, OpaqueWorldsAreRefused) {
  World world("wrapped");
  world.wrap<Wrapped>("wrapped");
  EXPECT_THROW(check_commutations(world.take(), other_key, {}), UserError);
}

}  // namespace
}  // namespace gainsay::commutation_test
