#include "gainsay/explorer/fair_loops.hpp"

#include <algorithm>
#include <deque>
#include <set>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/explorer/components.hpp"

namespace gainsay {
namespace {

class Refinement {
 public:
  // Without the nodes that are `left_out`; empty: with all of them.
  explicit Refinement(const FairGraph& graph, const std::vector<bool>& left_out = {})
      : graph_(graph), alive_(graph.edges.size()) {
    for (std::size_t e = 0; e < alive_.size(); ++e) {
      const FairGraph::Edge& edge = graph.edges[e];
      alive_[e] =
          edge.to != FairGraph::outside && (left_out.empty() || (!left_out[edge.from] && !left_out[edge.to]));
    }
    do {
      find_components();
      for (std::size_t e = 0; e < alive_.size(); ++e) {
        const FairGraph::Edge& edge = graph_.edges[e];
        if (alive_[e] && component_[edge.from] != component_[edge.to]) alive_[e] = false;
      }
    } while (drop_loaded_coins());
  }

  bool alive(std::size_t edge) const { return alive_[edge]; }
  const std::vector<std::uint32_t>& component() const { return component_; }

 private:
  void find_components() {
    component_ = strong_components(
        static_cast<std::uint32_t>(graph_.nodes()), [&](std::uint32_t node) { return edges_begin(node); },
        [&](std::uint32_t node) { return edges_end(node); },
        [&](std::uint32_t edge) { return alive_[edge] ? graph_.edges[edge].to : no_node; });
  }

  std::uint32_t edges_begin(std::size_t node) const { return graph_.edges_begin(graph_.actions_begin(node)); }
  std::uint32_t edges_end(std::size_t node) const {
    return graph_.edges_begin(graph_.node_actions_end[node]);
  }

  bool drop_loaded_coins() {
    bool dropped = false;
    for (std::size_t action = 0; action < graph_.actions.size(); ++action) {
      const std::uint32_t begin = graph_.edges_begin(action);
      const std::uint32_t end = graph_.actions[action].edges_end;
      if (end - begin < 2) continue;  // nothing was asked
      keep(begin, end, 0, dropped);
    }
    return dropped;
  }

  // Whether, once the answers so far were given, the handler can be left within the component whatever coins say.
  // The edges [begin, end) share their first `depth` answers.
  bool keep(std::uint32_t begin, std::uint32_t end, std::uint32_t depth, bool& dropped) {
    if (begin == end) return false;
    const auto answer = [&](std::uint32_t edge) {
      return graph_.answers[graph_.edges[edge].answers_begin + depth];
    };
    if (graph_.edges[begin].answers_begin + depth == graph_.edges[begin].answers_end) return alive_[begin];
    const DataChoice first = answer(begin);
    bool all = true;
    bool any = false;
    std::uint32_t outcomes = 0;
    for (std::uint32_t at = begin; at < end; ++outcomes) {
      std::uint32_t next = at + 1;
      while (next < end && answer(next).answer == answer(at).answer) ++next;
      const bool kept = keep(at, next, depth + 1, dropped);
      all = all && kept;
      any = any || kept;
      at = next;
    }
    all = all && outcomes == first.among;
    const bool kept = first.coin ? all : any;
    if (kept) return true;
    for (std::uint32_t edge = begin; edge < end; ++edge) {
      dropped = dropped || alive_[edge];
      alive_[edge] = false;
    }
    return false;
  }

