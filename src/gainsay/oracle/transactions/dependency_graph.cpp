#include "gainsay/oracle/transactions/dependency_graph.hpp"

#include <algorithm>
#include <tuple>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

// Tarjan's components, without recursion. `successors(node, f)` calls f for each successor.
template <class Successors>
std::vector<std::uint32_t> component_of_each(std::uint32_t nodes, const Successors& successors,
                                             std::uint32_t& count) {
  struct Frame {
    std::uint32_t node;
    std::uint32_t next;
  };
  std::vector<std::uint32_t> component(nodes, none);
  std::vector<std::uint32_t> number(nodes, none);
  std::vector<std::uint32_t> low(nodes, 0);
  std::vector<std::uint32_t> stack;
  std::vector<Frame> frames;
  std::uint32_t numbered = 0;
  count = 0;
  for (std::uint32_t root = 0; root < nodes; ++root) {
    if (number[root] != none) continue;
    frames.push_back({root, 0});
    while (!frames.empty()) {
      const std::uint32_t node = frames.back().node;
      if (frames.back().next == 0 && number[node] == none) {
        number[node] = low[node] = numbered++;
        stack.push_back(node);
      }
      const std::uint32_t to = successors(node, frames.back().next);
      if (to != none) {
        ++frames.back().next;
        if (number[to] == none) {
          frames.push_back({to, 0});
        } else if (component[to] == none) {
          low[node] = std::min(low[node], number[to]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      if (low[node] != number[node]) continue;
      std::uint32_t member = none;
      do {
        member = stack.back();
        stack.pop_back();
        component[member] = count;
      } while (member != node);
      ++count;
    }
  }
  return component;
}

}  // namespace

void DependencyGraph::add(const DependencyEdge& edge) {
  GAINSAY_CHECK(!sealed_, "a sealed graph does not grow");
  GAINSAY_CHECK(edge.from < nodes_ && edge.to < nodes_, "edges are between known transactions");
  if (edge.from != edge.to) edges_.push_back(edge);
}

// Pure readers lead to a hub from which every writer is reached. Those that read and write lead to a second hub, of
// the pure writers; among themselves a ring in both directions stands for all pairs: what reaches what, and that
// there are cycles of two, is the same.
void DependencyGraph::add_product(KeyId key, ElementId value, std::span<const std::uint32_t> readers,
                                  std::span<const Writer> writers) {
  if (readers.empty() || writers.empty()) return;
  std::vector<std::uint32_t> reading(readers.begin(), readers.end());
  std::sort(reading.begin(), reading.end());
  reading.erase(std::unique(reading.begin(), reading.end()), reading.end());
  std::vector<Writer> writing(writers.begin(), writers.end());
  std::sort(writing.begin(), writing.end(),
            [](const Writer& a, const Writer& b) { return a.transaction < b.transaction; });
  writing.erase(std::unique(writing.begin(), writing.end(),
                            [](const Writer& a, const Writer& b) { return a.transaction == b.transaction; }),
                writing.end());
  std::vector<Writer> both;
  std::vector<Writer> pure;
  for (const Writer& writer : writing) {
    (std::binary_search(reading.begin(), reading.end(), writer.transaction) ? both : pure).push_back(writer);
  }
  const auto edge = [&](std::uint32_t from, std::uint32_t to, Dependency kind, ElementId next) {
    add({from, to, kind, key, value, next});
  };
  if (both.size() < reading.size()) {
    const std::uint32_t hub = nodes_++;
    for (const std::uint32_t reader : reading) {
      const bool writes =
          std::binary_search(both.begin(), both.end(), Writer{reader, no_element},
                             [](const Writer& a, const Writer& b) { return a.transaction < b.transaction; });
      if (!writes) edge(reader, hub, Dependency::rw, no_element);
    }
    for (const Writer& writer : writing) edge(hub, writer.transaction, Dependency::onward, writer.value);
  }
  if (both.empty()) return;
  if (!pure.empty()) {
    const std::uint32_t hub = nodes_++;
    for (const Writer& writer : both) edge(writer.transaction, hub, Dependency::rw, no_element);
    for (const Writer& writer : pure) edge(hub, writer.transaction, Dependency::onward, writer.value);
  }
  for (std::size_t i = 0; i < both.size(); ++i) {
    const Writer& next = both[(i + 1) % both.size()];
    edge(both[i].transaction, next.transaction, Dependency::rw, next.value);
    edge(next.transaction, both[i].transaction, Dependency::rw, both[i].value);
  }
}

void DependencyGraph::seal() {
  GAINSAY_CHECK(!sealed_, "a graph is sealed once");
  sealed_ = true;
  const auto place = [](const DependencyEdge& edge) { return std::tie(edge.from, edge.to, edge.kind); };
  std::stable_sort(edges_.begin(), edges_.end(),
                   [&](const DependencyEdge& a, const DependencyEdge& b) { return place(a) < place(b); });
  edges_.erase(
      std::unique(edges_.begin(), edges_.end(),
                  [&](const DependencyEdge& a, const DependencyEdge& b) { return place(a) == place(b); }),
      edges_.end());
  order_.resize(edges_.size());
  begin_.assign(nodes_ + 1U, 0);
  for (std::uint32_t i = 0; i < edges_.size(); ++i) {
    order_[i] = i;
    ++begin_[edges_[i].from + 1U];
  }
  for (std::uint32_t node = 0; node < nodes_; ++node) begin_[node + 1] += begin_[node];
}

DependencyGraph DependencyGraph::with(std::span<const DependencyEdge> more) const {
  DependencyGraph graph(transactions_);
  graph.nodes_ = nodes_;
  graph.edges_ = edges_;
  for (const DependencyEdge& edge : more) graph.add(edge);
  graph.seal();
  return graph;
}

DependencyGraph::Components DependencyGraph::components(DependencyMask mask) const {
  GAINSAY_CHECK(sealed_, "a graph is searched when it is complete");
  if ((mask & mask_of(Dependency::rw)) != 0) mask |= mask_of(Dependency::onward);
  std::uint32_t count = 0;
  // `next` counts edges taken and skipped, so that each is looked at once.
  std::vector<std::uint32_t> cursor(begin_.begin(), begin_.end() - 1);
  const auto successors = [&](std::uint32_t node, std::uint32_t) {
    for (std::uint32_t& at = cursor[node]; at < begin_[node + 1]; ++at) {
      const DependencyEdge& edge = edges_[order_[at]];
      if ((mask_of(edge.kind) & mask) != 0) return edges_[order_[at++]].to;
    }
    return none;
  };
  Components result;
  result.of = component_of_each(nodes_, successors, count);
  std::vector<std::uint32_t> size(count, 0);
  for (const std::uint32_t component : result.of) ++size[component];
  std::vector<std::uint32_t> place(count, none);
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    const std::uint32_t component = result.of[node];
    if (size[component] < 2) continue;
    if (place[component] == none) {
      place[component] = static_cast<std::uint32_t>(result.large.size());
      result.large.emplace_back();
    }
    result.large[place[component]].push_back(node);
  }
  return result;
}

DependencyCycle DependencyGraph::without_hubs(std::span<const std::uint32_t> edges) const {
  DependencyCycle cycle;
  for (const std::uint32_t index : edges) {
    const DependencyEdge& edge = edges_[index];
    if (edge.kind == Dependency::onward) {
      GAINSAY_CHECK(!cycle.empty() && cycle.back().to == edge.from, "a hub is entered before it is left");
      cycle.back().to = edge.to;
      cycle.back().next = edge.next;
    } else {
      cycle.push_back(edge);
    }
  }
  return cycle;
}

std::optional<DependencyCycle> DependencyGraph::cycle(const Components& components,
                                                      std::span<const std::uint32_t> component,
                                                      DependencyMask through, DependencyMask rest,
                                                      std::uint64_t& visits_left) const {
  const std::uint32_t inside = components.of[component.front()];
  const DependencyMask followed = rest | mask_of(Dependency::onward);  // hubs are entered by rw edges only
  std::vector<std::uint32_t> best;
  std::vector<std::uint32_t> came_by(nodes_, none);
  std::vector<std::uint32_t> queue;
  const auto search = [&](std::uint32_t first) {
    const std::uint32_t goal = edges_[first].from;
    queue.assign(1, edges_[first].to);
    came_by[edges_[first].to] = first;
    bool found = false;
    for (std::size_t head = 0; head < queue.size() && !found && visits_left > 0; ++head) {
      for (const std::uint32_t index : out(queue[head])) {
        const DependencyEdge& edge = edges_[index];
        if (visits_left > 0) --visits_left;
        if ((mask_of(edge.kind) & followed) == 0 || components.of[edge.to] != inside ||
            came_by[edge.to] != none) {
          continue;
        }
        came_by[edge.to] = index;
        queue.push_back(edge.to);
        if (edge.to == goal) {
          found = true;
          break;
        }
      }
    }
    if (found) {
      std::vector<std::uint32_t> path;
      for (std::uint32_t node = goal; came_by[node] != first; node = edges_[came_by[node]].from)
        path.push_back(came_by[node]);
      path.push_back(first);
      std::reverse(path.begin(), path.end());
      if (best.empty() || path.size() < best.size()) best = std::move(path);
    }
    for (const std::uint32_t node : queue) came_by[node] = none;
    queue.clear();
  };
  for (const std::uint32_t node : component) {
    for (const std::uint32_t index : out(node)) {
      const DependencyEdge& edge = edges_[index];
      if ((mask_of(edge.kind) & through) == 0 || components.of[edge.to] != inside) continue;
      search(index);
      if (best.size() == 2 || visits_left == 0) break;
    }
    if (best.size() == 2 || visits_left == 0) break;
  }
  if (best.empty()) return std::nullopt;
  return without_hubs(best);
}

// State 2 * node + (1 if the last edge was rw). From a state with the bit, no rw edge may follow; a hub carries the
// bit on.
std::optional<DependencyCycle> DependencyGraph::nonadjacent_cycle(DependencyMask rest) const {
  GAINSAY_CHECK(sealed_, "a graph is searched when it is complete");
  const DependencyMask mask = rest | mask_of(Dependency::rw) | mask_of(Dependency::onward);
  const auto target = [&](std::uint32_t state, const DependencyEdge& edge) {
    if ((mask_of(edge.kind) & mask) == 0) return none;
    if (edge.kind == Dependency::onward) return 2 * edge.to + 1;
    if (edge.kind == Dependency::rw) return (state & 1U) != 0 ? none : 2 * edge.to + 1;
    return 2 * edge.to;
  };
  std::vector<std::uint32_t> cursor(2ULL * nodes_);
  for (std::uint32_t state = 0; state < 2 * nodes_; ++state) cursor[state] = begin_[state / 2];
  const auto successors = [&](std::uint32_t state, std::uint32_t) {
    for (std::uint32_t& at = cursor[state]; at < begin_[state / 2 + 1];) {
      const std::uint32_t to = target(state, edges_[order_[at++]]);
      if (to != none) return to;
    }
    return none;
  };
  std::uint32_t count = 0;
  const std::vector<std::uint32_t> component = component_of_each(2 * nodes_, successors, count);
  // Every edge inside a component lies on a closed walk; one that is rw begins the search for a short one.
  for (std::uint32_t start = 0; start < 2 * nodes_; start += 2) {
    for (const std::uint32_t first : out(start / 2)) {
      const std::uint32_t to = target(start, edges_[first]);
      if (edges_[first].kind != Dependency::rw || to == none || component[to] != component[start]) continue;
      std::vector<std::uint32_t> came_by(2ULL * nodes_, none);
      std::vector<std::uint32_t> came_from(2ULL * nodes_, none);
      std::vector<std::uint32_t> queue = {to};
      came_by[to] = first;
      for (std::size_t head = 0; head < queue.size() && came_by[start] == none; ++head) {
        for (const std::uint32_t index : out(queue[head] / 2)) {
          const std::uint32_t next = target(queue[head], edges_[index]);
          if (next == none || component[next] != component[start] || came_by[next] != none) continue;
          came_by[next] = index;
          came_from[next] = queue[head];
          queue.push_back(next);
        }
      }
      GAINSAY_CHECK(came_by[start] != none, "inside a component everything is reached");
      std::vector<std::uint32_t> path;
      for (std::uint32_t state = start; state != to; state = came_from[state]) path.push_back(came_by[state]);
      path.push_back(first);
      std::reverse(path.begin(), path.end());
      return without_hubs(path);
    }
  }
  return std::nullopt;
}

}  // namespace gainsay
