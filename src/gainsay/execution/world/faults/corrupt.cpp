#include "gainsay/execution/world/faults/corrupt.hpp"

#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct Corrupt {
  static void offer(const Kernel& kernel, const Budgets& budgets, const WorldState& world, Offers& out) {
    for (const Corruption& plan : kernel.blueprint().faults.corruptions) {
      const std::size_t place = budgets.corruption(*plan.type);
      if (!Budgets::is_left(world.budgets, place)) continue;
      offer_messages(
          EventKind::corrupt, world,
          [&](std::size_t group) { return budgets.groups()[group].corruption == place; }, out);
    }
  }
  static EventId id(const WorldState& world, std::uint32_t target) {
    return child_event_id(world.pending[target].id.raw, EventKind::corrupt, 0);
  }
  static std::size_t budget(const Budgets& budgets, std::uint32_t, const ValueType* message) {
    return budgets.corruption(*message);
  }
  static std::uint32_t planned(const FaultPlan& plan) { return planned_in_all(plan.corruptions); }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t target, EventId id, Asker&) {
    Kernel& kernel = stepper.kernel();
    const Envelope envelope = kernel.envelope(world.pending[target].envelope);
    const InternedValue& message = kernel.value(envelope.message);
    spend(world, stepper.budgets().corruption(*message.type));
    stepper.fold(world, envelope.to, id);
    const EnvelopeId instead = stepper.front().corrupted(world.pending[target].envelope);
    stepper.replace_pending(world, target, child_event_id(id.raw, EventKind::deliver, 0), instead);
    return {};
  }
};

}  // namespace

constinit const Fault corrupt_fault = {EventKind::corrupt, FaultSubject::message, Corrupt::offer, Corrupt::id,
                                       Corrupt::budget,    Corrupt::planned,      Corrupt::apply};

}  // namespace gainsay
