// Fair loops of a finite graph: which parts of it can be walked round for ever by a fair schedule.
//
// A schedule is weakly fair if an event that is enabled from some moment on in every world is executed again and
// again, strongly fair if every event is that is enabled again and again, and fair to actors if every actor is that has
// an enabled event (trace/fairness.hpp); a coin flipped again and again at one event falls both ways. Both are about
// the edges that are walked infinitely often. They form a strongly connected part, so:
//   1. take strongly connected components; an outcome of a coin whose sibling leaves the component cannot be walked
//      for ever: drop it, and look again until nothing is dropped (as for end components of Markov decision
//      processes);
//   2. weak: a component is fair if every event that is enabled in all its nodes is on one of its edges. If some event
//      is not, no part of the component is fair either: the event is enabled there as well, and not on any edge;
//   3. strong, actor: a component is fair if whatever is enabled in one of its nodes is on one of its edges. If
//      something is not, a fair schedule leaves the nodes where it is enabled for ever: drop them, and look again (as
//      for Streett automata).
// A fair component is walked completely by a fair schedule; a graph without one has no fair loop. Where heat is asked
// for, a component counts if it is hot somewhere: a part of it is not hotter.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/trace/trace.hpp"

namespace gainsay {

struct FairGraph {
  static constexpr std::uint32_t outside = 0xffffffffU;

  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = outside;       // outside: leaves the graph
    std::uint32_t answers_begin = 0;  // of `answers`: what the handler was told
    std::uint32_t answers_end = 0;
  };
  struct Action {
    std::uint64_t event = 0;  // 0: nobody is obliged to execute it
    std::uint32_t edges_end =
        0;                    // edges of an action stand together, in lexicographic order of their answers
    std::uint32_t actor = 0;  // whose turn it is; what is no turn of an actor has a number of its own

    std::uint64_t key(FairnessKind fairness) const {
      return fairness == FairnessKind::actor && event != 0 ? actor + 1ULL : event;
    }
  };

  std::vector<std::uint32_t> node_actions_end;  // by node: its actions stand together
  std::vector<Action> actions;
  std::vector<Edge> edges;
  std::vector<DataChoice> answers;
  std::vector<bool> hot_nodes;           // empty: no heat is asked for
  std::vector<std::uint32_t> hot_edges;  // on which there is heat for a moment, ascending

  std::size_t nodes() const { return node_actions_end.size(); }
  std::uint32_t actions_begin(std::size_t node) const { return node == 0 ? 0 : node_actions_end[node - 1]; }
  std::uint32_t edges_begin(std::size_t action) const {
    return action == 0 ? 0 : actions[action - 1].edges_end;
  }
  std::uint64_t bytes() const {
    return node_actions_end.capacity() * 4 + actions.capacity() * sizeof(Action) +
           edges.capacity() * sizeof(Edge) + answers.capacity() * sizeof(DataChoice);
  }
};

// A part of the graph that a fair schedule can stay in for ever.
struct FairComponent {
  std::vector<std::uint32_t> nodes;  // ascending
  std::vector<std::uint32_t> edges;  // those that can be walked for ever, ascending
};

// All of them, by their least node.
std::vector<FairComponent> fair_components(const FairGraph& graph,
                                           FairnessKind fairness = FairnessKind::weak);

// A closed walk from `root` along edges of the component that is fair by itself, sees both outcomes of every coin it
// flips, and is hot somewhere where that is asked. Weak: it executes, or meets a node without, each event enabled at
// the root. Strong, actor: it executes whatever is enabled on its way.
std::vector<std::uint32_t> fair_loop(const FairGraph& graph, const FairComponent& component,
                                     std::uint32_t root, FairnessKind fairness = FairnessKind::weak);

}  // namespace gainsay