  const FairGraph& graph_;
  std::vector<bool> alive_;
  std::vector<std::uint32_t> component_;
};

std::vector<std::uint64_t> keys_of(const FairGraph& graph, std::uint32_t node, FairnessKind fairness) {
  std::vector<std::uint64_t> events;
  for (std::uint32_t a = graph.actions_begin(node); a < graph.node_actions_end[node]; ++a) {
    if (graph.actions[a].event != 0) events.push_back(graph.actions[a].key(fairness));
  }
  std::sort(events.begin(), events.end());
  events.erase(std::unique(events.begin(), events.end()), events.end());
  return events;
}

bool has_event(const FairGraph& graph, std::uint32_t node, std::uint64_t event) {
  for (std::uint32_t a = graph.actions_begin(node); a < graph.node_actions_end[node]; ++a) {
    if (graph.actions[a].event == event) return true;
  }
  return false;
}

// The action that each edge belongs to.
std::vector<std::uint32_t> actions_of_edges(const FairGraph& graph) {
  std::vector<std::uint32_t> actions(graph.edges.size());
  for (std::uint32_t action = 0; action < graph.actions.size(); ++action) {
    for (std::uint32_t e = graph.edges_begin(action); e < graph.actions[action].edges_end; ++e)
      actions[e] = action;
  }
  return actions;
}

bool weakly_fair(const FairGraph& graph, const FairComponent& component,
                 const std::vector<std::uint32_t>& actions) {
  boost::unordered_flat_set<std::uint64_t> executed;
  for (const std::uint32_t edge : component.edges) executed.insert(graph.actions[actions[edge]].event);
  for (const std::uint64_t event : keys_of(graph, component.nodes.front(), FairnessKind::weak)) {
    if (executed.contains(event)) continue;
    const bool everywhere = std::all_of(component.nodes.begin(), component.nodes.end(),
                                        [&](std::uint32_t node) { return has_event(graph, node, event); });
    if (everywhere) return false;
  }
  return true;
}

// Marks the nodes of a component that a strongly fair schedule leaves for ever; false: there are none.
bool leave_out_unfair(const FairGraph& graph, const FairComponent& component, FairnessKind fairness,
                      const std::vector<std::uint32_t>& actions, std::vector<bool>& left_out) {
  boost::unordered_flat_set<std::uint64_t> executed;
  for (const std::uint32_t edge : component.edges)
    executed.insert(graph.actions[actions[edge]].key(fairness));
  bool any = false;
  for (const std::uint32_t node : component.nodes) {
    for (const std::uint64_t key : keys_of(graph, node, fairness)) {
      if (executed.contains(key)) continue;
      left_out[node] = true;
      any = true;
    }
  }
  return any;
}

// The components that can be walked for ever, fair or not.
std::vector<FairComponent> components_of(const FairGraph& graph, const Refinement& refined) {
  // Most nodes are alone, with no edge that stays.
  std::vector<bool> walked(graph.nodes(), false);  // by component
  for (std::uint32_t edge = 0; edge < graph.edges.size(); ++edge) {
    if (refined.alive(edge)) walked[refined.component()[graph.edges[edge].from]] = true;
  }
  boost::unordered_flat_map<std::uint32_t, std::size_t> place;
  std::vector<FairComponent> components;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    if (!walked[refined.component()[node]]) continue;
    const auto [where, added] = place.try_emplace(refined.component()[node], components.size());
    if (added) components.emplace_back();
    components[where->second].nodes.push_back(node);
  }
  for (std::uint32_t edge = 0; edge < graph.edges.size(); ++edge) {
    if (refined.alive(edge))
      components[place[refined.component()[graph.edges[edge].from]]].edges.push_back(edge);
  }
  return components;
}

bool is_hot_edge(const FairGraph& graph, std::uint32_t edge) {
  return std::binary_search(graph.hot_edges.begin(), graph.hot_edges.end(), edge);
}

bool is_hot_somewhere(const FairGraph& graph, const FairComponent& component) {
  if (graph.hot_nodes.empty()) return true;
  return std::any_of(component.nodes.begin(), component.nodes.end(),
                     [&](std::uint32_t node) { return graph.hot_nodes[node]; }) ||
         std::any_of(component.edges.begin(), component.edges.end(),
                     [&](std::uint32_t edge) { return is_hot_edge(graph, edge); });
}

std::vector<FairComponent> strongly_fair_components(const FairGraph& graph, FairnessKind fairness,
                                                    const std::vector<std::uint32_t>& actions) {
  std::vector<bool> left_out(graph.nodes(), false);
  while (true) {
    std::vector<FairComponent> components = components_of(graph, Refinement(graph, left_out));
    bool again = false;
    for (const FairComponent& component : components)
      again = leave_out_unfair(graph, component, fairness, actions, left_out) || again;
    if (!again) return components;
  }
}

}  // namespace

std::vector<FairComponent> fair_components(const FairGraph& graph, FairnessKind fairness) {
  const std::vector<std::uint32_t> actions = actions_of_edges(graph);
  std::vector<FairComponent> components;
  if (fairness == FairnessKind::weak) {
    components = components_of(graph, Refinement(graph));
    std::erase_if(components, [&](const FairComponent& component) {
      return component.edges.empty() || !weakly_fair(graph, component, actions);
    });
  } else {
    components = strongly_fair_components(graph, fairness, actions);
  }
  std::erase_if(components,
                [&](const FairComponent& component) { return !is_hot_somewhere(graph, component); });
  return components;
}

namespace {

// Walks a component until nothing is owed.
class LoopWalk {
 public:
  LoopWalk(const FairGraph& graph, const FairComponent& component, std::uint32_t root, FairnessKind fairness)
      : graph_(graph), fairness_(fairness), actions_(actions_of_edges(graph)), root_(root), at_(root) {
    for (const std::uint32_t edge : component.edges) edges_from_[graph.edges[edge].from].push_back(edge);
    for (const std::uint64_t key : keys_of(graph, root, fairness)) owed_events_.insert(key);
    owes_heat_ = !graph.hot_nodes.empty() && !graph.hot_nodes[root];
  }

