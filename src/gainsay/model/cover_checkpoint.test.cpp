#include "gainsay/model/cover_checkpoint.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/model/cover.hpp"
#include "gainsay/model/state_graph.hpp"

namespace gainsay::cover_checkpoint_test {
namespace {

using Begin = CoverCheckpoint::Begin;
using Minimize = CoverOptions::Minimize;
constexpr std::chrono::nanoseconds never = std::chrono::hours(1);

class CoverCheckpoints : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::string refusal(const StateGraph& graph, const Facts& facts, CoverOptions options = {}) const {
    try {
      CoverCheckpoint checkpoint(path_, facts, never, Begin::from_file);
      options.checkpoint = &checkpoint;
      (void)cover(graph, options);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  const std::string path_ = testing::TempDir() + fmt::format("cover-checkpoint-{}", getpid());
};

// A tree and more edges, so that walks are joined over some distance: a few rounds.
StateGraph large_graph(std::uint64_t number) {
  Rng rng(number, 5);
  const std::uint32_t n = 40 + static_cast<std::uint32_t>(rng.below(60));
  StateGraphBuilder builder;
  for (std::uint32_t i = 0; i < n; ++i) builder.add_node();
  builder.add_initial(0);
  for (std::uint32_t i = 1; i < n; ++i)
    builder.add_edge(static_cast<GraphNode>(i - 1 - rng.below(std::min(i, 3U))), 0, i);
  for (std::uint32_t i = 0; i < n / 2; ++i)
    builder.add_edge(static_cast<GraphNode>(rng.below(n)), 1, static_cast<GraphNode>(rng.below(n)));
  return std::move(builder).build({GraphEvent{"on"}, GraphEvent{"over"}});
}

std::vector<TestPath> tests_of(const StateGraph& graph, const Suite& suite) {
  std::vector<TestPath> tests;
  const auto reader = suite.read(graph);
  for (TestPath test; reader->next(test);) tests.push_back(test);
  return tests;
}

// A cover that has no time ends after one round. Going on from its checkpoint again and again, one round at a time,
// ends in the suite that is made in one go, for everything that can be minimised.
TEST_F(CoverCheckpoints, EveryRoundMayBeTheLast) {
  std::uint64_t pieces = 0;
  std::uint64_t in_pieces = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const StateGraph graph = large_graph(number);
    CoverOptions options;
    options.minimize = std::array{Minimize::tests, Minimize::steps, Minimize::cost}[number % 3];
    options.reset_cost = number % 3 == 2 ? 3 : 0;
    options.gap_max = number % 5 == 0 ? 0.05 : 0;
    const auto whole = cover(graph, options);
    CoverOptions hurried = options;
    hurried.time_max = std::chrono::nanoseconds(0);
    Begin begin = Begin::anew;
    std::unique_ptr<Suite> last;
    for (std::uint64_t rounds = 0; rounds < 100; ++rounds) {
      CoverCheckpoint checkpoint(path_, {{"graph", std::to_string(number)}}, never, begin);
      CoverProgress progress;
      hurried.checkpoint = &checkpoint;
      hurried.progress = &progress;
      last = cover(graph, hurried);
      EXPECT_EQ(checkpoint.error(), "");
      begin = Begin::from_file;
      if (progress.rounds == 0) break;  // the file was that of the end
      ++pieces;
      in_pieces += rounds == 1 ? 1 : 0;
    }
    EXPECT_EQ(last->facts, whole->facts) << number;
    EXPECT_EQ(tests_of(graph, *last), tests_of(graph, *whole)) << number;
    if (HasFailure()) break;
  }
  EXPECT_GT(in_pieces, 50U);
  EXPECT_GT(pieces, 150U);
}

TEST_F(CoverCheckpoints, AreOfOneCoverOnly) {
  const StateGraph graph = large_graph(1);
  ASSERT_GT(graph.edges(), 10U);
  const Facts facts{{"graph", "one"}};
  CoverCheckpoint checkpoint(path_, facts, never, Begin::anew);
  CoverOptions options;
  options.checkpoint = &checkpoint;
  (void)cover(graph, options);
  EXPECT_EQ(refusal(graph, facts), "");
  EXPECT_THAT(
      refusal(graph, {{"graph", "two"}}),
      testing::EndsWith("the checkpoint is from a different cover: its graph is one, not two; use the "
                        "same options, or start again without --resume"));
  const std::string other =
      path_ + ": the checkpoint is for another state graph; start again without --resume";
  EXPECT_EQ(refusal(large_graph(2), facts), other);
  CoverOptions fewer_edges;
  fewer_edges.required.assign(graph.edges(), true);
  fewer_edges.required[0] = false;
  EXPECT_EQ(refusal(graph, facts, fewer_edges), other);
  CoverOptions other_price;
  other_price.minimize = Minimize::tests;
  EXPECT_EQ(refusal(graph, facts, other_price), other);
}

TEST_F(CoverCheckpoints, OfEverySizeAndWithAnyByteChangedAreRefused) {
  const StateGraph graph = large_graph(4);
  const Facts facts{{"graph", "one"}};
  {
    CoverCheckpoint checkpoint(path_, facts, never, Begin::anew);
    CoverOptions options;
    options.checkpoint = &checkpoint;
    (void)cover(graph, options);
  }
  std::stringstream read;
  read << std::ifstream(path_, std::ios::binary).rdbuf();
  const std::string whole = read.str();
  const auto put = [&](const std::string& bytes) { std::ofstream(path_, std::ios::binary) << bytes; };
  for (std::size_t at = 0; at < whole.size(); at += 1 + at / 16) {
    put(whole.substr(0, at));
    EXPECT_NE(refusal(graph, facts), "") << "cut at " << at;
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    put(changed);
    EXPECT_NE(refusal(graph, facts), "") << "byte " << at;
  }
  put(whole);
  EXPECT_EQ(refusal(graph, facts), "");
}

TEST_F(CoverCheckpoints, ThatCannotBeWrittenDoNotEndTheCover) {
  const StateGraph graph = large_graph(1);
  CoverCheckpoint checkpoint("/dev/full", {}, never, Begin::anew);
  CoverOptions options;
  options.checkpoint = &checkpoint;
  EXPECT_EQ(cover(graph, options)->facts, cover(graph, {})->facts);
  EXPECT_THAT(checkpoint.error(), testing::HasSubstr("/dev/full: cannot write the checkpoint"));
}

}  // namespace
}  // namespace gainsay::cover_checkpoint_test
