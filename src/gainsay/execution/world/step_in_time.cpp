// The steps of a world in which nothing but time says what may be next.
#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {

// Nothing but the handler's own effects, and time. What its clock may show is computed only where it is called.
void Stepper::step_in_time(WorldState& world, std::size_t place, Asker& asker, StepResult& result) {
  GAINSAY_CHECK(!front_.shared(), "threads that share a kernel know what a handler does before the step");
  const Pending pending = world.pending[place];
  network_.time().take(world, place);
  const std::size_t left = world.pending.behind();
  handled_ = pending.envelope;
  bool asked = false;
  if (const Transition* known = kernel_.at_hand(world.cells[pending.to], pending.envelope);
      known != nullptr) {
    apply<Rules::time>(world, pending.to, pending.id, *known, asker.answers_hash, result);
  } else {
    handle(world, pending.to, pending.envelope, pending.id, asker, result);
    asked = asker.time_read.has_value();
  }
  ++world.steps;
  if (result.extras != nullptr || !WorldTime::nothing_waits(world)) {
    network_.time().settle(world, asker);
  } else {
    network_.time().settle_taken(world, left, asked);
  }
  if (world.is_crowded()) [[unlikely]]
    squeeze(world);
}

}  // namespace gainsay
