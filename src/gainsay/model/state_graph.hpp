// StateGraph: all states of a model and all steps between them, as rows of 32-bit numbers.
//
// Nodes are states, edges are steps; edges of a node stand together (compressed rows), so an edge takes eight bytes:
// where it leads and which event it is. Two steps with different events between the same states are two edges; the
// same step twice is one. Events are kept once each. What a state looks like is a row of value ids, one for each
// column (an actor of a scenario, a variable of a TLA+ model), and values are kept once each, as text.
//
// Invariants (see `check`): rows ascend; every edge leads to a node; edges of a node are in the order of (event, to),
// without repetition; every node can be reached from an initial one. Thread-safety: read by anybody once it is built.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gainsay/trace/decision.hpp"
#include "gainsay/trace/event.hpp"

namespace gainsay {

using GraphNode = std::uint32_t;
using GraphEdge = std::uint32_t;

inline constexpr std::uint32_t no_node = 0xffffffffU;
inline constexpr std::uint32_t no_edge = 0xffffffffU;

// What happens on an edge. Of a TLA+ model there is only the text: the action's label.
struct GraphEvent {
  std::string text;  // in words: "deliver Prepare{ballot: 1} from proposer.0 to acceptor.1"
  EventKind kind = EventKind::deliver;
  std::string receiver{};  // names of actors; empty: nobody
  std::string sender{};
  std::string message{};              // printed; of a fault what it does
  std::vector<DataChoice> answers{};  // what the handler was told
  std::uint64_t identity =
      0;  // the event without its answers, the same in every run; 0: a fault, which nobody
          // is obliged to execute

  friend bool operator==(const GraphEvent&, const GraphEvent&) = default;
};
// The order of events in a graph: by text, then by answers. Equal in both: the same event.
std::strong_ordering compare(const GraphEvent& a, const GraphEvent& b);
// With its answers: "deliver Toss to coin, answers 1".
std::string describe(const GraphEvent& event);

// Texts, one after the other.
class TextPool {
 public:
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(characters_).substr(begin, ends_[i] - begin);
  }
  void add(std::string_view text) {
    characters_ += text;
    ends_.push_back(characters_.size());
  }
  std::uint64_t bytes() const { return characters_.capacity() + ends_.capacity() * sizeof(ends_[0]); }

  friend bool operator==(const TextPool&, const TextPool&) = default;

 private:
  friend class GraphFile;
  std::string characters_;
  std::vector<std::uint64_t> ends_;
};

// Nodes for which something holds: a property of the scenario, a predicate. That of a monitor of liveness holds where
// it is not hot; if it is warm anywhere, a mark with this behind its name holds there.
inline constexpr const char* warm_suffix = ".warm";
struct GraphMark {
  std::string name;
  std::vector<bool> holds;  // by node

  friend bool operator==(const GraphMark&, const GraphMark&) = default;
};

struct StateGraph {
  // Where it comes from.
  enum class Source : std::uint8_t { scenario, tlc, other };
  Source source = Source::other;
  std::string name;                                            // the scenario, or the file
  std::vector<std::pair<std::string, std::string>> options{};  // of the scenario, all of them

  std::vector<GraphEdge> first{0};   // by node, and one more: its edges begin here
  std::vector<GraphNode> to;         // by edge
  std::vector<std::uint32_t> event;  // by edge: of `events`. Empty: the graph has no events
  std::vector<GraphNode> initial;    // ascending
  std::vector<GraphEvent> events;    // in their order, all different
  // What names a state in another graph of the same model: a fingerprint (Source::scenario), a hash of the values
  // (Source::tlc with columns), TLC's own fingerprint. May be empty.
  std::vector<std::uint64_t> keys;

  std::vector<std::string> columns;         // actors, or variables
  std::vector<std::uint32_t> rows;          // nodes() * columns.size() numbers of values
  TextPool values;                          // value 0 is empty: the actor is not there
  std::vector<std::uint64_t> value_hashes;  // by value, the same in every run; may be empty

  std::vector<GraphMark> marks;

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::uint32_t edges() const { return static_cast<std::uint32_t>(to.size()); }
  GraphEdge edges_begin(GraphNode node) const { return first[node]; }
  GraphEdge edges_end(GraphNode node) const { return first[node + 1]; }
  std::uint32_t degree(GraphNode node) const { return first[node + 1] - first[node]; }
  std::span<const GraphNode> targets(GraphNode node) const {
    return {to.data() + first[node], to.data() + first[node + 1]};
  }
  // Where the edge begins: a search among the rows. Whoever asks often keeps its own table.
  GraphNode from(GraphEdge edge) const;
  bool has_events() const { return !event.empty(); }
  const GraphEvent* event_of(GraphEdge edge) const { return event.empty() ? nullptr : &events[event[edge]]; }
  std::string_view event_text(GraphEdge edge) const {
    return event.empty() ? std::string_view() : std::string_view(events[event[edge]].text);
  }
  bool has_values() const { return !columns.empty(); }
  std::span<const std::uint32_t> row(GraphNode node) const {
    return {rows.data() + std::uint64_t{node} * columns.size(), columns.size()};
  }
  std::string_view value(GraphNode node, std::size_t column) const { return values[row(node)[column]]; }
  // "votes = 3", one line for each column.
  std::string state_text(GraphNode node) const;

  std::uint64_t bytes() const;
  // Of everything but the marks: a suite belongs to the graph of this digest.
  std::uint64_t digest() const;
  // What is wrong with it, in words; empty: nothing. Costs a pass over all edges.
  std::string check() const;

  friend bool operator==(const StateGraph&, const StateGraph&) = default;
};

// Puts a graph together from edges that come in any order.
class StateGraphBuilder {
 public:
  GraphNode add_node() { return nodes_++; }
  void reserve_nodes(std::uint32_t nodes) { nodes_ = nodes > nodes_ ? nodes : nodes_; }
  void add_initial(GraphNode node) { initial_.push_back(node); }
  // `event`: any number; `build` is told what the numbers mean.
  void add_edge(GraphNode from, std::uint32_t event, GraphNode to) { edges_.push_back({from, event, to}); }
  std::uint32_t nodes() const { return nodes_; }
  std::uint64_t edges() const { return edges_.size(); }

  // Sorts, leaves out repetitions, and numbers the events in their order. Without events: an empty list.
  StateGraph build(std::vector<GraphEvent> events) &&;

 private:
  struct Edge {
    GraphNode from;
    std::uint32_t event;
    GraphNode to;
  };
  std::uint32_t nodes_ = 0;
  std::vector<GraphNode> initial_;
  std::vector<Edge> edges_;
};

}  // namespace gainsay
