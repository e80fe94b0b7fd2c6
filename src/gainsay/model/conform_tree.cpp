#include <algorithm>

#include <boost/unordered/unordered_flat_set.hpp>

#include "gainsay/base/parallel.hpp"
#include "gainsay/model/conform_ways.hpp"

namespace gainsay {
namespace {

// What the workers of a tree share.
//
// Twice through the tree of shortest paths: first along its own edges, to know in which state the implementation is at
// each node; then along all edges. An edge that leads to a known node in another state of the implementation has found
// something that the model does not tell apart. From there on every edge is executed again, until nothing new comes.
struct TreeShared {
  TreeShared(const ConformPlan& the_plan, const ConformOptions& the_options, const ShortestPaths& the_paths,
             ConformSights& the_sights)
      : plan(the_plan),
        graph(the_plan.graph()),
        options(the_options),
        paths(the_paths),
        sights(the_sights),
        states(graph.nodes(), 0) {}

  const ConformPlan& plan;
  const StateGraph& graph;
  const ConformOptions& options;
  const ShortestPaths& paths;
  ConformSights& sights;
  std::vector<std::uint64_t> states;  // by node: the implementation's fingerprint; 0: not reached
  std::mutex mutex;
  boost::unordered_flat_set<std::pair<GraphNode, std::uint64_t>> more;  // other states at nodes
  std::atomic<std::size_t> next{0};
};

class TreeWorker {
 public:
  explicit TreeWorker(TreeShared& shared)
      : shared_(shared), graph_(shared.graph), comparer_(make_comparer(shared.plan)), lockstep_(*comparer_) {}

  // The part of the tree below a node, no deeper than `depth_end`: nodes at that depth are not left.
  void work(GraphNode root, std::uint32_t depth_end, bool all_edges) {
    const TestPath way = shared_.paths.path_to(root);
    if (!go(way)) return;
    if (root == way.start) shared_.states[root] = lockstep_.fingerprint();
    path_ = way;
    descend(root, depth_end, all_edges);
  }

  std::uint64_t steps = 0;
  std::uint64_t edges = 0;

 private:
  struct Frame {
    GraphNode node;
    GraphEdge edge;
  };

  bool go(const TestPath& way) {
    if (!lockstep_.begin(way.start)) {
      if (way.edges.empty())
        shared_.sights.add({0, std::nullopt, way, named(lockstep_.difference(), "the first state")});
      return false;
    }
    for (const GraphEdge edge : way.edges) {
      if (!lockstep_.step(edge, graph_.to[edge])) return false;
    }
    return true;
  }
  static ConformDifference named(ConformDifference difference, std::string event) {
    difference.event = std::move(event);
    return difference;
  }
  std::uint64_t rank_of(GraphNode from, GraphEdge edge) const {
    return (std::uint64_t{shared_.paths.depth(from)} + 1) << 32U | edge;
  }
  ConformWorlds& kept(std::size_t level) {
    if (level == kept_.size()) kept_.emplace_back();
    return kept_[level];
  }

  void descend(GraphNode root, std::uint32_t depth_end, bool all_edges) {
    std::vector<Frame> frames{{root, graph_.edges_begin(root)}};
    const std::size_t prefix = path_.edges.size();
    kept(0) = lockstep_.worlds();
    while (!frames.empty()) {
      Frame& frame = frames.back();
      if (frame.edge == graph_.edges_end(frame.node)) {
        frames.pop_back();
        continue;
      }
      const GraphEdge edge = frame.edge++;
      const GraphNode from = frame.node;
      const GraphNode to = graph_.to[edge];
      const bool in_tree = shared_.paths.parent(to) == edge;
      if (!in_tree && !all_edges) continue;
      if (shared_.sights.enough_below(rank_of(from, edge)) || tired()) continue;
      path_.edges.resize(prefix + frames.size() - 1);
      path_.edges.push_back(edge);
      lockstep_.put_back(kept(frames.size() - 1));
      ++steps;
      edges += all_edges ? 1 : 0;
      if (!lockstep_.step(edge, to)) {
        see(from, edge);
        continue;
      }
      if (!all_edges) {
        shared_.states[to] = lockstep_.fingerprint();
      } else if (lockstep_.fingerprint() != shared_.states[to]) {
        go_on_from(to, lockstep_.fingerprint());
        continue;
      }
      if (!in_tree || graph_.degree(to) == 0 || shared_.paths.depth(to) >= depth_end) continue;
      kept(frames.size()) = lockstep_.worlds();
      frames.push_back({to, graph_.edges_begin(to)});
    }
  }

