// Local loops: which steps of handlers can be on a loop of worlds at all, seen from actors and messages alone.
//
// On a loop every actor comes back to the state it was in, and whatever is taken from the network was put there on the
// loop. So a step is on no loop if its actor cannot come back from where the step takes it, or if no step that may be
// on a loop puts there what it takes; dropping such steps may show more of them. Faults draw on budgets that nothing
// fills up, so none is on a loop, and what they put on the network was not put there on one. A message that a cut loses
// is taken without a step, which puts nothing there. If no step is left, there is no loop, whatever the worlds were:
// this takes as long as there are different steps, which are few, and spares the search the graph of all worlds.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/execution/kernel/kernel.hpp"

namespace gainsay {

struct LocalStep {
  Slot slot = 0;
  CellId from = 0;
  CellId to = 0;
  EnvelopeId taken = 0;
  std::vector<EnvelopeId> put;  // messages, timers, notifications
};

// Every step that was asked for so far.
std::vector<LocalStep> local_steps(const Kernel& kernel);

// Leaves those that may be on a loop.
void keep_steps_on_loops(std::vector<LocalStep>& steps);

}  // namespace gainsay
