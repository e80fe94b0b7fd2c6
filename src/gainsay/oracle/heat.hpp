// The heat of liveness conditions (scenario/blueprint.hpp), as a world shows it, in words and as a value.
#pragma once

#include <string>

#include "gainsay/scenario/blueprint.hpp"

namespace gainsay {

// What a property has to say of a world; what it throws is a complaint.
Complaint complaint_about(const Property& property, const WorldReader& world);

Heat heat_of(const Blueprint& blueprint, const LivenessCondition& condition, const WorldReader& world);

// What a hot condition waits for, as the end of a sentence; empty where it is not hot or does not say.
std::string heat_text(const Blueprint& blueprint, const LivenessCondition& condition,
                      const WorldReader& world);

// What is wrong with an endless execution: "the monitor can stay hot for ever", "it can fail again and again".
// `all_along`: it is hot in every world of the loop.
const char* endless_text(const Blueprint& blueprint, const LivenessCondition& condition, bool all_along);

}  // namespace gainsay
