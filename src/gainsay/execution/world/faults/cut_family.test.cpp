// Families of cuts: which cuts are possible in which phase, who is cut from whom, and what a scenario may get wrong.
#include <set>

#include <gtest/gtest.h>

#include "gainsay/base/complaint.test.hpp"
#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay::cut_family_test {
namespace {

using every_run::build;
using every_run::every_run;
using every_run::OneRun;
using family::Cuts;
using family::Sampler;

struct Note {
  int n = 0;
};

struct Reader {
  using Receives = Messages<Note>;
  std::vector<int> got;
  void on(const Note& note) { got.push_back(note.n); }
};

std::vector<Actors> one_each(const Group<Reader>& readers) {
  std::vector<Actors> places;
  for (const Ref<Reader> reader : readers) places.emplace_back(reader);
  return places;
}

// The documents' texts of all cuts, execution by execution, in their order.
std::set<std::vector<std::string>> cuts_seen(const Blueprint& blueprint) {
  std::set<std::vector<std::string>> seen;
  for (const OneRun& run : every_run(blueprint)) {
    const Replay replay = replay_steps(blueprint, run.trace.decisions(), 200);
    std::vector<std::string> cuts;
    for (const DocumentStep& step : replay.document.steps) {
      if (step.kind == EventKind::partition) cuts.push_back(step.message);
    }
    seen.insert(cuts);
  }
  return seen;
}

// Nothing to do but to cut and to heal: every cut of the family, once or not at all.
TEST(CutFamily, EveryCutIsAnAlternative) {
  const Blueprint blueprint = build([](World& world) {
    const auto readers = world.group<Reader>("r", 3);
    world.faults().partitions(Cuts::of(Sampler::uniform(3, 2), {"a", "b", "c"}), one_each(readers));
  });
  EXPECT_EQ(cuts_seen(blueprint),
            (std::set<std::vector<std::string>>{{}, {"a b | c"}, {"a c | b"}, {"a | b c"}}));
}

// Two and two, then one and three, then from the beginning again.
TEST(CutFamily, PhasesComeInTurn) {
  const Blueprint blueprint = build([](World& world) {
    const auto readers = world.group<Reader>("r", 4);
    world.faults().partitions(Cuts::of(Sampler::sized({2, 2})).then(Cuts::of(Sampler::sized({1, 3}))),
                              one_each(readers), {.rounds = 2});
  });
  std::set<std::size_t> lengths;
  for (const std::vector<std::string>& cuts : cuts_seen(blueprint)) {
    lengths.insert(cuts.size());
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const std::size_t bar = cuts[i].find('|');
      const bool halves = bar == 4;  // "1 2 | 3 4"
      EXPECT_EQ(halves, i % 2 == 0) << cuts[i];
    }
  }
  EXPECT_EQ(lengths, (std::set<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(blueprint.faults.partition_events, 4U);
}

// From 0 to 1 and back a message each; what is lost says who could not reach whom.
std::set<std::vector<std::pair<std::uint64_t, std::uint64_t>>> losses(const Cuts& cuts,
                                                                      std::size_t readers_count) {
  const Blueprint blueprint = build([&](World& world) {
    const auto readers = world.group<Reader>("r", readers_count);
    world.send_from(readers[0], readers[1], Note{1});
    world.send_from(readers[1], readers[0], Note{2});
    world.faults().partitions(cuts, one_each(readers), {.drops = true});
  });
  std::set<std::vector<std::pair<std::uint64_t, std::uint64_t>>> all;
  for (const OneRun& run : every_run(blueprint)) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> lost;
    for (const Step& step : run.trace.steps) {
      if (step.event.kind == EventKind::lost)
        lost.emplace_back(step.event.sender.raw, step.event.receiver.raw);
    }
    std::sort(lost.begin(), lost.end());
    all.insert(lost);
  }
  return all;
}

TEST(CutFamily, LinksMayBeCutOneWay) {
  using Pairs = std::set<std::vector<std::pair<std::uint64_t, std::uint64_t>>>;
  // Of two nodes one is unheard: never both messages are lost.
  EXPECT_EQ(losses(Cuts::one_way(Sampler::uniform(2, 2)), 2), (Pairs{{}, {{0, 1}}, {{1, 0}}}));
  EXPECT_EQ(losses(Cuts::of(Sampler::uniform(2, 2)), 2), (Pairs{{}, {{0, 1}}, {{1, 0}}, {{0, 1}, {1, 0}}}));
}

// Three nodes, each the bridge once: 0 and 1 are cut where 2 is it.
TEST(CutFamily, TheBridgeReachesBothSides) {
  const Cuts bridges = Cuts::bridges(Sampler::uniform(3, 3), {"a", "b", "c"});
  ASSERT_EQ(bridges.phases[0].size(), 3U);
  const Blueprint blueprint = build([&](World& world) {
    const auto readers = world.group<Reader>("r", 3);
    world.send_from(readers[0], readers[1], Note{1});
    world.faults().partitions(bridges, one_each(readers), {.drops = true});
  });
  for (const OneRun& run : every_run(blueprint)) {
    const Replay replay = replay_steps(blueprint, run.trace.decisions(), 200);
    for (const DocumentStep& step : replay.document.steps) {
      EXPECT_EQ(step.cut, step.kind == EventKind::lost ? "partition a | b | c, bridge c" : "");
    }
  }
  EXPECT_EQ(losses(bridges, 3).size(), 4U);
}

TEST(CutFamily, WhoLivesOnNoNodeReachesEverybody) {
  const Blueprint blueprint = build([](World& world) {
    const auto readers = world.group<Reader>("r", 2);
    const auto client = world.spawn<Reader>("client");
    world.send_from(client, readers[0], Note{1});
    world.send_from(client, readers[1], Note{2});
    world.faults().partitions(Cuts::of(Sampler::uniform(2, 2)), one_each(readers), {.drops = true});
  });
  for (const OneRun& run : every_run(blueprint)) {
    for (const Step& step : run.trace.steps) EXPECT_NE(step.event.kind, EventKind::lost);
  }
}

TEST(CutFamily, MistakesAreSaidInOneLine) {
  const auto complaint = [](const std::function<void(World&, const Group<Reader>&)>& plan) {
    return complaint_of([&] { build([&](World& world) { plan(world, world.group<Reader>("r", 3)); }); });
  };
  const Cuts three = Cuts::of(Sampler::uniform(3, 2));
  EXPECT_NE(complaint([&](World& world, const Group<Reader>& r) {
              world.faults().partitions(three, {r[0], r[1]});
            }).find("a family of 3 nodes, but lists actors for 2"),
            std::string::npos);
  EXPECT_NE(complaint([&](World& world, const Group<Reader>& r) {
              world.faults().partitions(three, {r[0], r[1], ActorId{77}});
            }).find("names an actor that is not in this world"),
            std::string::npos);
  EXPECT_NE(complaint([&](World& world, const Group<Reader>& r) {
              world.faults().partitions(three, {r[0], r[1], r[1]});
            }).find("has an actor in two blocks"),
            std::string::npos);
  EXPECT_NE(complaint([&](World& world, const Group<Reader>& r) {
              world.faults().partitions(three, {r[0], r[1], r[2]}).partition("beside", {r[0], r[1]});
            }).find("and a family of partitions are both planned"),
            std::string::npos);
  EXPECT_NE(complaint([&](World& world, const Group<Reader>& r) {
              world.faults().partitions(three, {r[0], r[1], r[2]}).partitions(three, {r[0], r[1], r[2]});
            }).find("planned twice"),
            std::string::npos);
}

}  // namespace
}  // namespace gainsay::cut_family_test
