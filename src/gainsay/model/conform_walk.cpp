#include <memory>

#include "gainsay/base/parallel.hpp"
#include "gainsay/model/conform_ways.hpp"

namespace gainsay {
namespace {

// Without a suite: every edge at the end of a shortest path. Edges by which a node is reached first are left out
// where others go on from there.
class EveryEdge final : public TestReader {
 public:
  explicit EveryEdge(const StateGraph& graph) : graph_(graph), paths_(graph) {}

  bool next(TestPath& test) override {
    while (node_ < graph_.nodes()) {
      while (edge_ < graph_.edges_end(node_)) {
        const GraphEdge edge = edge_++;
        const GraphNode to = graph_.to[edge];
        if (paths_.parent(to) == edge && graph_.degree(to) > 0) continue;
        test = paths_.path_over(node_, edge);
        return true;
      }
      ++node_;
    }
    return false;
  }

 private:
  const StateGraph& graph_;
  ShortestPaths paths_;
  GraphNode node_ = 0;
  GraphEdge edge_ = 0;
};

// Hands out tests in their order, some at a time.
class SharedTests {
 public:
  explicit SharedTests(TestReader& reader) : reader_(reader) {}

  // The number of the first; `tests` is empty where there are no more.
  std::uint64_t take(std::vector<TestPath>& tests) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t first = handed_out_;
    tests.resize(batch);
    std::size_t got = 0;
    while (got < batch && reader_.next(tests[got])) ++got;
    tests.resize(got);
    handed_out_ += got;
    return first;
  }

 private:
  static constexpr std::size_t batch = 256;
  TestReader& reader_;
  std::mutex mutex_;
  std::uint64_t handed_out_ = 0;
};

struct WalkCounts {
  std::uint64_t tests = 0;
  std::uint64_t steps = 0;
};

// One test; the number of steps that were made, and whether they all agreed.
bool walk_test(StepComparer& lockstep, const StateGraph& graph, const TestPath& test, std::size_t& done) {
  done = 0;
  if (!lockstep.begin(test.start)) return false;
  for (const GraphEdge edge : test.edges) {
    ++done;
    if (!lockstep.step(edge, graph.to[edge])) return false;
  }
  return true;
}

}  // namespace

void conform_walk(const ConformPlan& plan, const ConformOptions& options, ConformSights& sights,
                  ConformResult& result) {
  const StateGraph& graph = plan.graph();
  const Suite* suite = plan.subject().suite;
  const std::unique_ptr<TestReader> reader =
      suite != nullptr ? suite->read(graph) : std::make_unique<EveryEdge>(graph);
  SharedTests tests(*reader);
  std::vector<WalkCounts> counts(options.jobs);
  run_together(options.jobs, [&](unsigned worker) {
    const std::unique_ptr<StepComparer> comparer = make_comparer(plan);
    StepComparer& lockstep = *comparer;
    std::vector<TestPath> batch;
    while (!sights.stopped()) {
      const std::uint64_t first = tests.take(batch);
      if (batch.empty() || sights.enough_below(first)) return;
      WalkCounts made;
      for (std::size_t i = 0; i < batch.size(); ++i) {
        std::size_t done = 0;
        const bool same = walk_test(lockstep, graph, batch[i], done);
        ++made.tests;
        made.steps += done;
        if (same) continue;
        ConformSight sight{first + i, first + i, batch[i], lockstep.difference()};
        sight.path.edges.resize(done);
        sight.difference.event =
            done == 0 ? "the first state" : describe(*graph.event_of(sight.path.edges.back()));
        sights.add(std::move(sight));
      }
      counts[worker].tests += made.tests;
      counts[worker].steps += made.steps;
      if (options.progress != nullptr) {
        options.progress->tests += made.tests;
        options.progress->steps += made.steps;
      }
    }
  });
  for (const WalkCounts& each : counts) {
    result.tests += each.tests;
    result.steps += each.steps;
  }
  if (graph.edges() == 0) {  // no test begins, and the first state is all there is
    const std::unique_ptr<StepComparer> comparer = make_comparer(plan);
    TestPath nowhere{graph.initial.front(), {}};
    if (!comparer->begin(nowhere.start)) {
      ConformSight sight{0, std::nullopt, nowhere, comparer->difference()};
      sight.difference.event = "the first state";
      sights.add(std::move(sight));
    }
  }
  if (sights.stopped()) return;
  const bool whole = suite == nullptr || suite->facts.covered == graph.edges();
  result.edges = whole ? graph.edges() : suite->facts.covered;
}

}  // namespace gainsay
