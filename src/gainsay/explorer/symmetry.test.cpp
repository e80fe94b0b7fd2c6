#include "gainsay/explorer/symmetry.hpp"

#include <deque>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "gainsay/base/complaint.test.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/execution/world/choice_path.hpp"
#include "gainsay/explorer/expander.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/explorer/symmetric_system.test.hpp"

namespace gainsay::symmetry_test {
namespace {

using symmetric_system::Features;

Scenario scenario_of(const Features& features) {
  return Scenario::of("symmetric", [features](World& world) { symmetric_system::fill(world, features); });
}

// Every reachable world, by fingerprint, by a search of its own.
std::map<std::uint64_t, WorldState> all_worlds(Shared& shared, std::size_t most) {
  std::map<std::uint64_t, WorldState> worlds;
  std::deque<WorldState> queue(1);
  shared.engine.stepper.initial(queue.front());
  worlds.emplace(shared.engine.hash.of(queue.front()), queue.front());
  while (!queue.empty() && worlds.size() <= most) {
    const WorldState world = queue.front();
    queue.pop_front();
    Alternatives alternatives;
    shared.engine.network.enabled(world, alternatives);
    for (const Alternative& alternative : alternatives.list) {
      if (alternative.kind == EventKind::stop) continue;
      ChoicePath path;
      do {
        path.rewind();
        WorldState next = world;
        const StepResult result = shared.engine.stepper.step(next, alternative, path);
        if (result.failure != nullptr) continue;
        if (worlds.emplace(shared.engine.hash.of(next), next).second) queue.push_back(next);
      } while (path.advance());
    }
  }
  return worlds;
}

std::set<std::string> properties_of(const ExploreResult& result) {
  std::set<std::string> all;
  for (const FoundViolation& found : result.violations) all.insert(found.violation.property);
  return all;
}

void expect_replays(const Scenario& scenario, const ExploreResult& result) {
  for (const FoundViolation& found : result.violations) {
    const Blueprint blueprint = scenario.build();
    const Replay replay =
        replay_steps(blueprint, decisions_of(found.document, blueprint), found.document.steps_max);
    EXPECT_FALSE(replay.diverged_at) << replay.divergence;
    EXPECT_EQ(replay.outcome.violation, found.violation);
  }
}

// The orbits of all reachable worlds, found by applying every permutation to every world; the set must be closed under
// them. Their number is the number of states that a search with symmetry must find, whatever happens in the system.
TEST(Symmetry, TheSearchFindsOneStateOfEachOrbit) {
  constexpr std::size_t most_worlds = 1'500;
  std::uint64_t compared = 0;
  std::uint64_t in_all = 0;
  std::uint64_t orbits_in_all = 0;
  std::map<Delivery, int> orders;
  for (std::uint64_t number = 1; number <= 900; ++number) {
    const Features features = symmetric_system::draw(number);
    SCOPED_TRACE(symmetric_system::text(features));
    const Scenario scenario = scenario_of(features);
    const ExploreResult full = explore(scenario, {}, {.states_max = most_worlds, .keep_going = true});
    if (full.states >= most_worlds || full.states < 3) continue;
    ExploreResult reduced;
    try {
      reduced = explore(scenario, {}, {.symmetry = true, .keep_going = true});
    } catch (const UserError& error) {
      ADD_FAILURE() << error.what();
      continue;
    }
    EXPECT_EQ(properties_of(reduced), properties_of(full));
    expect_replays(scenario, reduced);
    if (!full.violations.empty()) {
      // The shortest of each property is as long.
      std::map<std::string, std::size_t> shortest;
      for (const FoundViolation& found : full.violations)
        shortest.try_emplace(found.violation.property, found.document.steps.size());
      for (const FoundViolation& found : full.violations)
        shortest[found.violation.property] =
            std::min(shortest[found.violation.property], found.document.steps.size());
      std::map<std::string, std::size_t> with_symmetry;
      for (const FoundViolation& found : reduced.violations) {
        const auto [where, added] =
            with_symmetry.try_emplace(found.violation.property, found.document.steps.size());
        if (!added) where->second = std::min(where->second, found.document.steps.size());
      }
      EXPECT_EQ(with_symmetry, shortest);
      continue;
    }
    EXPECT_EQ(reduced.depth, full.depth);
    const Blueprint blueprint = scenario.build();
    Shared shared(blueprint);
    shared.use_symmetry();
    const auto worlds = all_worlds(shared, most_worlds);
    ASSERT_EQ(worlds.size(), full.states);
    std::set<std::uint64_t> seen;
    std::uint64_t orbits = 0;
    for (const auto& [fingerprint, world] : worlds) {
      if (seen.contains(fingerprint)) continue;
      ++orbits;
      for (std::size_t p = 0; p < shared.symmetry->order(); ++p) {
        WorldState image;
        shared.symmetry->image(p, world, image);
        const std::uint64_t other = shared.engine.hash.of(image);
        ASSERT_TRUE(worlds.contains(other)) << "the image of a reachable world is reachable";
        EXPECT_EQ(shared.symmetry->fingerprint(image), shared.symmetry->fingerprint(world));
        seen.insert(other);
      }
      WorldState canonical = world;
      const std::uint64_t least = shared.symmetry->canonicalise(canonical);
      EXPECT_EQ(least, shared.engine.hash.of(canonical));
    }
    EXPECT_EQ(reduced.states, orbits);
    EXPECT_GT(reduced.symmetries, 1U);
    ++compared;
    ++orders[features.order];
    in_all += worlds.size();
    orbits_in_all += orbits;
  }
  // Not by skipping: enough systems of every order were compared, and they had something to merge.
  EXPECT_GT(compared, 100U);
  EXPECT_EQ(orders.size(), 4U);
  EXPECT_GT(in_all, 2 * orbits_in_all);
}

// --- closed forms ---

struct Vote {
  Ref<struct Voter> from;
};
struct Ask {};
struct Voter {
  using Receives = Messages<Ask>;
  bool asked = false;
  void on(const Ask&) { asked = true; }
};

// n voters, each asked once: 2^n states, n + 1 orbits, by how many have been asked. From each orbit but the last every
// waiting voter can be next: n (n + 1) / 2 transitions are looked at.
TEST(Symmetry, MembersThatAreAlikeAreCounted) {
  for (std::uint64_t n = 2; n <= 6; ++n) {
    const Scenario scenario = Scenario::of("voters", [n](World& world) {
      const auto voters = world.group<Voter>("voter", n);
      for (const auto voter : voters) world.send(voter, Ask{});
    });
    const ExploreResult full = explore(scenario, {}, {});
    EXPECT_EQ(full.states, std::uint64_t{1} << n);
    EXPECT_EQ(full.symmetries, 0U);
    for (const bool exact : {false, true}) {
      const ExploreResult reduced = explore(scenario, {}, {.exact = exact, .symmetry = true});
      EXPECT_EQ(reduced.states, n + 1);
      EXPECT_EQ(reduced.transitions, n * (n + 1) / 2);
      EXPECT_TRUE(reduced.complete);
      EXPECT_EQ(reduced.end_states, 1U);
    }
  }
}

// --- what is refused, and what is not ---

std::string refusal(const std::function<void(World&)>& body) {
  return complaint_of([&] { explore(Scenario::of("tiny", body), {}, {.symmetry = true}); });
}

TEST(Symmetry, WithoutAGroupThereIsNothingToExchange) {
  EXPECT_THAT(refusal([](World& world) { world.spawn<Voter>("voter"); }),
              testing::HasSubstr("it has no group (world.group) of two or more"));
}

struct Numbered {
  using Receives = Messages<Ask>;
  std::size_t index = 0;
  void on(const Ask&) {}
};

TEST(Symmetry, MembersWithDifferentNumbersAreNotAlike) {
  EXPECT_THAT(refusal([](World& world) {
                world.group<Numbered>("numbered", 2, [](std::size_t i) { return Numbered{i}; });
              }),
              testing::HasSubstr("numbered.0 and numbered.1 are not interchangeable: index of"));
}

TEST(Symmetry, AMessageToOneMemberTellsItApart) {
  EXPECT_THAT(refusal([](World& world) {
                const auto voters = world.group<Voter>("voter", 2);
                world.send(voters[0], Ask{});
              }),
              testing::HasSubstr("Ask to voter.0 is sent at the start, but voter.1 gets no such message"));
  // Of three, the other two are alike still.
  const ExploreResult result = explore(Scenario::of("tiny",
                                                    [](World& world) {
                                                      const auto voters = world.group<Voter>("voter", 3);
                                                      for (const auto voter : voters)
                                                        world.send(voter, Ask{});
                                                      world.send(voters[1], Ask{});
                                                    }),
                                       {}, {.symmetry = true});
  EXPECT_EQ(result.symmetries, 2U);
  EXPECT_EQ(result.symmetric, "voter.{0,2}");
  EXPECT_EQ(result.states, 3U * 3U);  // how many of the two were asked, and how often the one
}

struct Peer {
  using Receives = Messages<Ask>;
  Group<Peer> all;
  std::size_t self = 99;
  void on(const Ask&, Context& ctx) { self = all.index(ctx.self()); }
};

TEST(Symmetry, AHandlerThatKeepsItsIndexIsNamed) {
  const std::string text = refusal([](World& world) {
    const auto peers =
        world.group<Peer>("peer", 2, [](std::size_t, Group<Peer> all) { return Peer{.all = all}; });
    for (const auto peer : peers) world.send(peer, Ask{});
  });
  EXPECT_THAT(text, testing::HasSubstr(
                        "peer.0 does not treat members alike. With peer.0 and peer.1 exchanged, when it "
                        "handles Ask from outside: self becomes 1 where 0 is due"));
  EXPECT_THAT(text, testing::HasSubstr("void rename(const gainsay::Renaming&)"));
}

struct Marked {
  using Receives = Messages<Ask>;
  Group<Marked> all;
  std::size_t self = 0;
  bool knows = false;
  void on(const Ask&, Context& ctx) {
    self = all.index(ctx.self());
    knows = true;
  }
  void rename(const Renaming& r) {
    if (knows) self = r.index(all, self);
  }
};

TEST(Symmetry, AnIndexThatItsTypeRenamesIsFine) {
  const ExploreResult result = explore(
      Scenario::of("tiny",
                   [](World& world) {
                     const auto all = world.group<Marked>(
                         "marked", 3, [](std::size_t, Group<Marked> group) { return Marked{.all = group}; });
                     for (const auto each : all) world.send(each, Ask{});
                   }),
      {}, {.symmetry = true});
  EXPECT_EQ(result.states, 4U);
}

// Random systems in which a handler looks at its index: whenever that changes anything, it is seen.
TEST(Symmetry, BrokenSystemsAreNoticed) {
  int noticed = 0;
  for (std::uint64_t number = 1; number <= 60; ++number) {
    Features features = symmetric_system::draw(number);
    const Scenario whole = scenario_of(features);
    features.broken = true;
    const Scenario broken = scenario_of(features);
    const ExploreResult full = explore(broken, {}, {.states_max = 2'000, .keep_going = true});
    if (full.incomplete_because == "--max-states") continue;
    try {
      const ExploreResult reduced = explore(broken, {}, {.symmetry = true, .keep_going = true});
      EXPECT_EQ(properties_of(reduced), properties_of(full)) << number;
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("does not treat members alike")) << number;
      ++noticed;
    }
  }
  EXPECT_GT(noticed, 20);
}

struct Sender {
  using Receives = Messages<Ask>;
  Group<Voter> voters;
  void on(const Ask&, Context& ctx) { ctx.send(voters, Ask{}); }
};

// Sending to one member before another is seen by causal delivery, and by no other.
TEST(Symmetry, CausalDeliveryTellsTheOrderOfSends) {
  const auto body = [](Delivery order) {
    return [order](World& world) {
      const auto voters = world.group<Voter>("voter", 3);
      world.send(world.spawn("sender", Sender{.voters = voters}), Ask{});
      world.order(order);
    };
  };
  EXPECT_THAT(refusal(body(Delivery::causal)),
              testing::HasSubstr("causal delivery keeps the order in which it sends"));
  for (const Delivery order : {Delivery::unordered, Delivery::fifo, Delivery::mailbox})
    EXPECT_EQ(explore(Scenario::of("tiny", body(order)), {}, {.symmetry = true}).states, 1U + 4U);
}

// A property about one member: the states of an orbit are not all wrong, and the wrong one is shown.
TEST(Symmetry, APropertyOfOneMemberIsAskedAboutAllStates) {
  const auto body = [](World& world) {
    const auto voters = world.group<Voter>("voter", 3);
    for (const auto voter : voters) world.send(voter, Ask{});
    world.always("the last one waits", voters[2], [=](View view) -> Complaint {
      if (view[voters[2]].asked && !view[voters[0]].asked) return "it was asked before the first";
      return {};
    });
  };
  const Scenario scenario = Scenario::of("tiny", body);
  const ExploreResult result = explore(scenario, {}, {.symmetry = true});
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].document.steps.size(), 1U);
  EXPECT_EQ(result.violations[0].document.steps[0].to, "voter.2");
  expect_replays(scenario, result);
  EXPECT_THAT(result.warnings,
              testing::Contains(testing::HasSubstr("'the last one waits' is not symmetric")));
}

TEST(Symmetry, VerdictsOfPropertiesThatAreNotSymmetricAreTheSame) {
  int violated = 0;
  for (std::uint64_t number = 1; number <= 100; ++number) {
    Features features = symmetric_system::draw(number);
    features.about_the_last = true;
    const Scenario scenario = scenario_of(features);
    const ExploreResult full = explore(scenario, {}, {.states_max = 2'000});
    if (full.incomplete_because == "--max-states") continue;
    const ExploreResult reduced = explore(scenario, {}, {.symmetry = true});
    EXPECT_EQ(reduced.verdict(), full.verdict());
    expect_replays(scenario, reduced);
    if (full.violations.empty()) continue;
    ++violated;
    ASSERT_FALSE(reduced.violations.empty());
    EXPECT_EQ(reduced.violations[0].document.steps.size(), full.violations[0].document.steps.size());
  }
  EXPECT_GT(violated, 10);
}

}  // namespace
}  // namespace gainsay::symmetry_test
