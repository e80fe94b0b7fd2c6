#include "gainsay/model/cover.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/model/cover_flow.hpp"
#include "gainsay/model/graph_search.hpp"
#include "gainsay/model/tour.hpp"

namespace gainsay {
namespace {

using Clock = std::chrono::steady_clock;

std::uint32_t price_of_test(const CoverOptions& options) {
  switch (options.minimize) {
    case CoverOptions::Minimize::tests:
      return CoverFlow::fewest_tests;
    case CoverOptions::Minimize::steps:
      return 1;
    case CoverOptions::Minimize::cost:
      break;
  }
  return static_cast<std::uint32_t>(2 * options.reset_cost + 1);
}

// Walks that no test passes: closed ones, in a part of the graph that no start leads to. Each part gets a test of its
// own, which begins as near as it can.
std::uint64_t attach_rest(const StateGraph& graph, const std::vector<bool>& required,
                          const ShortestWays& ways, std::vector<std::uint32_t>& extra,
                          std::vector<std::uint64_t>& starts) {
  const auto walks = [&](GraphEdge e) {
    return extra[e] + std::uint32_t{required.empty() || required[e] ? 1U : 0U};
  };
  std::vector<bool> passed(graph.nodes());
  std::vector<GraphNode> stack;
  const auto pass = [&](GraphNode from) {
    if (passed[from]) return;
    passed[from] = true;
    stack.push_back(from);
    while (!stack.empty()) {
      const GraphNode node = stack.back();
      stack.pop_back();
      for (GraphEdge e = graph.first[node]; e < graph.first[node + 1]; ++e) {
        if (walks(e) == 0 || passed[graph.to[e]]) continue;
        passed[graph.to[e]] = true;
        stack.push_back(graph.to[e]);
      }
    }
  };
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (starts[i] > 0) pass(graph.initial[i]);
  }
  std::vector<GraphNode> left;
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    if (passed[node]) continue;
    for (GraphEdge e = graph.first[node]; e < graph.first[node + 1]; ++e) {
      if (walks(e) == 0) continue;
      left.push_back(node);
      break;
    }
  }
  std::stable_sort(left.begin(), left.end(),
                   [&](GraphNode a, GraphNode b) { return ways.depth[a] < ways.depth[b]; });
  std::uint64_t added = 0;
  for (const GraphNode node : left) {
    if (passed[node]) continue;
    std::vector<GraphEdge> way;
    const GraphNode start = way_to(graph, ways, node, way);
    for (const GraphEdge e : way) ++extra[e];
    const auto place =
        std::lower_bound(graph.initial.begin(), graph.initial.end(), start) - graph.initial.begin();
    ++starts[static_cast<std::size_t>(place)];
    ++added;
    pass(start);
  }
  return added;
}

std::uint64_t clamped(std::int64_t value) { return value < 0 ? 0 : static_cast<std::uint64_t>(value); }

void refuse_options(const StateGraph& graph, const CoverOptions& options) {
  if (graph.nodes() == 0) throw UserError("the graph has no states, so there is nothing to cover");
  if (!options.required.empty() && options.required.size() != graph.edges())
    throw UserError(fmt::format("the edges to cover belong to another graph: {} edges, but the graph has {}",
                                options.required.size(), graph.edges()));
  constexpr std::uint64_t most_reset_cost = 1U << 24U;
  if (options.reset_cost > most_reset_cost)
    throw UserError(fmt::format("a reset costs at most {} steps", with_commas(most_reset_cost)));
  if (!options.length_max) return;
  const std::uint64_t least = least_longest_test(graph, options.required);
  if (*options.length_max < least)
    throw UserError(fmt::format(
        "--max-length '{}': expected at least {}: an edge to cover begins {} from the initial states",
        *options.length_max, least, counted(least - 1, "step")));
}

// Rounds until the flow is optimal, near enough, or told to end. Whether it is optimal.
bool solve(CoverFlow& flow, const CoverOptions& options) {
  const auto started = Clock::now();
  const bool anytime = options.minimize != CoverOptions::Minimize::tests;
  std::uint64_t needs_before = flow.needs_left();
  while (flow.round()) {
    const std::int64_t bound = flow.bound_doubled();
    const std::int64_t cost = flow.cost_doubled();
    if (options.progress != nullptr) {
      options.progress->rounds = flow.rounds();
      options.progress->needs_left = flow.needs_left();
      options.progress->cost = anytime ? clamped(cost / 2) : 0;
      options.progress->bound = anytime ? clamped(bound / 2) : 0;
    }
    if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) break;
    if (options.time_max && Clock::now() - started >= *options.time_max) break;
    if (anytime && options.gap_max > 0 &&
        static_cast<double>(cost) <= static_cast<double>(bound) * (1 + options.gap_max))
      break;
    // The number of tests is minimal in any case; with a gap, steps are improved only while that goes quickly.
    if (!anytime && options.gap_max > 0 && needs_before - flow.needs_left() < needs_before / 50) break;
    needs_before = flow.needs_left();
  }
  return flow.optimal();
}

