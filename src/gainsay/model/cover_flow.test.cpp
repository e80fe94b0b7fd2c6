#include "gainsay/model/cover_flow.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gainsay/model/random_graph.test.hpp"

namespace gainsay::cover_flow_test {
namespace {

namespace fs = std::filesystem;

// The least cost of a cover in doubled steps, by another solver. Supplies that are left over go to a node outside, and
// tests come from it, so that all sums are 0.
std::int64_t by_lemon(const fs::path& program, const StateGraph& graph, std::int64_t test_price) {
  const std::uint32_t n = graph.nodes();
  std::vector<std::int64_t> supply(n + 1, 0);
  for (GraphNode node = 0; node < n; ++node) {
    for (const GraphNode to : graph.targets(node)) {
      --supply[node];
      ++supply[to];
    }
  }
  std::string problem;
  std::uint64_t arcs = 0;
  for (GraphNode node = 0; node < n; ++node) {
    for (const GraphNode to : graph.targets(node)) problem += fmt::format("{} {} 2\n", node, to), ++arcs;
    problem += fmt::format("{} {} 0\n", node, n), ++arcs;
  }
  for (const GraphNode node : graph.initial)
    problem += fmt::format("{} {} {}\n", n, node, test_price), ++arcs;
  std::string head = fmt::format("{} {}\n", n + 1, arcs);
  for (const std::int64_t each : supply) head += fmt::format("{}\n", each);
  const fs::path file = fs::path(testing::TempDir()) / fmt::format("gainsay-lemon-{}.txt", getpid());
  std::ofstream(file) << head << problem;
  std::FILE* answer = popen(fmt::format("'{}' < '{}'", program.string(), file.string()).c_str(), "r");
  long long cost = -1;
  EXPECT_EQ(std::fscanf(answer, "%lld", &cost), 1);
  pclose(answer);
  fs::remove(file);
  return 2 * std::int64_t{graph.edges()} + cost;
}

TEST(CoverFlow, AgreesWithAnotherSolver) {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "lemon_reference";
  if (!fs::exists(program)) GTEST_SKIP() << "LEMON is not installed";
  for (std::uint64_t number = 0; number < 60; ++number) {
    const StateGraph graph = random_graph::draw(number, {300, 1500, 3, number % 3 == 0});
    for (const std::uint32_t price : {1U, 11U, 1001U}) {
      CoverFlow flow(graph, {}, price);
      while (flow.round()) {
      }
      EXPECT_TRUE(flow.optimal());
      EXPECT_EQ(flow.bound_doubled(), flow.cost_doubled());
      EXPECT_EQ(flow.cost_doubled(), by_lemon(program, graph, price))
          << "graph " << number << ", price " << price;
    }
  }
}

// At every moment the bound is below and the cost above the optimum, and both only come nearer.
TEST(CoverFlow, TheGapOnlyGetsSmaller) {
  for (std::uint64_t number = 0; number < 40; ++number) {
    const StateGraph graph = random_graph::draw(number, {400, 1600, 2, false});
    CoverFlow whole(graph, {}, 1);
    while (whole.round()) {
    }
    const std::int64_t optimum = whole.bound_doubled();
    CoverFlow flow(graph, {}, 1);
    std::int64_t bound = flow.bound_doubled();
    bool more = true;
    while (more) {
      more = flow.round();
      EXPECT_GE(flow.bound_doubled(), bound);
      bound = flow.bound_doubled();
      EXPECT_LE(bound, optimum);
      EXPECT_GE(flow.cost_doubled(), optimum);
    }
    EXPECT_EQ(bound, optimum);
    EXPECT_EQ(flow.cost_doubled(), optimum);
  }
}

}  // namespace
}  // namespace gainsay::cover_flow_test
