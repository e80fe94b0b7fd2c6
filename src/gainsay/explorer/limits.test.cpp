// What a search does at its limits: time, memory, Ctrl-C, and a table of bits.
#include <cmath>
#include <filesystem>
#include <limits>

#include <gmock/gmock.h>

#include "gainsay/base/complaint.test.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/explorer/explore.hpp"

namespace gainsay::limits_test {
namespace {

struct Ask {};
struct Voter {
  using Receives = Messages<Ask>;
  bool asked = false;
  void on(const Ask&) { asked = true; }
};

// 2^n states, n 2^(n-1) transitions; the widest level has n over n/2 states.
Scenario lattice(std::size_t n, Delivery order = Delivery::unordered) {
  return Scenario::of("lattice", [=](World& world) {
    world.order(order);
    const auto voters = world.group<Voter>("voter", n);
    for (const auto voter : voters) world.send(voter, Ask{});
  });
}

// Some of all voters must stay unasked.
Scenario short_of(std::size_t n, std::size_t asked) {
  return Scenario::of("short_of", [=](World& world) {
    const auto voters = world.group<Voter>("voter", n);
    for (const auto voter : voters) world.send(voter, Ask{});
    world.always("few are asked", voters, [=](View view) -> Complaint {
      std::size_t count = 0;
      for (const auto voter : voters) count += view[voter].asked ? 1 : 0;
      if (count >= asked) return "too many";
      return {};
    });
  });
}

std::string temporary() { return std::filesystem::temp_directory_path().string(); }

// Level d of the lattice has n over d states, and n - d steps out of each; nothing else changes that.
TEST(Limits, LevelsAreCountedWhoeverCounts) {
  constexpr std::size_t n = 8;
  for (const unsigned workers : {1U, 3U}) {
    for (const bool exact : {false, true}) {
      const ExploreResult all = explore(lattice(n), {}, {.workers = workers, .exact = exact});
      ASSERT_EQ(all.levels.size(), n + 1);
      std::uint64_t choose = 1;
      for (std::size_t d = 0; d <= n; ++d) {
        EXPECT_EQ(all.levels[d], (LevelCount{choose, choose * (n - d)})) << d;
        choose = choose * (n - d) / (d + 1);
      }
    }
  }
  // A search that is stopped has counted what it has seen.
  const ExploreResult some = explore(lattice(12), {}, {.depth_max = 3});
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  for (const LevelCount& level : some.levels) {
    states += level.states;
    transitions += level.transitions;
  }
  EXPECT_EQ(some.levels.size(), 4U);
  EXPECT_EQ(states, some.states);
  EXPECT_EQ(transitions, some.transitions);
  EXPECT_EQ(some.levels.back().transitions, 0U);
}

// With less and less memory the frontier goes to disk and nothing else changes, until the table has no room.
TEST(Limits, AFrontierOnDiskChangesNothing) {
  constexpr std::size_t n = 16;
  for (const unsigned workers : {1U, 2U}) {
    const ExploreResult all = explore(lattice(n), {}, {.workers = workers});
    ASSERT_EQ(all.states, std::uint64_t{1} << n);
    EXPECT_EQ(all.disk_bytes, 0U);
    int on_disk = 0;
    int ended = 0;
    for (std::uint64_t limit = all.memory_bytes - 1; limit > all.memory_bytes / 4;
         limit -= all.memory_bytes / 16) {
      const ExploreResult some =
          explore(lattice(n), {}, {.workers = workers, .memory_max = limit, .spill_folder = temporary()});
      EXPECT_LE(some.memory_bytes,
                std::max(limit, some.complete ? limit : std::numeric_limits<std::uint64_t>::max()));
      if (!some.complete) {
        EXPECT_EQ(some.incomplete_because, "--max-memory");
        EXPECT_GT(some.frontier, 0U);
        EXPECT_EQ(some.exit_code(), 3);
        ++ended;
        continue;
      }
      on_disk += some.disk_bytes > 0 ? 1 : 0;
      EXPECT_EQ(some.states, all.states);
      EXPECT_EQ(some.transitions, all.transitions);
      EXPECT_EQ(some.depth, all.depth);
      EXPECT_EQ(some.frontier, 0U);
    }
    EXPECT_GT(on_disk, 0);
    EXPECT_GT(ended, 0);
  }
}

TEST(Limits, ACounterexampleIsTheSameWithAFrontierOnDisk) {
  const Scenario scenario = short_of(14, 13);
  const ExploreResult all = explore(scenario, {}, {});
  ASSERT_EQ(all.violations.size(), 1U);
  int on_disk = 0;
  for (std::uint64_t limit = all.memory_bytes - 1; limit > all.memory_bytes / 4;
       limit -= all.memory_bytes / 16) {
    const ExploreResult some = explore(scenario, {}, {.memory_max = limit, .spill_folder = temporary()});
    if (some.incomplete_because == "--max-memory") continue;
    on_disk += some.disk_bytes > 0 ? 1 : 0;
    ASSERT_EQ(some.violations.size(), 1U);
    EXPECT_EQ(some.violations[0].document, all.violations[0].document);
  }
  EXPECT_GT(on_disk, 0);
}

TEST(Limits, ADiskThatCannotBeWrittenEndsTheSearchAloud) {
  const ExploreResult all = explore(lattice(14), {}, {});
  const ExploreResult some =
      explore(lattice(14), {}, {.memory_max = all.memory_bytes / 4 * 3, .spill_folder = "/no/such/folder"});
  EXPECT_FALSE(some.complete);
  EXPECT_EQ(some.incomplete_because, "--max-memory");
  EXPECT_GT(some.states, 1U);
  EXPECT_THAT(some.warnings, testing::Contains(testing::HasSubstr("cannot create a temporary file")));
}

TEST(Limits, TimeEndsASearch) {
  const ExploreResult result = explore(lattice(10), {}, {.time_max = std::chrono::nanoseconds(0)});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.incomplete_because, "--time");
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(result.exit_code(), 3);
  EXPECT_EQ(result.states, 1U);
  EXPECT_EQ(result.frontier, 1U);
  const ExploreResult enough = explore(lattice(10), {}, {.time_max = std::chrono::hours(1)});
  EXPECT_TRUE(enough.complete);
}

TEST(Limits, WhatWasNotExpandedIsCounted) {
  const std::atomic<bool> stop{true};
  const ExploreResult result = explore(lattice(10), {}, {.stop = &stop});
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.frontier, 1U);
  // One level is expanded, and the next is left.
  const ExploreResult one = explore(lattice(10), {}, {.depth_max = 1});
  EXPECT_EQ(one.states, 11U);
  EXPECT_EQ(one.frontier, 10U);
}

