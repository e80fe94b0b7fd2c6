// Sendings: the pending messages that causal order makes others wait for. Of all that clocks count, what they say of
// these is all that can matter to a state.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gainsay/execution/world/network.hpp"
#include "gainsay/execution/world/world_state.hpp"

namespace gainsay {

// A message is one if its link keeps causal order and an actor sent it: of the outside nothing is known.
inline bool is_sending(const Network::Route& route) {
  return route.order == Delivery::causal && route.sender != Network::from_outside;
}

struct Sending {
  Slot sender = 0;
  std::uint32_t sent = 0;  // its sender's count
  friend auto operator<=>(const Sending&, const Sending&) = default;
};

// Those of a world, by sender and count; a copy is the sending that its original is.
template <class List> void find_sendings(const WorldState& world, Network& network, List& sendings) {
  sendings.clear();
  if (!world.causal) return;
  for (std::size_t i = 0; i < world.pending.size(); ++i) {
    const Network::Route& route = network.route(world.pending[i].envelope);
    if (is_sending(route)) sendings.push_back({route.sender, world.clock_of(i)[route.sender]});
  }
  std::sort(sendings.begin(), sendings.end());
  sendings.erase(std::unique(sendings.begin(), sendings.end()), sendings.end());
}

}  // namespace gainsay
