#include "gainsay/execution/world/faults/duplicate.hpp"

#include <algorithm>

#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct Duplicate {
  static void offer(const Kernel& kernel, const Budgets&, const WorldState& world,
                    std::vector<Alternative>& out) {
    if (world.budgets[Budgets::duplicates] == 0) return;
    const std::vector<const ValueType*>& types = kernel.blueprint().faults.duplicable;
    offer_messages(
        EventKind::duplicate, kernel, world,
        [&](const auto& type) {
          return types.empty() || std::find(types.begin(), types.end(), &type()) != types.end();
        },
        out);
  }
  // The number of earlier copies tells copies of one message apart.
  static EventId id(const WorldState& world, std::uint32_t target) {
    const EventId original = world.pending[target].id;
    const auto before = std::count(world.doubled.begin(), world.doubled.end(), original);
    return child_event_id(original.raw, EventKind::duplicate, static_cast<std::uint32_t>(before));
  }
  static std::size_t budget(const Budgets&, const ValueType*) { return Budgets::duplicates; }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t target, EventId id, Asker&) {
    spend(world, Budgets::duplicates);
    stepper.fold(world, world.pending[target].to, id);
    stepper.copy_pending(world, target, child_event_id(id.raw, EventKind::deliver, 0));
    return {};
  }
};

}  // namespace

constinit const Fault duplicate_fault = {EventKind::duplicate, FaultSubject::message, Duplicate::offer,
                                         Duplicate::id,        Duplicate::budget,     Duplicate::apply};

}  // namespace gainsay
