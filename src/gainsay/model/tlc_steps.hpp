// TlcSteps: an implementation goes along a graph that TLC has made.
//
// Such a graph has states and labels, no actors and no messages: the map says which event of the implementation an
// edge is and what its actors look like in a state. What was found out about a state or an edge is kept. Used by one
// thread.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/model/lockstep.hpp"

namespace gainsay {

class TlcSteps final : public StepComparer {
 public:
  explicit TlcSteps(const ConformPlan& plan) : StepComparer(plan) {}

  bool begin(GraphNode start) override;
  bool step(GraphEdge edge, GraphNode to) override;
  void put_back(const ConformWorlds& worlds) override {
    worlds_ = worlds;
    node_ = worlds.model.steps;
  }

 private:
  struct Taken {
    bool none = false;        // the edge has no event
    EnvelopeId envelope = 0;  // from anybody: of the first that fits
    Slot to = 0;
    ConformEvent event;
    std::vector<DataChoice> answers;
  };

  const Taken& event_of(GraphEdge edge, GraphNode to);
  const std::vector<AnyValue>& expected(GraphNode node);
  bool fits(const Taken& taken, const Pending& pending) const;
  bool compare(GraphNode node);
  void be_at(GraphNode node) {
    node_ = node;
    worlds_.model.steps = node;  // goes with the worlds when they are put back
  }

  GraphNode node_ = no_node;
  boost::unordered_flat_map<GraphEdge, Taken> events_;
  boost::unordered_flat_map<GraphNode, std::vector<AnyValue>> expected_;  // by pair
};

}  // namespace gainsay
