// The steps of a world in which nothing but time says what may be next.
#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {

// Nothing but the handler's own effects, and time. What its clock may show is computed only where it is called.
void Stepper::step_in_time(WorldState& world, std::size_t place, Asker& asker, StepResult& result) {
  GAINSAY_CHECK(!front_.shared(), "threads that share a kernel know what a handler does before the step");
  const Pending pending = world.pending[place];
  network_.time().advance(world, place);
  world.erase_in_time(place);
  handled_ = pending.envelope;
  if (const Transition* known = kernel_.at_hand(world.cells[pending.to], pending.envelope);
      known != nullptr) {
    apply<Rules::time>(world, pending.to, pending.id, *known, asker.answers_hash, result);
  } else {
    handle(world, pending.to, pending.envelope, pending.id, asker, result);
  }
  ++world.steps;
  network_.time().settle(world, asker);
  if (world.is_crowded()) [[unlikely]]
    squeeze(world);
}

}  // namespace gainsay
