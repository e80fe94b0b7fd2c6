#include "gainsay/execution/world/faults/drop.hpp"

#include <algorithm>

#include "gainsay/execution/world/stepper.hpp"

namespace gainsay {
namespace {

struct Drop {
  static void offer(const Kernel& kernel, const Budgets&, const WorldState& world,
                    std::vector<Alternative>& out) {
    if (world.budgets[Budgets::drops] == 0) return;
    const std::vector<const ValueType*>& types = kernel.blueprint().faults.droppable;
    offer_messages(
        EventKind::drop, kernel, world,
        [&](const auto& type) {
          return types.empty() || std::find(types.begin(), types.end(), &type()) != types.end();
        },
        out);
  }
  static EventId id(const WorldState& world, std::uint32_t target) {
    return child_event_id(world.pending[target].id.raw, EventKind::drop, 0);
  }
  static std::size_t budget(const Budgets&, const ValueType*) { return Budgets::drops; }
  static StepResult apply(Stepper& stepper, WorldState& world, std::uint32_t target, EventId id, Asker&) {
    spend(world, Budgets::drops);
    stepper.fold(world, world.pending[target].to, id);
    stepper.erase_pending(world, target);
    return {};
  }
};

}  // namespace

constinit const Fault drop_fault = {EventKind::drop, FaultSubject::message, Drop::offer,
                                    Drop::id,        Drop::budget,          Drop::apply};

}  // namespace gainsay
