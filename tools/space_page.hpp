// A state graph as a page. A small one is drawn whole, laid out by depth, with the fields of each state, the events of
// edges, and the shortest path to what is violated. Of a large one there are its facts: states by depth, branching, the
// most frequent events.
#pragma once

#include <string>

#include "tools/model_source.hpp"

namespace gainsay::tools {

inline constexpr std::uint32_t drawn_states_max = 3000;
inline constexpr std::uint32_t drawn_edges_max = 12000;

std::string space_page(const LoadedModel& model);

}  // namespace gainsay::tools
