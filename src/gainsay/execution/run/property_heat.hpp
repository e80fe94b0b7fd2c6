// PropertyHeat: keeps the heat of liveness properties (LivenessCondition) in the world of an execution.
//
// A property is looked at again when an actor of its scope has changed. What monitors feel is kept by the stepper.
#pragma once

#include <vector>

#include "gainsay/execution/world/stepper.hpp"
#include "gainsay/oracle/heat.hpp"

namespace gainsay {

class PropertyHeat {
 public:
  explicit PropertyHeat(const Blueprint& blueprint);

  bool any() const { return !properties_.empty(); }
  // An execution begins in this world.
  void begin(WorldState& world, const WorldReader& reader) const;
  // A step was made. True: some property was looked at.
  bool after_step(WorldState& world, const StepResult& result, const WorldReader& reader) const;

 private:
  bool concerns(const LivenessCondition& condition, const StepResult& result) const;

  const Blueprint& blueprint_;
  std::vector<LivenessCondition> properties_;
};

}  // namespace gainsay
