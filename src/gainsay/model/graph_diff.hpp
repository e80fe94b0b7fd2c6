// The difference of two graphs of one model: states and steps that came, went and stayed.
//
// States are told by their keys, so both graphs must have keys of the same kind. A step is told by its event and its
// two states. What changed since an older version is what a suite for the changes has to cover.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/model/state_graph.hpp"

namespace gainsay {

struct GraphDiff {
  std::uint64_t nodes_came = 0;
  std::uint64_t nodes_went = 0;
  std::uint64_t nodes_stayed = 0;
  std::uint64_t edges_came = 0;
  std::uint64_t edges_went = 0;
  std::uint64_t edges_stayed = 0;
  std::vector<bool> came;  // by edge of the newer graph
};

// Throws UserError where the graphs cannot be compared, or two states share a key.
GraphDiff diff(const StateGraph& older, const StateGraph& newer);

}  // namespace gainsay
