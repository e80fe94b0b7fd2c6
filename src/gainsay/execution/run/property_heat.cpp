#include "gainsay/execution/run/property_heat.hpp"

#include <algorithm>

namespace gainsay {

PropertyHeat::PropertyHeat(const Blueprint& blueprint)
    : blueprint_(blueprint), properties_(blueprint.liveness()) {
  std::erase_if(properties_, [](const LivenessCondition& condition) { return condition.is_monitor(); });
}

void PropertyHeat::begin(WorldState& world, const WorldReader& reader) const {
  for (const LivenessCondition& condition : properties_) {
    GAINSAY_CHECK(condition.row < world.heat.size(), "every condition has a row");
    world.heat[condition.row] = {};
    world.heat[condition.row].feel(heat_of(blueprint_, condition, reader), world.steps);
  }
}

// Monitors in a scope change without being who has taken the step.
bool PropertyHeat::concerns(const LivenessCondition& condition, const StepResult& result) const {
  const std::vector<ActorId>& scope = blueprint_.properties[condition.property].scope;
  if (scope.empty() || result.monitors_changed) return true;
  return result.slot != Directory::no_slot &&
         std::any_of(scope.begin(), scope.end(), [&](ActorId actor) { return actor.raw == result.slot; });
}

bool PropertyHeat::after_step(WorldState& world, const StepResult& result, const WorldReader& reader) const {
  if (!result.changed && !result.monitors_changed) return false;
  bool looked = false;
  for (const LivenessCondition& condition : properties_) {
    if (!concerns(condition, result)) continue;
    world.heat[condition.row].feel(heat_of(blueprint_, condition, reader), world.steps);
    looked = true;
  }
  return looked;
}

}  // namespace gainsay
