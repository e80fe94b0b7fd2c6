// check_suite: shares nothing with the code that makes suites.
#include <fmt/format.h>

#include "gainsay/model/cover.hpp"

namespace gainsay {

SuiteCheck check_suite(const StateGraph& graph, const Suite& suite, const std::vector<bool>& required,
                       std::optional<std::uint64_t> length_max, std::atomic<std::uint64_t>* tests_read) {
  SuiteCheck check;
  std::vector<bool> initial(graph.nodes());
  for (const GraphNode node : graph.initial) initial[node] = true;
  std::vector<bool> seen(graph.edges());
  const auto reader = suite.read(graph);
  TestPath test;
  while (check.wrong.empty() && reader->next(test)) {
    ++check.tests;
    if (tests_read != nullptr) tests_read->store(check.tests, std::memory_order_relaxed);
    check.steps += test.edges.size();
    check.longest = std::max<std::uint64_t>(check.longest, test.edges.size());
    if (test.start >= graph.nodes() || !initial[test.start]) {
      check.wrong = fmt::format("test {} begins at node {}, which is not initial", check.tests, test.start);
      break;
    }
    if (length_max && test.edges.size() > *length_max) {
      check.wrong =
          fmt::format("test {} has {} steps, more than {}", check.tests, test.edges.size(), *length_max);
      break;
    }
    GraphNode node = test.start;
    for (const GraphEdge edge : test.edges) {
      if (edge < graph.first[node] || edge >= graph.first[node + 1]) {
        check.wrong = fmt::format("test {} goes on from node {} by edge {}, which begins elsewhere",
                                  check.tests, node, edge);
        break;
      }
      if (!seen[edge]) {
        seen[edge] = true;
        ++check.covered;
      }
      node = graph.to[edge];
    }
  }
  for (GraphEdge edge = 0; edge < graph.edges(); ++edge) {
    if (seen[edge] || (!required.empty() && !required[edge])) continue;
    if (check.missed++ == 0) check.first_missed = edge;
  }
  return check;
}

}  // namespace gainsay
