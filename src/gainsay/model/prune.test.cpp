#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/explorer/random_system.test.hpp"
#include "gainsay/model/cover.hpp"
#include "gainsay/model/random_graph.test.hpp"
#include "gainsay/model/scenario_graph.hpp"

namespace gainsay::prune_test {
namespace {

// What is left to cover still has every step of every actor: its state before, and the event with its answers.
TEST(Prune, KeepsEveryStepOfEveryActor) {
  std::uint64_t pruned = 0;
  std::uint64_t all = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    const random_system::Features features = random_system::draw(number);
    GraphOptions options;
    options.states_max = 5000;
    const ScenarioGraph found = explore_graph(
        Scenario::of("random", [=](World& world) { random_system::fill(world, features); }), {}, options);
    if (!found.incomplete_because.empty()) continue;
    const StateGraph& graph = found.graph;
    if (graph.edges() == 0) continue;
    const std::vector<bool> required = without_commuting(graph);
    std::set<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> wanted;
    std::set<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> kept;
    for (GraphNode node = 0; node < graph.nodes(); ++node) {
      for (GraphEdge e = graph.first[node]; e < graph.first[node + 1]; ++e) {
        const GraphEvent& event = *graph.event_of(e);
        const auto column = std::find(graph.columns.begin(), graph.columns.end(), event.receiver);
        if (column == graph.columns.end()) {
          EXPECT_TRUE(required[e]) << "what reaches nobody is not left out";
          continue;
        }
        const auto place = static_cast<std::size_t>(column - graph.columns.begin());
        wanted.emplace(place, graph.row(node)[place], graph.event[e]);
        if (required[e]) kept.emplace(place, graph.row(node)[place], graph.event[e]);
      }
    }
    EXPECT_EQ(kept, wanted) << random_system::text(features);
    all += graph.edges();
    pruned += static_cast<std::uint64_t>(std::count(required.begin(), required.end(), false));
  }
  EXPECT_GT(pruned, all / 10);
}

TEST(Prune, NeedsToKnowWhomEventsReach) {
  EXPECT_THROW((void)without_commuting(random_graph::draw(1, {})), UserError);
}

}  // namespace
}  // namespace gainsay::prune_test
