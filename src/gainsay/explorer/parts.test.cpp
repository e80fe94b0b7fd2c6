#include "gainsay/explorer/parts.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gainsay::parts_test {
namespace {

// With four words, that may be cut in the middle.
Block block(std::uint32_t maker) {
  Block made;
  made.words.resize(4);
  made.states = 2;
  made.maker = maker;
  made.cuts = {2};
  return made;
}

std::vector<Block> blocks_of(const std::vector<std::uint32_t>& makers) {
  std::vector<Block> blocks;
  for (const std::uint32_t maker : makers) blocks.push_back(block(maker));
  return blocks;
}

std::string text(const Part& part) { return fmt::format("{}:{}-{}", part.block, part.begin, part.end); }

std::string taken(Parts& parts, std::size_t worker) {
  const Part* part = parts.take(worker);
  return part != nullptr ? text(*part) : "none";
}

std::vector<std::string> left(const Parts& parts) {
  std::vector<std::string> all;
  for (const Part& part : parts.left()) all.push_back(text(part));
  return all;
}

TEST(Parts, OneWorkerTakesWholeBlocks) {
  const std::vector<Block> blocks = blocks_of({0, 0});
  Parts parts(blocks, 1);
  EXPECT_EQ(parts.count(), 2U);
  EXPECT_EQ(taken(parts, 0), "0:0-4");
  EXPECT_EQ(taken(parts, 0), "1:0-4");
  EXPECT_EQ(taken(parts, 0), "none");
}

TEST(Parts, AWorkerTakesItsOwnFromTheFirstOnThenTheLastOfAnother) {
  const std::vector<Block> blocks = blocks_of({0, 1, 0});
  Parts parts(blocks, 2);
  EXPECT_EQ(parts.count(), 6U);
  EXPECT_EQ(taken(parts, 1), "1:0-2");
  EXPECT_EQ(taken(parts, 1), "1:2-4");
  EXPECT_EQ(taken(parts, 1), "2:2-4");
  EXPECT_EQ(taken(parts, 0), "0:0-2");
  EXPECT_EQ(left(parts), (std::vector<std::string>{"0:2-4", "2:0-2"}));
  EXPECT_EQ(taken(parts, 1), "2:0-2");
  EXPECT_EQ(taken(parts, 1), "0:2-4");
  EXPECT_EQ(taken(parts, 1), "none");
  EXPECT_EQ(taken(parts, 0), "none");
  EXPECT_TRUE(left(parts).empty());
}

TEST(Parts, WhatIsLeftComesInTheOrderOfTheBlocks) {
  const std::vector<Block> blocks = blocks_of({2, 1, 0});
  Parts parts(blocks, 3);
  EXPECT_EQ(taken(parts, 1), "1:0-2");
  EXPECT_EQ(left(parts), (std::vector<std::string>{"0:0-2", "0:2-4", "1:2-4", "2:0-2", "2:2-4"}));
}

TEST(Parts, EachIsTakenOnce) {
  std::vector<std::uint32_t> makers;
  for (std::uint32_t i = 0; i < 3'000; ++i) makers.push_back(i % 5 == 0 ? 1 : 0);
  const std::vector<Block> blocks = blocks_of(makers);
  Parts parts(blocks, 3);
  std::vector<std::vector<std::string>> by_worker(3);
  std::vector<std::thread> threads;
  for (std::size_t worker = 0; worker < 3; ++worker) {
    threads.emplace_back([&, worker] {
      while (const Part* part = parts.take(worker)) by_worker[worker].push_back(text(*part));
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<std::string> all;
  for (const auto& some : by_worker) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all.size(), 6'000U);
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
  EXPECT_TRUE(left(parts).empty());
}

}  // namespace
}  // namespace gainsay::parts_test
