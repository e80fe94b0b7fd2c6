// The papers' searches through the campaign: classic counts, keys, both ways to go back.
#include <functional>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/world/small_worlds.test.hpp"
#include "gainsay/explorer/certify.hpp"
#include "gainsay/scenario/world.hpp"
#include "tools/cli_test.hpp"

namespace gainsay {
namespace {

HuntResult paper_search(const std::function<void(World&)>& body, const std::string& strategy,
                        HuntOptions how = {}) {
  how.strategy = strategy;
  how.keep_going = true;
  return hunt(Scenario::of("searched", body), {}, how);
}

struct Letter {
  int n = 0;
};
struct Box {
  using Receives = Messages<Letter>;
  std::vector<int> got;
  void on(const Letter& letter) { got.push_back(letter.n); }
};
void letters(World& world, int n) {
  const auto box = world.spawn<Box>("box");
  for (int i = 0; i < n; ++i) world.send(box, Letter{i});
}

// n! orders at one actor; with votes, each of n voters chose one of two besides.
TEST(PaperSearch, CountsTheClassesOfClassics) {
  for (const char* name : {"transdpor", "dpor-ds"}) {
    std::uint64_t factorial = 1;
    for (std::uint64_t n = 1; n <= 4; ++n) {
      factorial *= n;
      const HuntResult orders =
          paper_search([n](World& world) { letters(world, static_cast<int>(n)); }, name);
      EXPECT_TRUE(orders.complete) << name << ": " << orders.incomplete_because;
      EXPECT_EQ(orders.classes, factorial) << name;
      const HuntResult votes = paper_search([n](World& world) { small_worlds::voters(world, n); }, name);
      EXPECT_TRUE(votes.complete) << name;
      EXPECT_EQ(votes.classes, (1U << n) * factorial) << name;
    }
  }
}

// Without a key a message depends on nothing, and its orders are not tried.
TEST(PaperSearch, LiviolaTriesNoOrdersWithoutKeys) {
  const HuntResult keyless = paper_search([](World& world) { letters(world, 3); }, "liviola");
  EXPECT_EQ(keyless.runs, 1U);
  EXPECT_FALSE(keyless.complete);
  EXPECT_TRUE(keyless.heuristic);
}

TEST(PaperSearch, AHeuristicGetsNoCertificate) {
  const Scenario scenario = Scenario::of("searched", [](World& world) { letters(world, 3); });
  EXPECT_THAT(certified_hunt(scenario, {}, {.strategy = "ired"}).refused_because,
              testing::HasSubstr("heuristic"));
}

TEST(PaperSearch, BothWaysToGoBackAgree) {
  const auto body = [](World& world) { small_worlds::voters(world, 3); };
  for (const char* name : {"transdpor", "ired", "liviola", "dpor-ds"}) {
    HuntOptions again;
    again.backtracking = Backtracking::reexecution;
    const HuntResult snapshots = paper_search(body, name);
    const HuntResult reexecuted = paper_search(body, name, again);
    EXPECT_EQ(snapshots.runs, reexecuted.runs) << name;
    EXPECT_EQ(snapshots.trace_set_hash, reexecuted.trace_set_hash) << name;
  }
}

struct LetterOptions {
  bool keys = true;
};
GAINSAY_SCENARIO(test_letters, "letters to one box, with keys or without", LetterOptions) {
  letters(world, 3);
  if (options.keys) world.key<Letter>([](const Letter&) { return 0; });
}

// What is not listed depends on nothing: a rule that two orders refute.
TEST(PaperSearch, ForgottenKeysAreRefutedForLiviola) {
  const std::string out = "--out=" + testing::TempDir() + "paper_search";
  const cli_test::Said said = cli_test::gainsay_with(
      {"hunt", "test_letters", "--strategy", "liviola", "--check-dependence", "--option", "keys=false", out});
  EXPECT_EQ(said.code, 1) << said.err << said.out;
}

}  // namespace
}  // namespace gainsay
