#include "gainsay/explorer/liveness.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/execution/run/lasso.hpp"
#include "gainsay/explorer/counterexample.hpp"
#include "gainsay/explorer/fair_loops.hpp"

namespace gainsay {
namespace {

// An edge as it can be found again in another world.
struct EdgeName {
  std::uint64_t event = 0;  // 0: a fault
  std::vector<DataChoice> answers;
  std::uint64_t to = 0;  // fingerprint
};

// The graph of the states in which one monitor is hot.
class GraphBuilder {
 public:
  GraphBuilder(Shared& shared, std::vector<std::pair<std::uint64_t, const std::uint32_t*>> nodes)
      : shared_(shared),
        difference_(shared.engine.front, shared.engine.network, shared.engine.hash),
        nodes_(std::move(nodes)) {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) index_.emplace(nodes_[i].first, i);
  }

  // False where it was cut.
  template <class GoOn> bool build(const GoOn& go_on) {
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      if (node % 256 == 0 && !go_on(graph.bytes())) return false;
      decode(RecordView{nodes_[node].second}, shared_.engine, world_);
      fingerprint_ = nodes_[node].first;
      difference_.prepare(world_);
      shared_.engine.network.enabled(world_, alternatives_);
      std::vector<std::uint64_t> done;
      for (const Alternative& alternative : alternatives_.list) {
        if (alternative.kind == EventKind::stop) continue;
        add_action(node, alternative, done);
      }
      graph.node_actions_end.push_back(static_cast<std::uint32_t>(graph.actions.size()));
    }
    return true;
  }

  FairGraph graph;

 private:
  void add_action(std::uint32_t node, const Alternative& alternative, std::vector<std::uint64_t>& done) {
    std::uint64_t event = 0;
    if (is_ordinary(alternative.kind)) {
      event = shared_.engine.hash.class_of(world_.pending[alternative.target].envelope);
      // Equal messages lead to equal worlds, but for the causal past and the time that they may carry.
      const bool again = std::find(done.begin(), done.end(), event) != done.end();
      if (again && !shared_.engine.network.causal() && !shared_.engine.network.timed()) return;
      done.push_back(event);
    }
    const std::span<const Leaf> leaves = shared_.engine.leaves_of(world_, alternative);
    if (leaves.empty()) add_edges(node, alternative, nullptr);
    for (const Leaf& leaf : leaves) add_edges(node, alternative, &leaf);
    graph.actions.push_back({event, static_cast<std::uint32_t>(graph.edges.size())});
  }

  // One, or more where it is open whether what waited is late (simulated time).
  void add_edges(std::uint32_t node, const Alternative& alternative, const Leaf* leaf) {
    ChoicePath lateness;
    do {
      lateness.rewind();
      FairGraph::Edge edge;
      edge.from = node;
      edge.to = leads_to(alternative, leaf, lateness);
      edge.answers_begin = static_cast<std::uint32_t>(graph.answers.size());
      if (leaf != nullptr)
        graph.answers.insert(graph.answers.end(), leaf->answers.begin(), leaf->answers.end());
      graph.answers.insert(graph.answers.end(), lateness.answers().begin(), lateness.answers().end());
      edge.answers_end = static_cast<std::uint32_t>(graph.answers.size());
      graph.edges.push_back(edge);
    } while (lateness.advance());
  }

  // What fails is reported by the search itself.
  std::uint32_t leads_to(const Alternative& alternative, const Leaf* leaf, Asker& asker) {
    std::uint64_t next = 0;
    if (const auto difference = difference_.of(alternative, leaf)) {
      next = fingerprint_ + *difference;
    } else {
      static const Leaf nothing;
      next_ = world_;
      StepResult result;
      try {
        shared_.engine.stepper.step_known(next_, alternative, leaf != nullptr ? *leaf : nothing, asker,
                                          result);
      } catch (...) {
        (void)violation_of_exception(no_step);
        return FairGraph::outside;
      }
      if (result.failure != nullptr) return FairGraph::outside;
      next = shared_.engine.hash.of(next_);
    }
    const auto found = index_.find(next != 0 ? next : 1);
    return found == index_.end() ? FairGraph::outside : found->second;
  }

  Shared& shared_;
  HashDifference difference_;
  std::vector<std::pair<std::uint64_t, const std::uint32_t*>> nodes_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> index_;
  WorldState world_;
  WorldState next_;
  std::uint64_t fingerprint_ = 0;  // of world_
  Alternatives alternatives_;
};

