// explore_graph: the state graph of a scenario, all of it, with the event of every step.
//
// Breadth first over world values, level by level, with any number of workers. The nodes of a level are numbered in
// the order in which edges lead to them and events in the order of their texts, so the graph is the same for any number
// of workers. Equal pending messages on a link without order are one step, and each way to answer a handler's questions
// is one. States that break an invariant are nodes without edges. What explore refuses is refused here.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/execution/world/engine.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/model/state_graph.hpp"
#include "gainsay/scenario/registry.hpp"

namespace gainsay {

struct GraphOptions {
  unsigned workers = 1;
  std::optional<std::uint64_t> states_max;
  std::uint64_t memory_max = std::uint64_t{8} << 30U;
  bool values = true;  // keep what states look like
  std::vector<std::string>
      marks;  // properties that are evaluated in every state (StateGraph::marks); monitors are
              // without being asked for: such a mark holds where the monitor is not hot
  bool without_histories = false;  // leave histories unjudged
  ExploreProgress* progress = nullptr;
  const std::atomic<bool>* stop = nullptr;
};

// A complaint of the scenario about a state of the graph.
struct GraphViolation {
  Violation violation;
  GraphNode node = no_node;  // the state it is about; of a handler's failure the state before it
};

// A graph beside the kernel that knows the typed values behind its texts.
struct ScenarioGraph {
  StateGraph graph;
  std::vector<std::uint32_t> depth;        // by node: steps from the initial state
  std::vector<GraphViolation> violations;  // the first of each property, by depth, then node
  std::string incomplete_because;          // empty: the graph is whole
  double collision_probability = 0;
  std::uint64_t handler_calls = 0;

  std::unique_ptr<Blueprint> blueprint;
  std::unique_ptr<Kernel> kernel;
  std::vector<CellId> cells;          // by value of the graph
  std::vector<Slot> slots;            // by column of the graph
  std::vector<EnvelopeId> envelopes;  // by event of the graph; 0: it concerns no message

  // An actor's fields in a state; null: it is not there. REQUIRES: the values were kept.
  const void* state(GraphNode node, std::size_t column) const {
    const CellId cell = cells[graph.row(node)[column]];
    return cell == 0 ? nullptr : kernel->cell(cell).data;
  }
};

ScenarioGraph explore_graph(const Scenario& scenario, const OptionTexts& scenario_options,
                            const GraphOptions& options);

}  // namespace gainsay
