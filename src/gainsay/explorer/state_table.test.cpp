#include "gainsay/explorer/state_table.hpp"

#include <map>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::state_table_test {
namespace {

using Outcome = StateTable::Outcome;

TEST(StateTable, KnowsWhatWasInserted) {
  StateTable table;
  EXPECT_EQ(table.insert(5, 0, 1), Outcome::added);
  EXPECT_EQ(table.insert(5, 0, 1), Outcome::known);
  EXPECT_EQ(table.insert(6, 5, 2), Outcome::added);
  EXPECT_EQ(table.parent_of(5), 0U);
  EXPECT_EQ(table.parent_of(6), 5U);
  table.count_added(2);
  EXPECT_EQ(table.size(), 2U);
}

// On one level the least parent wins, by the table's own order, whoever comes first; a later level changes
// nothing.
TEST(StateTable, TheLeastParentOfALevelWins) {
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    std::vector<std::uint64_t> parents;
    for (int k = 0; k < 5; ++k) parents.push_back(rng.next() | 1U);
    std::set<std::uint64_t> winners;
    for (int rotation = 0; rotation < 5; ++rotation) {
      StateTable table;
      if (i % 2 == 0) table.keep_to_one_thread();
      for (const std::uint64_t parent : parents) table.insert(parent, 0, 1);
      for (std::size_t k = 0; k < 5; ++k)
        table.insert(77, parents[(k + static_cast<std::size_t>(rotation)) % 5], 2);
      winners.insert(table.parent_of(77));
      for (const std::uint64_t parent : parents) table.insert(77, parent, 3);
      EXPECT_TRUE(winners.contains(table.parent_of(77)));
      table.insert(78, parents[0], 3);
      table.insert(78, parents[1], 4);
      EXPECT_EQ(table.parent_of(78), parents[0]);
    }
    EXPECT_EQ(winners.size(), 1U);
  }
}

class StateTableGrowth : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Threads, StateTableGrowth, testing::Values(1U, 2U, 3U));

// Through every growth: nothing is lost, nothing is invented, parents stay.
TEST_P(StateTableGrowth, KeepsEverything) {
  StateTable table;
  Rng rng(7);
  std::map<std::uint64_t, std::uint64_t> parents;
  std::uint64_t last = 0;
  const std::uint64_t before = table.bytes();
  for (int round = 0; round < 60; ++round) {
    constexpr std::uint64_t batch = 2'000;
    EXPECT_EQ(table.bytes_after_reserve(batch) >= table.bytes(), true);
    const std::uint64_t promised = table.bytes_after_reserve(batch);
    table.reserve(batch, GetParam());
    EXPECT_EQ(table.bytes(), promised);
    std::uint64_t added = 0;
    for (std::uint64_t i = 0; i < batch; ++i) {
      const std::uint64_t fingerprint = rng.next() | 1U;
      const bool is_new = parents.emplace(fingerprint, last).second;
      const Outcome outcome = table.insert(fingerprint, last, 3);
      ASSERT_EQ(outcome, is_new ? Outcome::added : Outcome::known);
      added += is_new ? 1 : 0;
      last = fingerprint;
    }
    table.count_added(added);
  }
  EXPECT_EQ(table.size(), parents.size());
  EXPECT_GT(table.bytes(), before);
  for (const auto& [fingerprint, parent] : parents) {
    ASSERT_EQ(table.insert(fingerprint, 0, 9), Outcome::known);
    ASSERT_EQ(table.parent_of(fingerprint), parent);
  }
}

