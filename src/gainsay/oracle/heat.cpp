#include "gainsay/oracle/heat.hpp"

#include <exception>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace detail {

// What determines the call of a property: the states it may read.
std::uint64_t call_name(const std::string& property, const WorldReader& world) {
  Hasher hasher(hash_text(property));
  for (const ActorId actor : world.actors()) hasher.add(world.identity(actor));
  return hasher.finish();
}

Complaint thrown_complaint() {
  try {
    throw;
  } catch (const CallDied& died) {
    return fmt::format("the property ended with {}", died.what());
  } catch (const std::exception& error) {
    return fmt::format("the property threw: {}", error.what());
  } catch (...) {
    return "the property threw something that is not a std::exception";
  }
}

}  // namespace detail

Heat heat_of(const Blueprint& blueprint, const LivenessCondition& condition, const WorldReader& world) {
  if (condition.is_monitor()) return world.type(condition.monitor)->heat(world.state(condition.monitor));
  const Property& property = blueprint.properties[condition.property];
  GAINSAY_CHECK(property.is_liveness(), "other properties have no heat");
  if (complaint_about(property, world)) return Heat::hot;
  return property.kind == Property::Kind::always_eventually ? Heat::cold : Heat::warm;
}

std::string heat_text(const Blueprint& blueprint, const LivenessCondition& condition,
                      const WorldReader& world) {
  std::string text;
  if (condition.is_monitor()) {
    if (heat_of(blueprint, condition, world) == Heat::hot)
      text = world.type(condition.monitor)->awaits(world.state(condition.monitor));
  } else if (const Complaint complaint = complaint_about(blueprint.properties[condition.property], world)) {
    text = complaint.text();
  }
  return text.empty() ? "" : ": " + text;
}

const char* endless_text(const Blueprint& blueprint, const LivenessCondition& condition, bool all_along) {
  if (!condition.is_monitor()) {
    const Property::Kind kind = blueprint.properties[condition.property].kind;
    return kind == Property::Kind::always_eventually ? "it can fail for ever"
                                                     : "it can fail infinitely often";
  }
  return all_along ? "the monitor can stay hot for ever"
                   : "the monitor can be hot infinitely often and never cold";
}

}  // namespace gainsay