  // The implementation is in a state of its own: everything that can follow, wherever it leads.
  void go_on_from(GraphNode node, std::uint64_t state) {
    if (!is_new(node, state)) return;
    struct Place {
      GraphNode node;
      GraphEdge edge;
      ConformWorlds worlds;
    };
    const TestPath before = path_;
    std::vector<Place> places;
    places.push_back({node, graph_.edges_begin(node), lockstep_.worlds()});
    while (!places.empty()) {
      Place& place = places.back();
      if (place.edge == graph_.edges_end(place.node)) {
        places.pop_back();
        continue;
      }
      const GraphEdge edge = place.edge++;
      const GraphNode from = place.node;
      const GraphNode to = graph_.to[edge];
      if (shared_.sights.enough_below(rank_of(from, edge)) || tired()) continue;
      path_.edges.resize(before.edges.size() + places.size() - 1);
      path_.edges.push_back(edge);
      lockstep_.put_back(place.worlds);
      ++steps;
      if (!lockstep_.step(edge, to)) {
        see(from, edge);
        continue;
      }
      const std::uint64_t next = lockstep_.fingerprint();
      if (next == shared_.states[to] || !is_new(to, next)) continue;
      places.push_back({to, graph_.edges_begin(to), lockstep_.worlds()});
    }
    path_ = before;
  }

  bool is_new(GraphNode node, std::uint64_t state) {
    const std::lock_guard lock(shared_.mutex);
    return shared_.more.emplace(node, state).second;
  }
  void see(GraphNode from, GraphEdge edge) {
    shared_.sights.add({rank_of(from, edge), std::nullopt, path_,
                        named(lockstep_.difference(), describe(*graph_.event_of(edge)))});
  }
  // Looks at the flag now and then, and counts for whoever watches.
  bool tired() {
    if ((steps & 0xfffU) != 0) return stopped_;
    stopped_ = shared_.sights.stopped();
    if (shared_.options.progress != nullptr) {
      shared_.options.progress->steps += steps - told_steps_;
      shared_.options.progress->edges += edges - told_edges_;
      told_steps_ = steps;
      told_edges_ = edges;
    }
    return stopped_;
  }

  TreeShared& shared_;
  const StateGraph& graph_;
  std::unique_ptr<StepComparer> comparer_;
  StepComparer& lockstep_;
  TestPath path_;
  std::deque<ConformWorlds> kept_;  // by level below the root
  bool stopped_ = false;
  std::uint64_t told_steps_ = 0;
  std::uint64_t told_edges_ = 0;
};

}  // namespace

void conform_tree(const ConformPlan& plan, const ConformOptions& options, const ShortestPaths& paths,
                  ConformSights& sights, ConformResult& result) {
  TreeShared shared(plan, options, paths, sights);
  // The top of the tree is one piece of work, and what is below each node of some depth is another.
  constexpr std::size_t pieces_per_worker = 64;
  const std::vector<GraphNode>& order = paths.order();
  std::uint32_t cut = no_node;
  std::size_t cut_begin = 0;
  if (options.jobs > 1) {
    for (std::size_t at = 0; at < order.size();) {
      std::size_t end = at;
      while (end < order.size() && paths.depth(order[end]) == paths.depth(order[at])) ++end;
      cut = paths.depth(order[at]);
      cut_begin = at;
      if (end - at >= pieces_per_worker * options.jobs) break;
      at = end;
    }
  }
  std::size_t cut_end = cut_begin;
  while (cut != no_node && cut_end < order.size() && paths.depth(order[cut_end]) == cut) ++cut_end;

  std::vector<std::unique_ptr<TreeWorker>> workers;
  for (unsigned i = 0; i < options.jobs; ++i) workers.push_back(std::make_unique<TreeWorker>(shared));
  for (const bool all_edges : {false, true}) {
    for (const GraphNode initial : plan.graph().initial)
      workers.front()->work(initial, cut == no_node ? no_node : cut, all_edges);
    shared.next = cut_begin;
    if (cut == no_node || cut == 0) continue;
    run_together(options.jobs, [&](unsigned worker) {
      for (std::size_t at = shared.next++; at < cut_end && !sights.stopped(); at = shared.next++)
        workers[worker]->work(order[at], no_node, all_edges);
    });
  }
  for (const auto& worker : workers) {
    result.steps += worker->steps;
    result.edges += worker->edges;
  }
  result.more_states = shared.more.size();
}

}  // namespace gainsay
