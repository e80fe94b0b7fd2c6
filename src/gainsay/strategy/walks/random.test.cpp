#include "gainsay/strategy/walks/random.hpp"

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/strategy/choice_tree.test.hpp"

namespace gainsay::random_test {
namespace {

using choice_tree::events;
using choice_tree::Path;
using choice_tree::Question;
using choice_tree::Runner;
using choice_tree::Tree;
using choice_tree::value;
using Over = RandomOptions::Over;

constexpr std::uint64_t trials = 40'000;

// How often each path is taken.
std::map<Path, std::uint64_t> frequencies(const RandomOptions& options, const Tree& tree,
                                          std::uint64_t seed = 1) {
  RandomStrategy strategy(options);
  Runner runner(strategy, tree);
  std::map<Path, std::uint64_t> counts;
  for (std::uint64_t i = 0; i < trials; ++i) ++counts[runner.run(i, seed).value()];
  return counts;
}

// Six standard deviations of a binomial count; seeds are fixed, so this either always passes or never does,
// and a correct strategy fails for one seed in five hundred million.
void expect_share(std::uint64_t count, double share) {
  const double n = static_cast<double>(trials);
  EXPECT_NEAR(static_cast<double>(count), n * share, 6 * std::sqrt(n * share * (1 - share)));
}

Event event(std::uint64_t id, std::uint32_t receiver, EventKind kind = EventKind::deliver) {
  Event made;
  made.id = EventId{id};
  made.receiver = ActorId{receiver};
  made.kind = kind;
  return made;
}

Tree once(Question question) {
  return [question](const Path& path) -> std::optional<Question> {
    if (!path.empty()) return std::nullopt;
    return question;
  };
}

TEST(Random, ChoosesEventsAndValuesUniformly) {
  for (const Question& question : {events(5), value(5)}) {
    const auto counts = frequencies({}, once(question));
    ASSERT_EQ(counts.size(), 5U);
    for (const auto& [path, count] : counts) expect_share(count, 0.2);
  }
}

// Three events at one actor, one at another: 1/4 each over events; over actors 1/2 for the lonely one, 1/6
// each else.
TEST(Random, CanChooseTheReceiverFirst) {
  const Tree tree = once(events({event(1, 7), event(2, 9), event(3, 7), event(4, 7)}));
  const auto by_event = frequencies({.over = Over::events}, tree);
  for (const auto& [path, count] : by_event) expect_share(count, 0.25);
  const auto by_actor = frequencies({.over = Over::actors}, tree);
  for (const auto& [path, count] : by_actor) expect_share(count, path[0] == 1 ? 0.5 : 1.0 / 6);
}

// Chains are told by `executed`: a child belongs to the chain of its parent.
TEST(Random, CanChooseTheCausalChainFirst) {
  RandomStrategy strategy({.over = Over::chains});
  EXPECT_TRUE(strategy.needs().executed);
  std::map<std::size_t, std::uint64_t> counts;
  for (std::uint64_t i = 0; i < trials; ++i) {
    strategy.begin({i, 1, 100});
    const Event root = event(1, 0);
    const std::vector<Event> children = {event(10, 0), event(11, 1)};
    strategy.executed(root, {}, children);
    const std::vector<Event> grandchildren = {event(12, 2)};
    strategy.executed(children[0], {}, grandchildren);
    // Left: 11 and 12 of the chain of 1, and 2, which begins a chain: 1/4, 1/4, 1/2.
    const std::vector<Event> list = {event(11, 1), event(2, 0), event(12, 2)};
    const choice_tree::Source source(list);
    ++counts[strategy.choose(ChoicePoint::events(source, 2, 3, 3))];
  }
  expect_share(counts[0], 0.25);
  expect_share(counts[1], 0.5);
  expect_share(counts[2], 0.25);
}

// A new run knows nothing of the chains of the last one.
TEST(Random, ForgetsChainsBetweenRuns) {
  RandomStrategy strategy({.over = Over::chains});
  std::map<std::size_t, std::uint64_t> counts;
  for (std::uint64_t i = 0; i < trials; ++i) {
    strategy.begin({i, 1, 100});
    const std::vector<Event> list = {event(10, 0), event(11, 1), event(2, 0)};
    const choice_tree::Source source(list);
    ++counts[strategy.choose(ChoicePoint::events(source, 0, 3, 3))];
    const std::vector<Event> children = {event(10, 0), event(11, 1)};
    strategy.executed(event(1, 0), {}, children);
  }
  for (const auto& [index, count] : counts) expect_share(count, 1.0 / 3);
}

// Faults are weighed apart: 1/16 for a fault, shared first among kinds (drop, crash), then among targets.
TEST(Random, WeighsFaultsApart) {
  const Tree tree = once(events({event(1, 0), event(2, 0), event(3, 0, EventKind::drop),
                                 event(4, 0, EventKind::drop), event(5, 0, EventKind::crash)},
                                2));
  for (const Over over : {Over::events, Over::actors}) {
    const auto counts = frequencies({.over = over}, tree);
    expect_share(counts.at({0}), 15.0 / 32);
    expect_share(counts.at({1}), 15.0 / 32);
    expect_share(counts.at({2}), 1.0 / 64);
    expect_share(counts.at({3}), 1.0 / 64);
    expect_share(counts.at({4}), 1.0 / 32);
  }
  const auto never = frequencies({.faults = 0}, tree);
  EXPECT_EQ(never.size(), 2U);
  const auto always = frequencies({.faults = 1}, tree);
  EXPECT_EQ(always.size(), 3U);
}

// At quiescence: stop with probability 1/2, else a fault.
TEST(Random, StopsAtQuiescenceHalfTheTime) {
  const auto counts = frequencies(
      {},
      once(events({event(1, 0, EventKind::crash), event(2, 0, EventKind::heal), event(0, 0, EventKind::stop)},
                  0)));
  expect_share(counts.at({0}), 0.25);
  expect_share(counts.at({1}), 0.25);
  expect_share(counts.at({2}), 0.5);
  const auto alone = frequencies({}, once(events({event(0, 0, EventKind::stop)}, 0)));
  EXPECT_EQ(alone.size(), 1U);
}

// A run depends on (seed, index) and on nothing else: not on what was run before.
TEST(Random, RunsDependOnSeedAndIndexAlone) {
  const Tree tree = [](const Path& path) -> std::optional<Question> {
    if (path.size() == 12) return std::nullopt;
    return events(4);
  };
  std::vector<Path> forwards;
  std::vector<Path> backwards(20);
  RandomStrategy a({});
  RandomStrategy b({});
  Runner with_a(a, tree);
  Runner with_b(b, tree);
  for (std::uint64_t i = 0; i < 20; ++i) forwards.push_back(with_a.run(i, 5).value());
  for (std::uint64_t i = 20; i-- > 0;) backwards[i] = with_b.run(i, 5).value();
  EXPECT_EQ(forwards, backwards);
  // 4^12 paths: two of twenty coincide with probability 190 / 16,777,216.
  EXPECT_EQ(std::set<Path>(forwards.begin(), forwards.end()).size(), 20U);
  EXPECT_NE(with_a.run(0, 6), forwards[0]);
}

TEST(Random, SaysThatItPromisesNothing) {
  const RandomStrategy strategy({});
  EXPECT_EQ(strategy.guarantee().statement, "none known");
  EXPECT_FALSE(strategy.guarantee().per_run);
  EXPECT_FALSE(strategy.needs().backtracking);
  EXPECT_FALSE(strategy.needs().executed);
}

}  // namespace
}  // namespace gainsay::random_test