// What the prices prove: of all suites, and of those that are as good as the bound in what is minimized first.
void fill_bounds(SuiteFacts& facts, const CoverOptions& options, const CoverFlow& flow,
                 std::optional<std::uint64_t> fewest_tests, std::uint64_t attached,
                 const CoverFlow::FreeTests& free_tests) {
  const bool all = options.required.empty();
  const std::int64_t doubled = flow.bound_doubled();
  const std::uint64_t forced = all ? attached + free_tests.tests : 0;
  if (options.minimize == CoverOptions::Minimize::tests) {
    const std::uint64_t by_flow = fewest_tests ? *fewest_tests : clamped(flow.bound_tests());
    facts.tests_bound =
        std::max<std::uint64_t>(facts.required > 0 ? 1 : 0, by_flow + (fewest_tests ? 0 : forced));
    facts.cost_bound = facts.tests_bound;
    facts.steps_bound = std::max(
        facts.required,
        clamped(flow.bound_steps_by(fewest_tests ? facts.tests_bound : by_flow) - free_tests.steps_saved));
    return;
  }
  const std::int64_t whole = flow.bound_steps();
  const std::uint64_t price = options.minimize == CoverOptions::Minimize::cost ? options.reset_cost : 0;
  facts.cost_bound = clamped(whole + static_cast<std::int64_t>(price * forced) - free_tests.steps_saved);
  facts.tests_bound =
      std::max<std::uint64_t>(facts.required > 0 ? 1 : 0, clamped(doubled - 2 * whole) + forced);
  facts.steps_bound = price == 0 ? facts.cost_bound : facts.required;
}

}  // namespace

std::unique_ptr<Suite> cover(const StateGraph& graph, const CoverOptions& options) {
  refuse_options(graph, options);
  const bool all = options.required.empty();
  const bool tests = options.minimize == CoverOptions::Minimize::tests;
  const std::uint64_t reset_cost = options.minimize == CoverOptions::Minimize::cost ? options.reset_cost : 0;
  SuiteFacts facts;
  facts.required =
      all ? graph.edges()
          : static_cast<std::uint64_t>(std::count(options.required.begin(), options.required.end(), true));
  std::vector<std::uint32_t> extra;
  std::vector<std::uint64_t> starts;
  {
    CoverFlow flow(graph, options.required, price_of_test(options));
    const bool optimal = solve(flow, options);
    CoverFlow::FreeTests free_tests;
    if (optimal && all && price_of_test(options) > 1) free_tests = flow.add_free_tests();
    std::optional<std::uint64_t> fewest_tests;
    if (!optimal && tests) fewest_tests = flow.finish_anyhow();
    flow.finish();
    starts = flow.starts();
    extra = flow.take_extra();
    const std::uint64_t attached = attach_rest(graph, options.required, shortest_ways(graph), extra, starts);
    fill_bounds(facts, options, flow, fewest_tests, attached, free_tests);
  }
  auto suite = std::make_unique<TourSuite>(graph, options.required, std::move(extra), std::move(starts));
  suite->length_max = options.length_max;
  suite->reset_cost = reset_cost;
  const SuiteCheck check = check_suite(graph, *suite, options.required, options.length_max,
                                       options.progress != nullptr ? &options.progress->tests_read : nullptr);
  GAINSAY_CHECK(check.wrong.empty(), check.wrong);
  GAINSAY_CHECK(check.missed == 0, "a suite covers what is required");
  facts.tests = check.tests;
  facts.steps = check.steps;
  facts.longest = check.longest;
  facts.covered = check.covered;
  facts.minimized = tests ? "tests"
                    : options.minimize == CoverOptions::Minimize::steps
                        ? "steps"
                        : fmt::format("reset={}", options.reset_cost);
  facts.cost = tests ? check.tests : check.steps + reset_cost * check.tests;
  if (options.length_max)
    facts.tests_bound =
        std::max(facts.tests_bound, (facts.steps_bound + *options.length_max - 1) / *options.length_max);
  GAINSAY_CHECK(facts.cost >= facts.cost_bound, "no suite costs less than the bound");
  suite->facts = std::move(facts);
  return suite;
}

}  // namespace gainsay
