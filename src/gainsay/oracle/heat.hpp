// The heat of liveness conditions (scenario/blueprint.hpp), as a world shows it, in words and as a value.
#pragma once

#include <string>

#include "gainsay/base/user_call.hpp"
#include "gainsay/scenario/blueprint.hpp"

namespace gainsay {

namespace detail {
std::uint64_t call_name(const std::string& property, const WorldReader& world);
// REQUIRES: called from a catch block.
Complaint thrown_complaint();
}  // namespace detail

// What a property has to say of a world; what it throws is a complaint.
[[gnu::always_inline]] inline Complaint complaint_about(const Property& property, const WorldReader& world) {
  try {
    const UserCall running(calls_need_names() ? detail::call_name(property.name, world) : nameless_call);
    return property.check(View(world));
  } catch (...) {
    return detail::thrown_complaint();
  }
}

Heat heat_of(const Blueprint& blueprint, const LivenessCondition& condition, const WorldReader& world);

// What a hot condition waits for, as the end of a sentence; empty where it is not hot or does not say.
std::string heat_text(const Blueprint& blueprint, const LivenessCondition& condition,
                      const WorldReader& world);

// What is wrong with an endless execution: "the monitor can stay hot for ever", "it can fail again and again".
// `all_along`: it is hot in every world of the loop.
const char* endless_text(const Blueprint& blueprint, const LivenessCondition& condition, bool all_along);

}  // namespace gainsay
