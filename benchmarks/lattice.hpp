// A synthetic state graph of any size: processes that each go through four stages, with guards between neighbours.
//
// A state is a stage for each process. A process goes on by one stage at a time; it leaves stage 0 only while its
// neighbour is not in stage 2, the first two leave stage 1 only while theirs is not in stage 3, and of the first three
// groups of three the first one enters stage 3 only after another one has moved. With 12 processes there are 16,003,008
// states and 129,422,664 steps. With restarts one state in fifty has a step that takes one process back to stage 0,
// which makes the graph one large component.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/model/state_graph.hpp"

namespace benchmarks {

inline gainsay::StateGraph lattice(unsigned processes, bool restarts) {
  using gainsay::GraphNode;
  GAINSAY_CHECK(processes >= 9 && processes <= 15, "a state fits into 32 bits");
  const auto stage = [](std::uint32_t state, unsigned i) { return (state >> (2 * i)) & 3U; };
  const auto may_go = [&](std::uint32_t state, unsigned i) {
    const std::uint32_t here = stage(state, i);
    const std::uint32_t neighbour = stage(state, (i + 1) % processes);
    if (here == 0) return neighbour != 2;
    if (here == 1) return i >= 2 || neighbour != 3;
    if (here == 2) return i >= 9 || i % 3 != 0 || stage(state, i + 1) != 0 || stage(state, i + 2) != 0;
    return false;
  };
  gainsay::StateGraph graph;
  std::vector<GraphNode> number(std::size_t{1} << (2 * processes), gainsay::no_node);
  std::vector<std::uint32_t> states{0};  // in the order in which they are found
  number[0] = 0;
  const auto lead_to = [&](std::uint32_t state) {
    if (number[state] == gainsay::no_node) {
      number[state] = static_cast<GraphNode>(states.size());
      states.push_back(state);
    }
    graph.to.push_back(number[state]);
  };
  for (std::size_t at = 0; at < states.size(); ++at) {
    const std::uint32_t state = states[at];
    for (unsigned i = 0; i < processes; ++i) {
      if (may_go(state, i)) lead_to(state + (1U << (2 * i)));
    }
    const std::uint64_t drawn = gainsay::scramble(gainsay::mix(state, 7));
    if (restarts && state != 0 && drawn % 50 == 0) {
      auto i = static_cast<unsigned>((drawn / 50) % processes);
      while (stage(state, i) == 0) i = (i + 1) % processes;
      lead_to(state & ~(3U << (2 * i)));
    }
    graph.first.push_back(static_cast<std::uint32_t>(graph.to.size()));
  }
  graph.initial = {0};
  graph.to.shrink_to_fit();
  graph.first.shrink_to_fit();
  return graph;
}

}  // namespace benchmarks
