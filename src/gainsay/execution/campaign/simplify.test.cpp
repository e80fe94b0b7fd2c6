#include "gainsay/execution/campaign/simplify.hpp"

#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"

namespace gainsay::simplify_test {
namespace {

struct Go {};
struct Put {
  int from = 0;
};
struct Cell {
  using Receives = Messages<Put>;
  int puts = 0;
  void on(const Put&, Context& ctx) { ctx.check(++puts < 2, "two were put"); }
};
struct Client {
  using Receives = Messages<Go>;
  Ref<Cell> cell;
  int number = 0;
  void on(const Go&, Context& ctx) { ctx.send(cell, Put{number}); }
};

struct Options {
  std::uint32_t clients = 5;
  std::uint32_t each = 1;  // so often each of them puts
  std::uint32_t unrelated = 9;
};

Scenario cell() {
  const std::function<void(World&, const Options&)> body = [](World& world, const Options& options) {
    const auto cell = world.spawn<Cell>("cell");
    if (options.clients == 4) throw UserError("four do not fit");
    const auto clients = world.group<Client>("client", options.clients, [&](std::size_t i) {
      return Client{.cell = cell, .number = static_cast<int>(i)};
    });
    for (const auto client : clients) {
      for (std::uint32_t i = 0; i < options.each; ++i) world.send(client, Go{});
    }
  };
  return Scenario::make<Options>("cell", "", body);
}

Simplified simplified(const OptionTexts& options) {
  const Scenario scenario = cell();
  const Blueprint blueprint = scenario.build(options);
  const HuntResult found = hunt(scenario, options, {.strategy = "random", .runs = 100, .seed = 3});
  const FoundViolation& violation = found.violations.at(0);
  return simplify(
      scenario, options,
      shrink_violation(blueprint, decisions_of(violation.document, blueprint), violation.violation), {});
}

std::string value_of(const Simplified& simple, const std::string& name) {
  for (const auto& [each, value] : simple.options) {
    if (each == name) return value;
  }
  return "";
}

// Two clients that put once each, or one that puts twice: four steps both.
TEST(Simplify, LowersOptionsAsFarAsTheViolationShows) {
  const Simplified simple = simplified({{"clients", "5"}, {"each", "1"}});
  EXPECT_EQ(value_of(simple, "clients"), "2");
  EXPECT_EQ(value_of(simple, "each"), "1");
  EXPECT_EQ(value_of(simple, "unrelated"), "0");
  EXPECT_EQ(simple.result.shrunk.steps.size(), 4U);
  EXPECT_EQ(simple.result.violation.message, "two were put");
  // It is an execution of that world.
  const Replay replay = replay_steps(cell().build(simple.options), simple.result.shrunk.decisions(), 10,
                                     simple.result.violation);
  EXPECT_FALSE(replay.diverged_at) << replay.divergence;
  ASSERT_TRUE(replay.outcome.violation);
}

TEST(Simplify, OneActorDoesWhatTwoOfItsKindDid) {
  const Scenario scenario = Scenario::of("cell", [](World& world) {
    const auto cell = world.spawn<Cell>("cell");
    for (const char* name : {"a", "b"}) {
      const auto client = world.spawn(name, Client{.cell = cell});
      world.send(client, Go{});
      world.send(client, Go{});
    }
  });
  const Blueprint blueprint = scenario.build();
  // a and b put once each.
  std::vector<Decision> steps;
  for (std::uint64_t seed = 1; steps.empty(); ++seed) {
    const auto found = hunt(scenario, {}, {.strategy = "random", .runs = 1, .seed = seed});
    if (found.violations.empty()) continue;
    const TraceDocument& document = found.violations[0].document;
    std::size_t of_b = 0;
    for (const DocumentStep& step : document.steps) of_b += step.to == "b" ? 1 : 0;
    if (document.steps.size() == 4 && of_b == 1) steps = decisions_of(document, blueprint);
  }
  const Violation violation{"check", "two were put", ActorId{0}, 3};
  const ShrunkViolation shrunk = shrink_violation(blueprint, steps, violation);
  const Simplified simple = simplify(scenario, {}, shrunk, {});
  std::set<ActorId> actors;
  for (const Step& step : simple.result.shrunk.steps) actors.insert(step.event.receiver);
  EXPECT_EQ(actors.size(), 2U);
  EXPECT_EQ(simple.result.shrunk.steps.size(), 4U);
}

}  // namespace
}  // namespace gainsay::simplify_test
