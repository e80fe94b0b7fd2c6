// Cuts: what is between the blocks of a partition, or around an isolated actor.
//
// WorldState::partition says which cut is in force: 0 none, from 1 on the partitions of the scenario in their order,
// then its isolations, by actor.
#pragma once

#include <cstdint>
#include <string>

#include "gainsay/scenario/blueprint.hpp"

namespace gainsay {

inline std::uint32_t cut_of_partition(std::uint32_t index) { return index + 1; }
inline std::uint32_t cut_of_isolation(const FaultPlan& plan, std::uint32_t slot) {
  return static_cast<std::uint32_t>(plan.partitions.size()) + slot + 1;
}

// Whether a message from one to the other crosses it. REQUIRES of these: a cut is in force.
bool crosses(const FaultPlan& plan, std::uint32_t cut, ActorId from, ActorId to);
// Whether what crosses it is lost when it is its turn; else it waits.
bool drops(const FaultPlan& plan, std::uint32_t cut);
// "partition split", "isolation of node.1".
std::string cut_name(const Blueprint& blueprint, std::uint32_t cut);

}  // namespace gainsay