  std::vector<std::uint32_t> walk() {
    while (owes() || at_ != root_ || taken_.empty()) {
      const bool nothing_owed = !owes();
      go([&](std::uint32_t edge) {
        if (nothing_owed) return graph_.edges[edge].to == root_;
        return pays(edge);
      });
    }
    return std::move(taken_);
  }

 private:
  // Where a coin was flipped: the action and the answers before it. With the outcome that is owed.
  using Coin = std::pair<std::uint64_t, std::uint32_t>;

  template <class Visit> void each_coin(std::uint32_t edge, const Visit& visit) const {
    std::uint64_t place = mix(0x636f696eULL, actions_[edge]);
    for (std::uint32_t i = graph_.edges[edge].answers_begin; i < graph_.edges[edge].answers_end; ++i) {
      const DataChoice& choice = graph_.answers[i];
      if (choice.coin) visit(place, choice.answer);
      place = mix(place + 1, choice.answer + 1ULL);
    }
  }

  bool owes() const { return !owed_events_.empty() || !owed_coins_.empty() || owes_heat_; }
  std::uint64_t key_of(std::uint32_t edge) const { return graph_.actions[actions_[edge]].key(fairness_); }
  bool is_hot(std::uint32_t edge) const {
    return !graph_.hot_nodes.empty() &&
           (graph_.hot_nodes[graph_.edges[edge].to] || is_hot_edge(graph_, edge));
  }

  bool pays(std::uint32_t edge) const {
    if (owed_events_.contains(key_of(edge)) || (owes_heat_ && is_hot(edge))) return true;
    if (fairness_ == FairnessKind::weak) {
      for (const std::uint64_t event : owed_events_) {
        if (!has_event(graph_, graph_.edges[edge].to, event)) return true;
      }
    }
    bool paid = false;
    each_coin(edge, [&](std::uint64_t place, std::uint32_t outcome) {
      paid = paid || owed_coins_.contains({place, outcome});
    });
    return paid;
  }

  void take(std::uint32_t edge) {
    taken_.push_back(edge);
    at_ = graph_.edges[edge].to;
    owed_events_.erase(key_of(edge));
    if (is_hot(edge)) owes_heat_ = false;
    if (fairness_ == FairnessKind::weak) {
      std::erase_if(owed_events_, [&](std::uint64_t event) { return !has_event(graph_, at_, event); });
    } else {
      executed_.insert(key_of(edge));
      for (const std::uint64_t key : keys_of(graph_, at_, fairness_)) {
        if (!executed_.contains(key)) owed_events_.insert(key);
      }
    }
    each_coin(edge, [&](std::uint64_t place, std::uint32_t outcome) {
      seen_coins_.insert({place, outcome});
      owed_coins_.erase({place, outcome});
      if (!seen_coins_.contains({place, 1 - outcome})) owed_coins_.insert({place, 1 - outcome});
    });
  }

  // Takes a shortest path whose last edge is wanted.
  template <class Wanted> void go(const Wanted& wanted) {
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> came_by;  // node: edge
    std::deque<std::uint32_t> queue{at_};
    while (!queue.empty()) {
      const std::uint32_t node = queue.front();
      queue.pop_front();
      for (const std::uint32_t edge : edges_from_[node]) {
        if (wanted(edge)) {
          std::vector<std::uint32_t> path{edge};
          for (std::uint32_t back = node; back != at_; back = graph_.edges[came_by[back]].from)
            path.push_back(came_by[back]);
          for (auto it = path.rbegin(); it != path.rend(); ++it) take(*it);
          return;
        }
        const std::uint32_t to = graph_.edges[edge].to;
        if (to != at_ && came_by.try_emplace(to, edge).second) queue.push_back(to);
      }
    }
    GAINSAY_CHECK(false, "what a fair component owes can be paid within it");
  }

  const FairGraph& graph_;
  FairnessKind fairness_;
  std::vector<std::uint32_t> actions_;
  boost::unordered_flat_map<std::uint32_t, std::vector<std::uint32_t>> edges_from_;
  std::uint32_t root_;
  std::uint32_t at_;
  std::set<std::uint64_t> owed_events_;  // by key
  std::set<std::uint64_t> executed_;     // by key; strong, actor
  bool owes_heat_ = false;
  std::set<Coin> owed_coins_;
  std::set<Coin> seen_coins_;
  std::vector<std::uint32_t> taken_;
};

}  // namespace

std::vector<std::uint32_t> fair_loop(const FairGraph& graph, const FairComponent& component,
                                     std::uint32_t root, FairnessKind fairness) {
  return LoopWalk(graph, component, root, fairness).walk();
}

}  // namespace gainsay
