// sample: for graphs that are too large to cover.
#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/model/cover.hpp"
#include "gainsay/model/graph_search.hpp"

namespace gainsay {

std::unique_ptr<Suite> sample(const StateGraph& graph, const SampleOptions& options) {
  GAINSAY_CHECK(!graph.initial.empty(), "walks begin at initial nodes");
  const std::uint64_t longest =
      options.length_max ? *options.length_max : 2 * std::uint64_t{shortest_ways(graph).deepest()} + 16;
  std::vector<bool> seen(graph.edges());
  std::uint64_t covered = 0;
  std::vector<std::uint32_t> fresh(graph.nodes());  // edges of the node that no walk has taken
  for (GraphNode node = 0; node < graph.nodes(); ++node) fresh[node] = graph.degree(node);
  std::vector<TestPath> tests;
  SuiteFacts facts;
  facts.minimized = "nothing";
  facts.required = graph.edges();
  for (std::uint64_t i = 0; i < options.tests; ++i) {
    if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) break;
    Rng rng(options.seed, i);
    TestPath test;
    test.start = graph.initial[rng.below(graph.initial.size())];
    GraphNode node = test.start;
    while (test.edges.size() < longest && graph.degree(node) > 0) {
      GraphEdge edge = graph.first[node] + static_cast<GraphEdge>(rng.below(graph.degree(node)));
      if (fresh[node] > 0) {
        // One that nobody has taken, if there is one: the k-th of them.
        std::uint64_t k = rng.below(fresh[node]);
        for (edge = graph.first[node]; seen[edge] || k > 0; ++edge) {
          if (!seen[edge]) --k;
        }
        --fresh[node];
        seen[edge] = true;
        ++covered;
      }
      test.edges.push_back(edge);
      node = graph.to[edge];
    }
    facts.steps += test.edges.size();
    facts.longest = std::max<std::uint64_t>(facts.longest, test.edges.size());
    tests.push_back(std::move(test));
  }
  facts.tests = tests.size();
  facts.covered = covered;
  auto suite = std::make_unique<PathSuite>(std::move(tests));
  suite->graph_digest = graph.digest();
  suite->facts = std::move(facts);
  return suite;
}

}  // namespace gainsay