// 2^14 states in 2^23 bits: expected omissions 2^14 / 4 (3 2^14 / 2^23)^3 = 8e-4.
TEST(Limits, BitsKeepAlmostAllStates) {
  for (const Delivery order : {Delivery::unordered, Delivery::fifo}) {
    for (const unsigned workers : {1U, 2U}) {
      const ExploreResult result =
          explore(lattice(14, order), {}, {.workers = workers, .bitstate_bytes = std::uint64_t{1} << 20U});
      EXPECT_EQ(result.states, std::uint64_t{1} << 14U);
      EXPECT_EQ(result.transitions, std::uint64_t{14} << 13U);
      EXPECT_FALSE(result.complete);
      EXPECT_EQ(result.incomplete_because, "--bitstate");
      EXPECT_TRUE(result.bitstate);
      EXPECT_NEAR(result.expected_omissions, 8.2e-4, 1e-4);
      EXPECT_EQ(result.exit_code(), 3);
    }
  }
}

// In a table that is too small the number of states that were found and the number that is expected to be missing are
// about all there are: in the lattice everything can be reached on many ways.
TEST(Limits, OmittedStatesAreAsManyAsExpected) {
  const ExploreResult result = explore(lattice(16), {}, {.bitstate_bytes = (std::uint64_t{1} << 16U)});
  const double missing = 65'536 - static_cast<double>(result.states);
  EXPECT_GT(missing, 0);
  EXPECT_NEAR(missing, result.expected_omissions, 6 * std::sqrt(result.expected_omissions) + 0.05 * missing);
}

// Nothing says how a state was reached but the trail in its record; it leads to a shortest execution all the same.
TEST(Limits, BitsFindShortestCounterexamples) {
  for (const bool symmetry : {false, true}) {
    const Scenario scenario = short_of(6, 4);
    const ExploreResult result =
        explore(scenario, {}, {.bitstate_bytes = std::uint64_t{1} << 20U, .symmetry = symmetry});
    ASSERT_EQ(result.violations.size(), 1U);
    EXPECT_EQ(result.violations[0].document.steps.size(), 4U);
    EXPECT_EQ(result.exit_code(), 1);
    const Blueprint blueprint = scenario.build();
    const Replay replay =
        replay_steps(blueprint, decisions_of(result.violations[0].document, blueprint), 100);
    EXPECT_EQ(replay.outcome.violation, result.violations[0].violation);
  }
}

TEST(Limits, BitsDoNotGoWithWholeStates) {
  EXPECT_EQ(complaint_of([] { explore(lattice(2), {}, {.bitstate_bytes = 1'000, .exact = true}); }),
            "--bitstate and --exact cannot be used together");
}

}  // namespace
}  // namespace gainsay::limits_test
