#include "gainsay/explorer/liveness.hpp"

#include <algorithm>
#include <atomic>
#include <functional>

#include <fmt/format.h>

#include "gainsay/base/parallel.hpp"
#include "gainsay/execution/run/lasso.hpp"
#include "gainsay/explorer/counterexample.hpp"
#include "gainsay/explorer/fair_loops.hpp"
#include "gainsay/explorer/local_loops.hpp"
#include "gainsay/oracle/heat.hpp"

namespace gainsay {
namespace {

// An edge as it can be found again in another world.
struct EdgeName {
  std::uint64_t event = 0;  // 0: a fault
  std::vector<DataChoice> answers;
  std::uint64_t to = 0;  // fingerprint
};

// The states in which one condition is not cold, by their fingerprints.
struct HotNode {
  std::uint64_t fingerprint;
  const std::uint32_t* words;
  bool hot;
};
using HotIndex = boost::unordered_flat_map<std::uint64_t, std::uint32_t>;

// A part of the graph of these states: the edges of some of them. One thread's.
class GraphBuilder {
 public:
  GraphBuilder(Shared& shared, const std::vector<HotNode>& nodes, const HotIndex& index,
               const LivenessCondition& condition)
      : row_(condition.row),
        nodes_(nodes),
        index_(index),
        engine_(shared.kernel, shared.mutex),
        open_(engine_) {}

  // Those of the nodes [first, last).
  void add(std::uint32_t first, std::uint32_t last, FairGraph& graph) {
    graph_ = &graph;
    for (std::uint32_t node = first; node < last; ++node) {
      const RecordView record{nodes_[node].words};
      decode(record, engine_, world_);
      opened_ = open_.open(record, RecordRest(record, engine_.network));
      fingerprint_ = nodes_[node].fingerprint;
      engine_.network.enabled(world_, alternatives_);
      done_.clear();
      for (const Alternative& alternative : alternatives_.list) {
        if (alternative.kind == EventKind::stop) continue;
        add_action(node, alternative);
      }
      graph.node_actions_end.push_back(static_cast<std::uint32_t>(graph.actions.size()));
    }
  }

 private:
  void add_action(std::uint32_t node, const Alternative& alternative) {
    std::uint64_t event = 0;
    std::uint32_t actor = 0;
    if (engine_.network.is_obliged(alternative.kind)) {
      event = Network::obliged_class(alternative.kind, alternative.target);
      actor = obliged_numbers + 2 * alternative.target + (alternative.kind == EventKind::heal ? 1 : 0);
    } else if (is_ordinary(alternative.kind)) {
      actor = world_.pending[alternative.target].to;
      event = engine_.hash.class_of(world_.pending[alternative.target].envelope);
      // Equal messages lead to equal worlds, but for the causal past, the place and the time that they may carry.
      const bool again = std::find(done_.begin(), done_.end(), event) != done_.end();
      if (again && !engine_.network.causal() && !engine_.network.queued() && !engine_.network.timed()) return;
      done_.push_back(event);
    }
    const std::span<const Leaf> leaves = engine_.leaves_of(world_, alternative);
    if (leaves.empty()) add_edges(node, alternative, nullptr);
    for (const Leaf& leaf : leaves) add_edges(node, alternative, &leaf);
    graph_->actions.push_back({event, static_cast<std::uint32_t>(graph_->edges.size()), actor});
  }

  // One, or more where it is open whether what waited is late (simulated time).
  void add_edges(std::uint32_t node, const Alternative& alternative, const Leaf* leaf) {
    ChoicePath lateness;
    do {
      lateness.rewind();
      FairGraph::Edge edge;
      edge.from = node;
      bool hot = false;
      edge.to = leads_to(alternative, leaf, lateness, hot);
      if (hot) graph_->hot_edges.push_back(static_cast<std::uint32_t>(graph_->edges.size()));
      edge.answers_begin = static_cast<std::uint32_t>(graph_->answers.size());
      if (leaf != nullptr)
        graph_->answers.insert(graph_->answers.end(), leaf->answers.begin(), leaf->answers.end());
      graph_->answers.insert(graph_->answers.end(), lateness.answers().begin(), lateness.answers().end());
      edge.answers_end = static_cast<std::uint32_t>(graph_->answers.size());
      graph_->edges.push_back(edge);
    } while (lateness.advance());
  }

