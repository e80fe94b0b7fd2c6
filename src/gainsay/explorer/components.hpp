// Strongly connected components, by Tarjan's algorithm without recursion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gainsay {

inline constexpr std::uint32_t no_node = 0xffffffffU;

// Which component each of `nodes` nodes is in; components are numbered as they are completed, so every edge leads to a
// component with a number no higher than its own. A node's edges are [edges_begin(node), edges_end(node)), and
// target(edge) is the node an edge leads to; no_node: it is not there.
template <class Begin, class End, class Target>
std::vector<std::uint32_t> strong_components(std::uint32_t nodes, const Begin& edges_begin,
                                             const End& edges_end, const Target& target) {
  std::vector<std::uint32_t> component(nodes, no_node);
  std::vector<std::uint32_t> index(nodes, no_node);
  std::vector<std::uint32_t> low(nodes, 0);
  std::vector<std::uint32_t> stack;
  struct Frame {
    std::uint32_t node;
    std::uint32_t edge;
  };
  std::vector<Frame> frames;
  std::uint32_t next_index = 0;
  std::uint32_t next_component = 0;
  const auto enter = [&](std::uint32_t node) {
    index[node] = low[node] = next_index++;
    stack.push_back(node);
    frames.push_back({node, edges_begin(node)});
  };
  for (std::uint32_t root = 0; root < nodes; ++root) {
    if (index[root] != no_node) continue;
    enter(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const std::uint32_t node = frame.node;
      if (frame.edge < edges_end(node)) {
        const std::uint32_t to = target(frame.edge++);
        if (to == no_node) continue;
        if (index[to] == no_node) {
          enter(to);
        } else if (component[to] == no_node) {
          low[node] = std::min(low[node], index[to]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      if (low[node] != index[node]) continue;
      std::uint32_t member = no_node;
      while (member != node) {
        member = stack.back();
        stack.pop_back();
        component[member] = next_component;
      }
      ++next_component;
    }
  }
  return component;
}

}  // namespace gainsay
