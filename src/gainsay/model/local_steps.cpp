#include "gainsay/model/local_steps.hpp"

#include <algorithm>
#include <memory>

#include "gainsay/base/parallel.hpp"

namespace gainsay {
namespace {

// One worker's steps, with a small table before the big one.
class StepCollector {
 public:
  explicit StepCollector(const ConformPlan& plan) : plan_(plan), graph_(plan.graph()), recent_(recent_size) {
    for (std::size_t column = 0; column < graph_.columns.size(); ++column) {
      if (plan.pair_of_column(column) < plan.pairs().size())
        compared_.push_back(static_cast<std::uint32_t>(column));
    }
  }

  void scan(GraphNode begin, GraphNode end) {
    constexpr GraphEdge ahead = 24;  // rows of targets are all over the memory
    const GraphEdge last = graph_.edges_begin(end);
    for (GraphNode node = begin; node < end && why_not == nullptr; ++node) {
      const auto from = graph_.row(node);
      for (GraphEdge edge = graph_.edges_begin(node); edge < graph_.edges_end(node); ++edge) {
        if (edge + ahead < last) __builtin_prefetch(graph_.row(graph_.to[edge + ahead]).data());
        const std::uint32_t event = graph_.event[edge];
        const std::uint32_t column = plan_.column_of(event);
        if (column == ConformPlan::no_column) {
          why_not = "the graph has events that do not belong to one actor";
          return;
        }
        const auto to = graph_.row(graph_.to[edge]);
        for (const std::uint32_t other : compared_) {
          if (other != column && from[other] != to[other]) {
            why_not = "the graph has events that change several actors";
            return;
          }
        }
        note(from[column], event, to[column], column);
      }
    }
  }

  std::vector<LocalStep> steps;
  const char* why_not = nullptr;

 private:
  static constexpr int recent_bits = 14;
  static constexpr std::size_t recent_size = std::size_t{1} << recent_bits;
  struct Recent {
    std::uint64_t key = ~std::uint64_t{0};
    std::uint32_t next = 0;
  };

  void note(std::uint32_t value, std::uint32_t event, std::uint32_t next, std::uint32_t column) {
    const std::uint64_t key = LocalSteps::key_of(value, event);
    Recent& recent = recent_[(key * 0x9e3779b97f4a7c15ULL) >> (64 - recent_bits)];
    if (recent.key == key && recent.next == next) [[likely]]
      return;
    const auto [where, added] = known_.try_emplace(key, next);
    if (added) {
      steps.push_back({column, value, event, next});
    } else if (where->second != next) {
      why_not = "the graph has an event with several outcomes at one actor";
    }
    recent = {key, next};
  }

  const ConformPlan& plan_;
  const StateGraph& graph_;
  std::vector<std::uint32_t> compared_;
  std::vector<Recent> recent_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> known_;
};

}  // namespace

LocalSteps::LocalSteps(const ConformPlan& plan, const ConformOptions& options, std::string& why_not) {
  constexpr GraphNode chunk = 1U << 14U;
  const StateGraph& graph = plan.graph();
  if (!graph.has_values()) {
    why_not = "the graph has no state values";
    return;
  }
  std::vector<std::unique_ptr<StepCollector>> collectors;
  for (unsigned i = 0; i < options.jobs; ++i) collectors.push_back(std::make_unique<StepCollector>(plan));
  std::atomic<std::uint64_t> next{0};
  run_together(options.jobs, [&](unsigned worker) {
    for (;;) {
      const std::uint64_t begin = next.fetch_add(chunk);
      const bool stopped = options.stop != nullptr && options.stop->load(std::memory_order_relaxed);
      if (begin >= graph.nodes() || stopped || collectors[worker]->why_not != nullptr) return;
      const auto end = static_cast<GraphNode>(std::min<std::uint64_t>(begin + chunk, graph.nodes()));
      collectors[worker]->scan(static_cast<GraphNode>(begin), end);
      if (options.progress != nullptr)
        options.progress->edges += graph.edges_begin(end) - graph.edges_begin(static_cast<GraphNode>(begin));
    }
  });
  for (const auto& collector : collectors) {
    if (collector->why_not != nullptr) why_not = collector->why_not;
    steps_.insert(steps_.end(), collector->steps.begin(), collector->steps.end());
  }
  std::ranges::sort(steps_);
  const auto repeated = std::ranges::unique(steps_);
  steps_.erase(repeated.begin(), repeated.end());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const bool added = index_.emplace(key_of(steps_[i].value, steps_[i].event), i).second;
    if (!added) why_not = "the graph has an event with several outcomes at one actor";
  }
}

std::pair<std::size_t, std::size_t> LocalSteps::of(std::uint32_t column, std::uint32_t value) const {
  const auto less = [](const LocalStep& step, const std::pair<std::uint32_t, std::uint32_t>& key) {
    return std::pair(step.column, step.value) < key;
  };
  const auto begin = std::lower_bound(steps_.begin(), steps_.end(), std::pair(column, value), less);
  const auto end = std::lower_bound(begin, steps_.end(), std::pair(column, value + 1), less);
  return {static_cast<std::size_t>(begin - steps_.begin()), static_cast<std::size_t>(end - steps_.begin())};
}

}  // namespace gainsay