  // What fails is reported by the search itself. `hot`: there was heat on the way.
  std::uint32_t leads_to(const Alternative& alternative, const Leaf* leaf, Asker& asker, bool& hot) {
    std::uint64_t next = 0;
    // Between two notifications the monitor may be cold or hot for a moment, which no difference tells.
    const Extras* const extras = leaf != nullptr ? leaf->transition.extras : nullptr;
    const bool at_once = extras == nullptr || extras->notifications.size() < 2;
    if (std::uint64_t difference = 0; opened_ && at_once && open_.difference(alternative, leaf, difference)) {
      next = fingerprint_ + difference;
    } else {
      static const Leaf nothing;
      next_ = world_;
      next_.heat[row_] = {0, 0, no_step};
      StepResult result;
      try {
        engine_.stepper.step_known(next_, alternative, leaf != nullptr ? *leaf : nothing, asker, result);
      } catch (...) {
        (void)violation_of_exception(no_step);
        return FairGraph::outside;
      }
      if (result.failure != nullptr || next_.heat[row_].since != 0) return FairGraph::outside;
      hot = next_.heat[row_].hot_until > 0;
      next = engine_.hash.of(next_);
    }
    const auto found = index_.find(next != 0 ? next : 1);
    return found == index_.end() ? FairGraph::outside : found->second;
  }

  static constexpr std::uint32_t obliged_numbers = 1U << 24U;  // beyond all actors

