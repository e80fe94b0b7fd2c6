// Counterexamples: from a sighting back to the first state along least parents, then forward again as a
// sequence of events.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gainsay/explorer/expander.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

// What one alternative leads to.
struct Outcome {
  const WorldState& before;
  const Alternative& alternative;
  const std::vector<DataChoice>& answers;
  const WorldState& next;
  const StepResult& result;
};

// Moves `world` by the first alternative, in the order of the network, whose outcome is wanted.
std::optional<Decision> find_step(Shared& shared, WorldState& world,
                                  const std::function<bool(const Outcome& outcome)>& wanted);

// A shortest execution that ends in the sighting; nothing if two states share a fingerprint on the way. `last`, if
// given, becomes the world at its end.
std::optional<std::vector<Decision>> shortest_execution(Shared& shared, const Sighting& sighting,
                                                        WorldState* last = nullptr);

}  // namespace gainsay
