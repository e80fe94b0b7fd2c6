#include "gainsay/model/cover.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/model/cover_checkpoint.hpp"
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

CoverCheckpoint::Beside beside_flow(const StateGraph& graph, const CoverOptions& options) {
  Hasher edges;
  for (std::size_t e = 0; e < options.required.size(); ++e) {
    if (options.required[e]) edges.add(e);
  }
  return {graph.digest(), edges.finish(), price_of_test(options), 0};
}

// Rounds until the flow is optimal, near enough, or told to end. Whether it is optimal.
class Solver {
 public:
  Solver(CoverFlow& flow, const StateGraph& graph, const CoverOptions& options)
      : flow_(flow), options_(options) {
    if (options.checkpoint != nullptr) beside_ = beside_flow(graph, options);
    needs_before_ = flow.needs_left();
  }

  bool solve() {
    bool more = true;
    if (CoverCheckpoint* checkpoint = options_.checkpoint; checkpoint != nullptr && checkpoint->resumes()) {
      needs_before_ = checkpoint->restore(flow_, beside_);
      more = flow_.rounds() == 0 || !good_enough();
      needs_before_ = flow_.needs_left();
    } else if (checkpoint != nullptr) {
      keep();
    }
    while (more && flow_.round()) {
      show_progress();
      more = !good_enough() && !told_to_end();
      if (more && options_.checkpoint != nullptr) options_.checkpoint->keep_if_due(flow_, beside());
      if (more) needs_before_ = flow_.needs_left();
    }
    if (options_.checkpoint != nullptr) keep();
    return flow_.optimal();
  }

 private:
  bool anytime() const { return options_.minimize != CoverOptions::Minimize::tests; }

  bool good_enough() const {
    if (options_.gap_max <= 0) return false;
    if (anytime())
      return static_cast<double>(flow_.cost_doubled()) <=
             static_cast<double>(flow_.bound_doubled()) * (1 + options_.gap_max);
    // The number of tests is minimal in any case; with a gap, steps are improved only while that goes quickly.
    return needs_before_ - flow_.needs_left() < needs_before_ / 50;
  }

  bool told_to_end() const {
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) return true;
    return options_.time_max && Clock::now() - started_ >= *options_.time_max;
  }

  void show_progress() const {
    if (options_.progress == nullptr) return;
    options_.progress->rounds = flow_.rounds();
    options_.progress->needs_left = flow_.needs_left();
    options_.progress->cost = anytime() ? clamped(flow_.cost_doubled() / 2) : 0;
    options_.progress->bound = anytime() ? clamped(flow_.bound_doubled() / 2) : 0;
  }

  CoverCheckpoint::Beside beside() const {
    CoverCheckpoint::Beside now = beside_;
    now.needs_before = needs_before_;
    return now;
  }
  void keep() { options_.checkpoint->keep(flow_, beside()); }

  CoverFlow& flow_;
  const CoverOptions& options_;
  CoverCheckpoint::Beside beside_;  // but for the needs
  std::uint64_t needs_before_ = 0;
  const Clock::time_point started_ = Clock::now();
};

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
    const bool optimal = Solver(flow, graph, options).solve();
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