  std::size_t row_;  // of the condition
  const std::vector<HotNode>& nodes_;
  const HotIndex& index_;
  Engine engine_;
  OpenRecord open_;
  bool opened_ = false;
  FairGraph* graph_ = nullptr;
  WorldState world_;
  WorldState next_;
  std::uint64_t fingerprint_ = 0;  // of world_
  Alternatives alternatives_;
  std::vector<std::uint64_t> done_;  // events of world_
};

// Puts `part` behind the graph.
void append(FairGraph& graph, const FairGraph& part) {
  const auto actions = static_cast<std::uint32_t>(graph.actions.size());
  const auto edges = static_cast<std::uint32_t>(graph.edges.size());
  const auto answers = static_cast<std::uint32_t>(graph.answers.size());
  for (const std::uint32_t end : part.node_actions_end) graph.node_actions_end.push_back(actions + end);
  for (const FairGraph::Action& action : part.actions)
    graph.actions.push_back({action.event, edges + action.edges_end, action.actor});
  for (const std::uint32_t edge : part.hot_edges) graph.hot_edges.push_back(edges + edge);
  for (FairGraph::Edge edge : part.edges) {
    edge.answers_begin += answers;
    edge.answers_end += answers;
    graph.edges.push_back(edge);
  }
  graph.answers.insert(graph.answers.end(), part.answers.begin(), part.answers.end());
}

// The whole graph, made by several threads; it does not depend on how many. Nothing, and why, where it was cut.
std::optional<FairGraph> build_graph(Shared& shared, const LivenessCondition& condition,
                                     const std::vector<HotNode>& nodes, unsigned workers,
                                     const std::function<StopReason(std::uint64_t bytes)>& over,
                                     StopReason& stopped) {
  HotIndex index;
  index.reserve(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) index.emplace(nodes[i].fingerprint, i);
  constexpr std::uint32_t part_nodes = 4096;
  const auto count = static_cast<std::uint32_t>(nodes.size());
  std::vector<FairGraph> parts((count + part_nodes - 1) / part_nodes);
  std::atomic<std::uint32_t> next_part{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<StopReason> reason{StopReason::none};
  run_together(static_cast<unsigned>(std::min<std::size_t>(workers, parts.size())), [&](unsigned) {
    GraphBuilder builder(shared, nodes, index, condition);
    while (reason == StopReason::none) {
      const std::uint32_t part = next_part++;
      if (part >= parts.size()) return;
      builder.add(part * part_nodes, std::min(count, (part + 1) * part_nodes), parts[part]);
      if (const StopReason why = over(bytes += parts[part].bytes()); why != StopReason::none) reason = why;
    }
  });
  stopped = reason;
  if (stopped != StopReason::none) return std::nullopt;
  FairGraph graph;
  for (FairGraph& part : parts) append(graph, std::exchange(part, {}));
  GAINSAY_CHECK(graph.nodes() == nodes.size(), "every node has its actions");
  for (const HotNode& node : nodes) graph.hot_nodes.push_back(node.hot);
  return graph;
}

// Walks the named edges from the state at the end of `steps`; appends what was executed.
bool walk(Shared& shared, WorldState& world, const std::vector<EdgeName>& edges,
          std::vector<Decision>& steps) {
  for (const EdgeName& edge : edges) {
    auto step = find_step(shared, world, [&](const Outcome& outcome) {
      if (outcome.result.failure != nullptr || outcome.answers != edge.answers) return false;
      std::uint64_t event = 0;
      if (is_ordinary(outcome.alternative.kind)) {
        event = shared.engine.hash.class_of(outcome.before.pending[outcome.alternative.target].envelope);
      } else if (shared.engine.network.is_obliged(outcome.alternative.kind)) {
        event = Network::obliged_class(outcome.alternative.kind, outcome.alternative.target);
      }
      return event == edge.event && shared.engine.hash.of(outcome.next) == edge.to;
    });
    if (!step) return false;
    steps.push_back(std::move(*step));
  }
  return true;
}

}  // namespace

LoopSearch::LoopSearch(Shared& shared, std::vector<const HotRecords*> hot, unsigned workers,
                       FairnessKind fairness, const Budget& budget)
    : shared_(shared), hot_(std::move(hot)), workers_(workers), fairness_(fairness), budget_(budget) {}

bool LoopSearch::may_loop(bool complete) {
  if (!complete) {  // what states do that were not expanded has not been asked for yet
    Engine& engine = shared_.engine;
    Front front(shared_.kernel, &shared_.mutex);
    WorldState world;
    Alternatives alternatives;
    for (const HotRecords* records : hot_) {
      records->each_of_last_levels([&](const std::uint32_t* words) {
        const RecordView record{words};
        const RecordRest rest(record, engine.network);
        const auto length = static_cast<std::size_t>(rest.end - words);
        if (rest.ready != nullptr && engine.network.only_pending() &&
            record.pending_count() <= OpenRecord::most) {
          places::each_place(bit_rows::load(rest.ready, rest.row), [&](std::uint32_t place) {
            const EnvelopeId envelope = record.pending()[place];
            (void)front.leaves(record.cells()[engine.network.route(envelope).to], envelope);
          });
          return length;
        }
        decode(record, engine, world);
        engine.network.enabled(world, alternatives);
        for (const Alternative& alternative : alternatives.list) {
          if (alternative.kind != EventKind::stop) (void)engine.leaves_of(world, alternative);
        }
        return length;
      });
    }
  }
  std::vector<LocalStep> steps = local_steps(shared_.kernel);
  keep_steps_on_loops(steps);
  return !steps.empty();
}

std::optional<FoundLoop> LoopSearch::find(const LivenessCondition& condition) {
  std::vector<HotNode> nodes;
  boost::unordered_flat_map<CellId, Heat> of_cells;  // a monitor's
  const auto heat_in = [&](const RecordView& record) {
    const StateReader reader(shared_.engine, record.cells());
    if (!condition.is_monitor()) return heat_of(shared_.blueprint, condition, reader);
    const auto [heat, added] = of_cells.try_emplace(record.cells()[condition.monitor.raw], Heat::cold);
    if (added) heat->second = heat_of(shared_.blueprint, condition, reader);
    return heat->second;
  };
  std::uint64_t held = 0;
  for (const HotRecords* records : hot_) {
    held += records->bytes();
    records->each([&](const std::uint32_t* words) {
      const RecordView record{words};
      const Heat heat = heat_in(record);
      if (heat != Heat::cold) nodes.push_back({record.fingerprint(), words, heat == Heat::hot});
      return record_words(record, shared_.engine.network);
    });
  }
  if (nodes.empty()) return std::nullopt;
  std::sort(nodes.begin(), nodes.end(),
            [](const HotNode& a, const HotNode& b) { return a.fingerprint < b.fingerprint; });
  held += nodes.capacity() * sizeof(HotNode) + nodes.size() * 28;
  std::atomic<std::uint64_t> most{0};
  const auto over = [&](std::uint64_t graph_bytes) {
    const std::uint64_t bytes = held + 2 * graph_bytes;  // what searching it takes is about as much
    for (std::uint64_t known = most; known < bytes && !most.compare_exchange_weak(known, bytes);) {
    }
    return budget_.over(bytes);
  };
  const std::optional<FairGraph> built = build_graph(shared_, condition, nodes, workers_, over, stopped_);
  bytes_ = std::max<std::uint64_t>(bytes_, most);
  if (!built) return std::nullopt;
  const FairGraph& graph = *built;

  // Of all fair components the state that is reached soonest; among those the least fingerprint.
  const std::vector<FairComponent> components = fair_components(graph, fairness_);
  const FairComponent* best = nullptr;
  std::uint32_t root = 0;
  std::uint16_t level = 0;
  for (const FairComponent& component : components) {
    for (const std::uint32_t node : component.nodes) {
      const std::uint16_t here = shared_.table.level_of(nodes[node].fingerprint);
      if (best != nullptr && here >= level) continue;
      best = &component;
      root = node;
      level = here;
    }
  }
  if (best == nullptr) return std::nullopt;

  std::vector<std::uint32_t> actions(graph.edges.size());
  for (std::uint32_t action = 0; action < graph.actions.size(); ++action) {
    for (std::uint32_t e = graph.edges_begin(action); e < graph.actions[action].edges_end; ++e)
      actions[e] = action;
  }
  bool all_along = true;
  std::vector<EdgeName> names;
  for (const std::uint32_t e : fair_loop(graph, *best, root, fairness_)) {
    const FairGraph::Edge& edge = graph.edges[e];
    all_along = all_along && graph.hot_nodes[edge.to];
    names.push_back({graph.actions[actions[e]].event,
                     {graph.answers.begin() + edge.answers_begin, graph.answers.begin() + edge.answers_end},
                     nodes[edge.to].fingerprint});
  }
  FoundLoop found;
  Sighting sighting;
  sighting.state = nodes[root].fingerprint;
  sighting.at_end = true;
  WorldState world;
  auto stem = shortest_execution(shared_, sighting, &world);
  if (!stem) return std::nullopt;
  found.steps = std::move(*stem);
  const auto from = static_cast<std::uint32_t>(found.steps.size());
  if (!walk(shared_, world, names, found.steps)) return std::nullopt;
  const StateReader reader(shared_.engine, world);
  found.violation.property = condition.name;
  found.violation.message = loop_text(
      endless_text(shared_.blueprint, condition, all_along) + heat_text(shared_.blueprint, condition, reader),
      from, found.steps.size(), fairness_, false);
  found.violation.fairness = fairness_;
  found.violation.step = static_cast<std::uint32_t>(found.steps.size() - 1);
  found.violation.loop_from = from;
  return found;
}

}  // namespace gainsay
