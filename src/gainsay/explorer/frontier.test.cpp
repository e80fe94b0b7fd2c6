#include "gainsay/explorer/frontier.hpp"

#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <gmock/gmock.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/rng.hpp"

namespace gainsay::frontier_test {
namespace {

Block block_of(std::uint32_t number, std::uint32_t words = 100) {
  Block block;
  for (std::uint32_t i = 0; i < words; ++i) block.words.push_back(number * 1'000'003 + i);
  block.states = 1 + number % 7;
  block.pending = number;
  return block;
}

void expect_block(const Block& block, std::uint32_t number) {
  const Block wanted = block_of(number, static_cast<std::uint32_t>(block.words.size()));
  EXPECT_EQ(block.words, wanted.words);
  EXPECT_EQ(block.states, wanted.states);
  EXPECT_EQ(block.pending, wanted.pending);
}

std::string temporary() { return std::filesystem::temp_directory_path().string(); }

TEST(Frontier, GivesBackInOrder) {
  Frontier frontier(temporary());
  for (std::uint32_t i = 0; i < 50; ++i) frontier.push(block_of(i));
  std::uint32_t next = 0;
  while (!frontier.empty()) {
    const auto ahead = frontier.ahead(10);
    std::uint64_t states = 0;
    std::uint64_t pending = 0;
    for (const Block& block : frontier.take(10)) {
      expect_block(block, next++);
      states += block.states;
      pending += block.pending;
    }
    EXPECT_EQ(states, ahead.states);
    EXPECT_EQ(pending, ahead.pending);
  }
  EXPECT_EQ(next, 50U);
  EXPECT_EQ(frontier.states(), 0U);
  EXPECT_EQ(frontier.spilled_bytes(), 0U);
}

// Whatever is written, and whenever: the order and the content are those of a queue in memory.
TEST(Frontier, WhatIsOnDiskComesBackInItsTurn) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    Frontier frontier(temporary());
    std::uint32_t pushed = 0;
    std::uint32_t taken = 0;
    for (int i = 0; i < 300; ++i) {
      switch (rng.below(4)) {
        case 0:
        case 1:
          frontier.push(block_of(pushed++, 1 + static_cast<std::uint32_t>(rng.below(500))));
          break;
        case 2:
          frontier.spill(rng.below(frontier.bytes() + 1));
          break;
        default:
          if (frontier.empty()) break;
          for (const Block& block : frontier.take(1 + rng.below(20))) expect_block(block, taken++);
      }
    }
    EXPECT_GT(frontier.spilled_bytes(), 0U);
    while (!frontier.empty()) {
      for (const Block& block : frontier.take(1'000)) expect_block(block, taken++);
    }
    EXPECT_EQ(taken, pushed);
    EXPECT_EQ(frontier.bytes(), 0U);
    EXPECT_EQ(frontier.disk_bytes(), 0U);
  }
}

TEST(Frontier, KeepsTheFirstInMemory) {
  Frontier frontier(temporary());
  for (std::uint32_t i = 0; i < 10; ++i) frontier.push(block_of(i));
  const std::uint64_t all = frontier.bytes();
  frontier.spill(all / 2);
  EXPECT_LE(frontier.bytes(), all / 2);
  EXPECT_EQ(frontier.disk_bytes(), 5 * 100 * sizeof(std::uint32_t));
  frontier.take(1);
  EXPECT_LT(frontier.bytes(), all / 2);  // the first was in memory
  EXPECT_EQ(frontier.disk_bytes(), 5 * 100 * sizeof(std::uint32_t));
}

TEST(Frontier, LeavesNoFileBehind) {
  std::string folder = temporary() + "/gainsay-frontier-test-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  {
    Frontier frontier(folder);
    frontier.push(block_of(1));
    frontier.spill(0);
    EXPECT_EQ(frontier.bytes(), 0U);
    EXPECT_TRUE(std::filesystem::is_empty(folder)) << "the file has no name while it is used";
    expect_block(frontier.take(1).front(), 1);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove(folder);
}

TEST(Frontier, LosesNothingWhereNothingCanBeWritten) {
  Frontier frontier("/no/such/folder");
  for (std::uint32_t i = 0; i < 3; ++i) frontier.push(block_of(i));
  const std::uint64_t before = frontier.bytes();
  frontier.spill(0);
  EXPECT_THAT(frontier.error(), testing::HasSubstr("cannot create a temporary file in '/no/such/folder'"));
  EXPECT_EQ(frontier.bytes(), before);
  std::uint32_t next = 0;
  for (const Block& block : frontier.take(1'000)) expect_block(block, next++);
  EXPECT_EQ(next, 3U);
}

TEST(SpillFile, AFullDiskIsAnErrorThatSaysSo) {
  const int full = ::open("/dev/full", O_RDWR);
  if (full < 0) GTEST_SKIP() << "there is no /dev/full";
  SpillFile file(full);
  EXPECT_EQ(file.append(std::vector<std::uint32_t>{1, 2, 3}), std::nullopt);
  EXPECT_THAT(file.error(), testing::HasSubstr("No space left on device"));
  EXPECT_EQ(file.append(std::vector<std::uint32_t>{1}), std::nullopt);
  EXPECT_EQ(file.bytes(), 0U);
}

}  // namespace
}  // namespace gainsay::frontier_test
