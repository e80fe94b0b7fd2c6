// What a step adds to the fingerprint, beside the definition: the fingerprint after it less the one before, for every
// outcome of every alternative that walks through random systems of all kinds meet.
#include "gainsay/execution/world/hash_difference.hpp"

#include <map>

#include <gtest/gtest.h>

#include "gainsay/execution/world/engine.hpp"
#include "gainsay/explorer/random_system.test.hpp"
#include "gainsay/explorer/record.hpp"

namespace gainsay {
namespace {

struct Seen {
  std::uint64_t known = 0;    // outcomes with a difference
  std::uint64_t unknown = 0;  // left to the step
};

// Compares all outcomes of the world; picks one of them to go on with. False at the end.
bool compare_and_step(Engine& engine, HashDifference& difference, WorldState& world, Rng& rng,
                      std::map<EventKind, Seen>& seen) {
  static const Leaf nothing;
  Alternatives alternatives;
  engine.network.enabled(world, alternatives);
  difference.prepare(world);
  const std::uint64_t before = engine.hash.of(world);
  std::vector<WorldState> successors;
  for (const Alternative& alternative : alternatives.list) {
    if (alternative.kind == EventKind::stop) continue;
    std::vector<const Leaf*> outcomes;
    for (const Leaf& leaf : engine.leaves_of(world, alternative)) outcomes.push_back(&leaf);
    if (outcomes.empty()) outcomes.push_back(nullptr);
    for (const Leaf* leaf : outcomes) {
      const std::optional<std::uint64_t> answer = difference.of(alternative, leaf);
      WorldState next = world;
      StepResult result;
      engine.stepper.step_known(next, alternative, leaf != nullptr ? *leaf : nothing, result);
      ++(answer ? seen[alternative.kind].known : seen[alternative.kind].unknown);
      if (result.failure != nullptr) {
        EXPECT_FALSE(answer && (leaf == nullptr || leaf->transition.extras == nullptr));
        continue;
      }
      next.check_rows();
      const std::uint64_t after = engine.hash.of(next);
      if (answer) {
        EXPECT_EQ(before + *answer, after) << kind_name(alternative.kind);
      }
      // A state that was written down and read again is the same state with the same alternatives.
      std::vector<std::uint32_t> words;
      encode(next, after, engine.network, words);
      WorldState read;
      decode(RecordView{words.data()}, engine, read);
      read.check_rows();
      EXPECT_EQ(engine.hash.of(read), after);
      for (const Pending& pending : next.pending) EXPECT_LT(pending.to, next.cells.size());
      EXPECT_EQ(read.waiting, next.waiting);
      successors.push_back(std::move(next));
    }
  }
  if (successors.empty()) return false;
  world = successors[rng.below(successors.size())];
  return true;
}

TEST(HashDifference, IsWhatTheStepAdds) {
  std::map<EventKind, Seen> seen;
  for (std::uint64_t number = 1; number <= 1500 && !::testing::Test::HasFailure(); ++number) {
    random_system::Features features = random_system::draw(number);
    features.levels = 3;
    features.outside = 3;
    features.order = static_cast<Delivery>(number % 4);
    Blueprint blueprint = random_system::build(features);
    Rng rng(number, 77);
    if (rng.chance(1, 3)) {
      for (std::uint32_t from = 0; from < 2; ++from)
        blueprint.link_orders.push_back({ActorId{from}, ActorId{1}, static_cast<Delivery>(rng.below(4))});
    }
    Engine engine(blueprint);
    HashDifference difference(engine.front, engine.network, engine.hash);
    WorldState world;
    engine.stepper.initial(world);
    while (compare_and_step(engine, difference, world, rng, seen)) {
    }
    ASSERT_FALSE(::testing::Test::HasFailure()) << random_system::text(features);
  }
  // The walks met enough of each, and most are known.
  EXPECT_GT(seen[EventKind::deliver].known, 10'000U);
  EXPECT_GT(seen[EventKind::deliver].known, 4 * seen[EventKind::deliver].unknown);
  for (const EventKind kind : {EventKind::timer, EventKind::drop, EventKind::duplicate, EventKind::crash})
    EXPECT_GT(seen[kind].known, 100U) << kind_name(kind);
}

}  // namespace
}  // namespace gainsay
