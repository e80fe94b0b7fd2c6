#include "gainsay/model/conform.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "gainsay/base/parallel.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/model/conform_ways.hpp"

namespace gainsay {
namespace {

// What makes two differences the same one for a reader: who, which kind of event, which field.
std::string sort_of(const ConformDifference& difference) {
  std::string event = difference.event.substr(0, difference.event.find('{'));
  std::string field = difference.field.substr(0, difference.field.find('['));
  return fmt::format("{} {} {} {}", kind_name(difference.kind), difference.actor, event, field);
}

// The execution of the implementation that shows a difference.
TraceDocument trace_of(const ConformPlan& plan, const std::vector<Decision>& decisions,
                       const ConformDifference& difference) {
  const Scenario& scenario = plan.subject().implementation;
  Replay replay = replay_steps(plan.implementation(), decisions, std::max<std::size_t>(decisions.size(), 1));
  TraceDocument trace = std::move(replay.document);
  trace.scenario = scenario.name();
  trace.options = scenario.complete(plan.subject().options);
  trace.strategy = "conform";
  trace.steps_max = decisions.size();
  trace.violation = Violation{std::string(conformance_property), difference.text()};
  trace.violation->step = decisions.empty() ? no_step : static_cast<std::uint32_t>(decisions.size() - 1);
  trace.end = "violated";
  return trace;
}

// Runs a path; the difference, if there is one, gets the path up to it and a trace.
std::optional<ConformDifference> run_path(const ConformPlan& plan, const TestPath& path) {
  const std::unique_ptr<StepComparer> comparer = make_comparer(plan);
  StepComparer& lockstep = *comparer;
  lockstep.record(true);
  std::size_t done = 0;
  bool same = lockstep.begin(path.start);
  while (same && done < path.edges.size()) {
    const GraphEdge edge = path.edges[done++];
    same = lockstep.step(edge, plan.graph().to[edge]);
  }
  if (same) return std::nullopt;
  ConformDifference difference = lockstep.difference();
  difference.path = path;
  difference.path.edges.resize(done);
  difference.event = done == 0 ? "the first state" : describe(*plan.graph().event_of(path.edges[done - 1]));
  difference.trace = trace_of(plan, lockstep.decisions(), lockstep.difference());
  return difference;
}

// The nearest edge on which the same actor takes the same event in the same state.
std::optional<TestPath> shortest_like(const ConformPlan& plan, const ShortestPaths& paths,
                                      const TestPath& path) {
  const StateGraph& graph = plan.graph();
  if (path.edges.empty() || !graph.has_values()) return std::nullopt;
  const GraphEdge seen = path.edges.back();
  const std::uint32_t event = graph.event[seen];
  const std::uint32_t column = plan.column_of(event);
  if (column == ConformPlan::no_column) return std::nullopt;
  const std::uint32_t value = graph.row(graph.from(seen))[column];
  for (const GraphNode node : paths.order()) {
    if (graph.row(node)[column] != value) continue;
    const auto begin = graph.event.begin() + graph.edges_begin(node);
    const auto end = graph.event.begin() + graph.edges_end(node);
    const auto found =
        std::lower_bound(begin, end, event);  // edges of a node are in the order of their events
    if (found != end && *found == event)
      return paths.path_over(node, static_cast<GraphEdge>(found - graph.event.begin()));
  }
  return std::nullopt;
}

ConformDifference on_shortest_path(const ConformPlan& plan, const ShortestPaths& paths, ConformSight& sight) {
  std::vector<TestPath> candidates;
  if (auto like = shortest_like(plan, paths, sight.path)) candidates.push_back(std::move(*like));
  if (!sight.path.edges.empty()) {
    const GraphEdge last = sight.path.edges.back();
    candidates.push_back(paths.path_over(plan.graph().from(last), last));
  }
  std::optional<ConformDifference> shown;
  for (const TestPath& candidate : candidates) {
    if (candidate.edges.size() > sight.path.edges.size()) continue;
    shown = run_path(plan, candidate);
    if (shown) break;
  }
  if (!shown) {
    shown = run_path(plan, sight.path);
    if (shown) shown->shortest = candidates.empty();
  }
  if (!shown)
    throw UserError(
        fmt::format("a difference at '{}' did not show again when the same events were repeated: the "
                    "implementation depends on more than its events",
                    sight.difference.event));
  shown->test = sight.test;
  shown->test_step = sight.path.edges.size();
  return *shown;
}

}  // namespace

std::string_view way_name(ConformWay way) {
  constexpr std::string_view names[] = {"walk", "tree", "local"};
  return names[static_cast<std::size_t>(way)];
}

std::string_view kind_name(ConformDifference::Kind kind) {
  constexpr std::string_view names[] = {"state",          "missing effect", "extra effect", "refused event",
                                        "accepted event", "question",       "failure"};
  return names[static_cast<std::size_t>(kind)];
}

std::string ConformDifference::text() const {
  switch (kind) {
    case Kind::state:
      return fmt::format("{}.{} is {}, but {} in the model", actor, field, got, expected);
    case Kind::missing_effect:
      return fmt::format("the model sends {}, the implementation does not", expected);
    case Kind::extra_effect:
      return fmt::format("the implementation sends {}, the model does not", got);
    case Kind::refused:
    case Kind::accepted:
      return fmt::format("in the model {}, in the implementation {}", expected, got);
    case Kind::question:
      return fmt::format("{} makes the choices {}, but {} in the model", actor, got, expected);
    case Kind::failure:
      return fmt::format("the implementation fails at {}: {}", actor, got);
  }
  return "";
}

void ConformSights::add(ConformSight sight) {
  const std::string sort = sort_of(sight.difference);
  const std::lock_guard lock(mutex_);
  if (options_.progress != nullptr) ++options_.progress->differences;
  const auto known = std::ranges::find_if(
      sights_, [&](const ConformSight& each) { return sort_of(each.difference) == sort; });
  if (known != sights_.end()) {
    if (known->rank <= sight.rank) return;
    *known = std::move(sight);
  } else {
    sights_.push_back(std::move(sight));
  }
  std::ranges::stable_sort(sights_, {}, &ConformSight::rank);
  if (sights_.size() > most_) sights_.resize(most_);
  if (sights_.size() == most_) bound_ = sights_.back().rank;
}

std::vector<ConformSight> ConformSights::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(sights_, {});
}

