#include "gainsay/execution/world/faults/cut.hpp"

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

bool is_isolation(const FaultPlan& plan, std::uint32_t cut) {
  GAINSAY_CHECK(cut != 0, "a cut is in force");
  return cut > plan.partitions.size();
}

ActorId isolated(const FaultPlan& plan, std::uint32_t cut) {
  return ActorId{cut - plan.partitions.size() - 1};
}

}  // namespace

bool crosses(const FaultPlan& plan, std::uint32_t cut, ActorId from, ActorId to) {
  if (is_isolation(plan, cut)) {
    const ActorId alone = isolated(plan, cut);
    return from != outside && (from == alone) != (to == alone);
  }
  int from_block = -1;
  int to_block = -1;
  const PartitionPlan& partition = plan.partitions[cut - 1];
  const std::vector<std::vector<ActorId>>& blocks = partition.blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const ActorId id : blocks[b]) {
      if (id == from) from_block = static_cast<int>(b);
      if (id == to) to_block = static_cast<int>(b);
    }
  }
  if (from_block < 0 || to_block < 0 || from_block == to_block) return false;
  return partition.links.nodes() == 0 ||
         partition.links.is_cut(static_cast<family::Node>(from_block), static_cast<family::Node>(to_block));
}

bool drops(const FaultPlan& plan, std::uint32_t cut) {
  return is_isolation(plan, cut) ? plan.isolation.drops : plan.partitions[cut - 1].drops;
}

std::string cut_name(const Blueprint& blueprint, std::uint32_t cut) {
  const FaultPlan& plan = blueprint.faults;
  if (!is_isolation(plan, cut)) return "partition " + plan.partitions[cut - 1].name;
  return "isolation of " + blueprint.actors[isolated(plan, cut).raw].name;
}

}  // namespace gainsay