// Growing moves entries within the table. The hard cases are long runs of neighbours: at the beginning, across the
// end, in the middle, and where the shares of several threads meet.
TEST_P(StateTableGrowth, MovesLongRunsOfNeighbours) {
  constexpr std::uint64_t inverse = 0xf1de83e19937733dULL;  // of the factor that scrambles
  StateTable table;
  std::vector<std::uint64_t> fingerprints;
  const auto add = [&](std::uint64_t key) {
    fingerprints.push_back(key * inverse);
    ASSERT_EQ(table.insert(fingerprints.back(), 0, 1), Outcome::added);
  };
  for (std::uint64_t i = 0; i < 1'500; ++i) {
    add(0xffffffff00000000ULL + i * 0x10000);  // from the last place on, and on from the first
    add(0x0000000000010000ULL + i * 0x10000);  // so they share the first places
    add(0x7fffffff00000000ULL + i * 0x10000);
    add(0x8000000000000000ULL - 1 - i);
    add(0xbfffffff00000000ULL + i * 0x10000);
    add(0x4000000000000000ULL - 1 - i);
  }
  table.count_added(fingerprints.size());
  for (int turn = 0; turn < 5; ++turn) {
    const std::uint64_t before = table.bytes();
    table.reserve(before / 16, GetParam());
    ASSERT_GT(table.bytes(), before);
    for (const std::uint64_t fingerprint : fingerprints)
      ASSERT_EQ(table.insert(fingerprint, 0, 1), Outcome::known);
    EXPECT_EQ(table.size(), fingerprints.size());
    std::size_t found = 0;
    table.each([&](const StateTable::Entry&) { ++found; });
    ASSERT_EQ(found, fingerprints.size());
  }
}

// A table that is full says so before it is quite full, and takes what it refused after it has grown.
TEST(StateTable, SaysWhenItIsFull) {
  StateTable table;
  Rng rng(3);
  std::uint64_t added = 0;
  std::uint64_t refused = 0;
  while (refused == 0) {
    const std::uint64_t fingerprint = rng.next() | 1U;
    if (table.insert(fingerprint, 0, 1) == Outcome::full) {
      refused = fingerprint;
    } else {
      ++added;
      table.count_added(1);
    }
  }
  EXPECT_LT(added * 16, table.bytes());
  EXPECT_GE(added * 16, table.bytes() / 2);
  table.reserve(table.size());
  EXPECT_EQ(table.insert(refused, 0, 1), Outcome::added);
  EXPECT_EQ(table.insert(refused, 0, 1), Outcome::known);
}

// Three threads insert the same states from different parents, in different orders: each state is added once,
// and its parent is the least of all.
TEST(StateTable, IsSharedWithoutLocks) {
  constexpr std::size_t states = 20'000;
  constexpr std::size_t threads = 3;
  Rng rng(5);
  std::vector<std::uint64_t> fingerprints;
  for (std::size_t i = 0; i < states; ++i) fingerprints.push_back(rng.next() | 1U);
  std::vector<std::uint64_t> parents;
  for (std::size_t i = 0; i < threads * 2; ++i) parents.push_back(rng.next() | 1U);

  StateTable alone;
  alone.reserve(states + parents.size());
  for (const std::uint64_t parent : parents) alone.insert(parent, 0, 1);
  for (const std::uint64_t fingerprint : fingerprints) {
    for (const std::uint64_t parent : parents) alone.insert(fingerprint, parent, 2);
  }

  StateTable table;
  table.reserve(states + parents.size());
  for (const std::uint64_t parent : parents) table.insert(parent, 0, 1);
  std::vector<std::uint64_t> added(threads, 0);
  std::vector<std::thread> workers;
  for (std::size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      for (std::size_t i = 0; i < states; ++i) {
        const std::uint64_t fingerprint = fingerprints[(i * 7'919 + t * 6'007) % states];
        for (const std::size_t p : {2 * t, 2 * t + 1}) {
          added[t] += table.insert(fingerprint, parents[p], 2) == Outcome::added ? 1 : 0;
        }
      }
      table.count_added(added[t]);
    });
  }
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(table.size(), states);
  for (const std::uint64_t fingerprint : fingerprints) {
    ASSERT_EQ(table.parent_of(fingerprint), alone.parent_of(fingerprint));
  }
}

}  // namespace
}  // namespace gainsay::state_table_test
