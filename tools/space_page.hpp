// A state space as a page, of `graph` and of `explore`. A small one is drawn whole, laid out by depth, with the fields
// of each state, the events of edges, and the shortest path to what is violated. Of a large one there are its facts:
// states by depth, growth, branching, the most frequent events, and which handlers and transitions were gone through.
#pragma once

#include <string>
#include <vector>

#include "gainsay/trace/results.hpp"
#include "tools/model_source.hpp"

namespace gainsay::tools {

inline constexpr std::uint32_t drawn_states_max = 3000;
inline constexpr std::uint32_t drawn_edges_max = 12000;
// Of a larger space, events and handlers are counted in so many states, the first ones.
inline constexpr std::uint32_t counted_states = 200'000;

std::string space_page(const LoadedModel& model);

// What an exploration found. States, levels and violations are its own; the graph is made again beside it,
// since the search keeps no edges, and may be missing.
struct ExploredSpace {
  const ExploreResult& result;
  const ScenarioGraph* graph = nullptr;
  std::string no_graph;                  // why there is none
  std::vector<std::string> trace_files;  // of the violations, in their order
};
std::string space_page(const ExploredSpace& space);

}  // namespace gainsay::tools