// Walks the named edges from the state at the end of `steps`; appends what was executed.
bool walk(Shared& shared, WorldState& world, const std::vector<EdgeName>& edges,
          std::vector<Decision>& steps) {
  for (const EdgeName& edge : edges) {
    auto step = find_step(shared, world, [&](const Outcome& outcome) {
      if (outcome.result.failure != nullptr || outcome.answers != edge.answers) return false;
      const std::uint64_t event =
          is_ordinary(outcome.alternative.kind)
              ? shared.engine.hash.class_of(outcome.before.pending[outcome.alternative.target].envelope)
              : 0;
      return event == edge.event && shared.engine.hash.of(outcome.next) == edge.to;
    });
    if (!step) return false;
    steps.push_back(std::move(*step));
  }
  return true;
}

}  // namespace

LoopSearch::LoopSearch(Shared& shared, std::vector<std::uint32_t> hot, std::uint64_t bytes_max,
                       std::function<bool()> stopped)
    : shared_(shared), hot_(std::move(hot)), bytes_max_(bytes_max), stopped_(std::move(stopped)) {
  for (std::size_t at = 0; at < hot_.size();) {
    const RecordView record{hot_.data() + at};
    nodes_.push_back({record.fingerprint(), record.words});
    at += record_words(record, shared_.engine.network);
  }
  std::sort(nodes_.begin(), nodes_.end(),
            [](const Node& a, const Node& b) { return a.fingerprint < b.fingerprint; });
}

std::optional<FoundLoop> LoopSearch::find(Slot monitor) {
  const ActorPlan& plan = shared_.blueprint.actors[monitor];
  std::vector<std::pair<std::uint64_t, const std::uint32_t*>> nodes;
  for (const Node& node : nodes_) {
    if (plan.type->hot(shared_.kernel.cell(RecordView{node.words}.cells()[monitor]).data))
      nodes.emplace_back(node.fingerprint, node.words);
  }
  if (nodes.empty()) return std::nullopt;
  const std::uint64_t held = hot_.capacity() * sizeof(std::uint32_t) + nodes_.capacity() * sizeof(Node) +
                             nodes.capacity() * sizeof(nodes[0]) + nodes.size() * 28;
  GraphBuilder builder(shared_, nodes);
  const bool whole = builder.build([&](std::uint64_t graph_bytes) {
    bytes_ = std::max(bytes_, held + 2 * graph_bytes);  // what searching it takes is about as much
    out_of_memory_ = bytes_ > bytes_max_;
    interrupted_ = stopped_();
    return !out_of_memory_ && !interrupted_;
  });
  if (!whole) return std::nullopt;

  // Of all fair components the state that is reached soonest; among those the least fingerprint.
  const std::vector<FairComponent> components = fair_components(builder.graph);
  const FairComponent* best = nullptr;
  std::uint32_t root = 0;
  std::uint16_t level = 0;
  for (const FairComponent& component : components) {
    for (const std::uint32_t node : component.nodes) {
      const std::uint16_t here = shared_.table.level_of(nodes[node].first);
      if (best != nullptr && here >= level) continue;
      best = &component;
      root = node;
      level = here;
    }
  }
  if (best == nullptr) return std::nullopt;

  std::vector<std::uint32_t> actions(builder.graph.edges.size());
  for (std::uint32_t action = 0; action < builder.graph.actions.size(); ++action) {
    for (std::uint32_t e = builder.graph.edges_begin(action); e < builder.graph.actions[action].edges_end;
         ++e)
      actions[e] = action;
  }
  std::vector<EdgeName> names;
  for (const std::uint32_t e : fair_loop(builder.graph, *best, root)) {
    const FairGraph::Edge& edge = builder.graph.edges[e];
    names.push_back({builder.graph.actions[actions[e]].event,
                     {builder.graph.answers.begin() + edge.answers_begin,
                      builder.graph.answers.begin() + edge.answers_end},
                     nodes[edge.to].first});
  }
  FoundLoop found;
  Sighting sighting;
  sighting.state = nodes[root].first;
  sighting.at_end = true;
  WorldState world;
  auto stem = shortest_execution(shared_, sighting, &world);
  if (!stem) return std::nullopt;
  found.steps = std::move(*stem);
  const auto from = static_cast<std::uint32_t>(found.steps.size());
  if (!walk(shared_, world, names, found.steps)) return std::nullopt;
  const StateReader reader(shared_.engine, world);
  found.violation.property = plan.name;
  found.violation.message = loop_text(heat_text(reader, shared_.kernel.directory().id_of(monitor)), from,
                                      found.steps.size(), false);
  found.violation.step = static_cast<std::uint32_t>(found.steps.size() - 1);
  found.violation.loop_from = from;
  return found;
}

}  // namespace gainsay
