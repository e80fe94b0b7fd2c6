// What a step adds to the fingerprint, and the record after it, beside the definitions: the step itself, its
// fingerprint and its record. For every outcome of every alternative that walks through random systems of all kinds
// meet.
#include "gainsay/explorer/open_record.hpp"

#include <map>

#include <gtest/gtest.h>

#include "gainsay/execution/world/engine.hpp"
#include "gainsay/explorer/random_system.test.hpp"

namespace gainsay::open_record_test {
namespace {

struct Seen {
  std::uint64_t known = 0;    // outcomes with a difference
  std::uint64_t unknown = 0;  // left to the step
  std::uint64_t spliced = 0;  // outcomes whose record was made from the parent's
};

// What is ready and refused was carried over; the network says the same anew.
void expect_fresh_readiness(const std::vector<std::uint32_t>& words, Engine& engine) {
  WorldState read;
  decode(RecordView{words.data()}, engine, read);
  read.check_rows();
  WorldState anew = read;
  engine.network.refresh_all(anew);
  for (const std::size_t i : read.pending.each_place()) {
    EXPECT_EQ(read.is_ready(i), anew.is_ready(i)) << i;
    EXPECT_EQ(read.refused[i], anew.refused[i]) << i;
  }
}

// Places of a record are those of the world without gaps; where the network keeps no order, by envelope.
void stand_as_in_records(Engine& engine, WorldState& world) {
  world.squeeze();
  if (!engine.network.unordered()) return;
  std::vector<Pending> sorted(world.pending.begin(), world.pending.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Pending& a, const Pending& b) { return a.envelope < b.envelope; });
  world.at.reset_all(world.at.rows(), world.at.words());
  world.own.fill(sorted.size(), [&](std::size_t i) { return !sorted[i].is_message(); });
  world.gated_events.fill(sorted.size(), [&](std::size_t i) { return sorted[i].gated; });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    world.pending[i] = sorted[i];
    world.at.set(sorted[i].to, i);
  }
  world.set_all_ready();
  engine.network.refresh_all(world);
}

// Compares all outcomes of the world; picks one of them to go on with. False at the end.
bool compare_and_step(Engine& engine, OpenRecord& open, WorldState& world, Rng& rng,
                      std::map<EventKind, Seen>& seen) {
  static const Leaf nothing;
  Alternatives alternatives;
  stand_as_in_records(engine, world);
  engine.network.enabled(world, alternatives);
  const std::uint64_t before = engine.hash.of(world);
  std::vector<std::uint32_t> parent;
  encode(world, before, engine.network, parent);
  const RecordView record{parent.data()};
  const bool opened = open.open(record, RecordRest(record, engine.network));
  std::vector<WorldState> successors;
  for (const Alternative& alternative : alternatives.list) {
    if (alternative.kind == EventKind::stop) continue;
    std::vector<const Leaf*> outcomes;
    for (const Leaf& leaf : engine.leaves_of(world, alternative)) outcomes.push_back(&leaf);
    if (outcomes.empty()) outcomes.push_back(nullptr);
    for (const Leaf* leaf : outcomes) {
      std::uint64_t sum = 0;
      const bool answer = opened && open.difference(alternative, leaf, sum);
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
        EXPECT_EQ(before + sum, after) << kind_name(alternative.kind);
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
      if (answer && is_ordinary(alternative.kind)) {
        std::vector<std::uint32_t> spliced{1, 2, 3};
        const auto change = open.splice(alternative.target, *leaf, after, spliced);
        if (change) {
          ++seen[alternative.kind].spliced;
          EXPECT_EQ(spliced, words);
          expect_fresh_readiness(spliced, engine);
          EXPECT_EQ(change->slot, result.slot);
          EXPECT_EQ(change->changed, result.changed);
          EXPECT_EQ(change->told != nullptr, result.monitors_changed);
        }
      }
      successors.push_back(std::move(next));
    }
  }
  if (successors.empty()) return false;
  world = successors[rng.below(successors.size())];
  return true;
}

TEST(OpenRecord, TellsWhatTheStepDoes) {
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
    OpenRecord open(engine);
    WorldState world;
    engine.stepper.initial(world);
    while (compare_and_step(engine, open, world, rng, seen)) {
    }
    ASSERT_FALSE(::testing::Test::HasFailure()) << random_system::text(features);
  }
  // The walks met enough of each, and most are known.
  EXPECT_GT(seen[EventKind::deliver].known, 10'000U);
  EXPECT_GT(seen[EventKind::deliver].known, 4 * seen[EventKind::deliver].unknown);
  EXPECT_EQ(seen[EventKind::deliver].spliced, seen[EventKind::deliver].known);
  for (const EventKind kind : {EventKind::timer, EventKind::drop, EventKind::duplicate, EventKind::crash})
    EXPECT_GT(seen[kind].known, 100U) << kind_name(kind);
}

}  // namespace
}  // namespace gainsay::open_record_test