ConformResult conform(const ConformSubject& subject, const ConformOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  GAINSAY_CHECK(options.jobs > 0 && options.differences_max > 0, "somebody works, for something");
  const ConformPlan plan(subject);
  ConformResult result;
  result.way = options.way;
  ConformSights sights(options, options.differences_max);
  if (options.way != ConformWay::walk && !plan.value_actors())
    throw UserError(fmt::format("'{}' has opaque actors (world.wrap), which cannot be copied: use --way walk",
                                subject.implementation.name()));
  std::optional<ShortestPaths> paths;
  const auto shortest = [&]() -> const ShortestPaths& {
    if (!paths) paths.emplace(subject.graph);
    return *paths;
  };
  if (options.way == ConformWay::walk) {
    conform_walk(plan, options, sights, result);
  } else if (options.way == ConformWay::tree || !conform_local(plan, options, sights, result)) {
    result.way = ConformWay::tree;
    conform_tree(plan, options, shortest(), sights, result);
  }
  for (ConformSight& sight : sights.take())
    result.differences.push_back(on_shortest_path(plan, shortest(), sight));
  if (sights.stopped()) result.incomplete_because = "interrupted";
  result.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

ConformResult conform_at_random(const ConformSubject& subject, const ConformWalks& walks,
                                const ConformOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const ConformPlan plan(subject);
  if (plan.of_tlc()) throw UserError("random walks need a model that is a scenario");
  ConformResult result;
  ConformSights sights(options, options.differences_max);
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint64_t> tests{0};
  run_together(options.jobs, [&](unsigned) {
    Lockstep lockstep(plan);
    lockstep.record(true);
    for (std::uint64_t walk = next++; walk < walks.walks && !sights.stopped(); walk = next++) {
      Rng rng(walks.seed, walk);
      bool same = lockstep.begin(0);
      std::uint64_t made = 0;
      std::string event = same ? "" : "the first state";
      while (same && made < walks.steps_max) {
        same = lockstep.step_at_random(rng);
        event = lockstep.random_event();
        made += event.empty() ? 0 : 1;
      }
      steps += made;
      ++tests;
      if (options.progress != nullptr) {
        options.progress->steps += made;
        ++options.progress->tests;
      }
      // Walks are numbered below 2^40, and a shorter one counts more.
      const std::uint64_t rank = made << 40U | walk;
      if (event.empty() || same || sights.enough_below(rank)) continue;
      ConformSight sight{rank, walk, {}, lockstep.difference()};
      sight.difference.event = event;
      sight.difference.test_step = made;
      sight.difference.trace = trace_of(plan, lockstep.decisions(), lockstep.difference());
      sights.add(std::move(sight));
    }
  });
  result.tests = tests;
  result.steps = steps;
  for (ConformSight& sight : sights.take()) {
    sight.difference.test = sight.test;
    sight.difference.shortest = false;
    result.differences.push_back(std::move(sight.difference));
  }
  result.incomplete_because = sights.stopped() ? "interrupted" : "random walks";
  result.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

std::optional<ConformDifference> conform_path(const ConformSubject& subject, const TestPath& path) {
  return run_path(ConformPlan(subject), path);
}

}  // namespace gainsay
