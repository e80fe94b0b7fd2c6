#include "gainsay/base/changes.hpp"

#include <map>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay {
namespace {

using Lines = std::vector<std::string>;

struct Entry {
  int term = 0;
  std::vector<int> values{};
};
struct Server {
  bool open = true;
  std::vector<int> log{};
  std::map<int, int> votes{};
  std::optional<int> leader{};
  std::vector<Entry> entries{};
  Entry last{};
};

TEST(Changes, AContainerIsOneLine) {
  Server before;
  Server after;
  after.log = {1};
  EXPECT_EQ(changes(before, after), (Lines{"log: [] -> [1]"}));
  after.open = false;
  after.log = {1, 2, 3};
  after.votes = {{4, 5}};
  EXPECT_EQ(changes(before, after),
            (Lines{"open: true -> false", "log: [] -> [1, 2, 3]", "votes: {} -> {4: 5}"}));
  EXPECT_TRUE(changes(before, before).empty());
}

TEST(Changes, OfALongContainerTheDifferentPartIsShown) {
  Server before;
  for (int i = 0; i < 40; ++i) before.log.push_back(1000 + i);
  for (int i = 0; i < 40; ++i) before.votes[i] = 1000 + i;
  Server after = before;
  after.log.push_back(7);
  EXPECT_EQ(changes(before, after), (Lines{"log[40..]: [] -> [7]"}));
  EXPECT_EQ(changes(after, before), (Lines{"log[40..]: [7] -> []"}));
  after = before;
  after.log[3] = 8;
  after.log[5] = 9;
  EXPECT_EQ(changes(before, after), (Lines{"log[3..5]: [1003, 1004, 1005] -> [8, 1004, 9]"}));
  after = before;
  after.votes[3] = 1;
  after.votes.erase(7);
  after.votes[90] = 2;
  EXPECT_EQ(changes(before, after), (Lines{"votes: {3: 1003, 7: 1007} -> {3: 1, 90: 2}"}));
}

TEST(Changes, WhatIsInsideAnElementBelongsToIt) {
  Server before;
  Server after;
  after.entries = {{2, {3, 4}}};
  after.last = {1, {}};
  after.leader = 3;
  EXPECT_EQ(
      changes(before, after),
      (Lines{"leader: none -> 3", "entries: [] -> [Entry{term: 2, values: [3, 4]}]", "last.term: 0 -> 1"}));
}

TEST(Changes, ThereAreSomeExactlyWhereValuesDiffer) {
  Rng rng(5);
  const auto random = [&] {
    Server server;
    server.open = rng.chance(1, 2);
    for (std::uint64_t i = rng.below(30); i > 0; --i) server.log.push_back(static_cast<int>(rng.below(2)));
    for (std::uint64_t i = rng.below(3); i > 0; --i)
      server.votes[static_cast<int>(rng.below(3))] = static_cast<int>(rng.below(2));
    if (rng.chance(1, 2)) server.leader = 1;
    return server;
  };
  for (int round = 0; round < 2'000; ++round) {
    const Server a = random();
    const Server b = rng.chance(1, 3) ? a : random();
    const auto flat = differences(a, b);
    EXPECT_EQ(changes(a, b).empty(), flat.empty());
    EXPECT_LE(changes(a, b).size(), 4U);
  }
}

}  // namespace
}  // namespace gainsay
