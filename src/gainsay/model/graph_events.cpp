#include "gainsay/model/graph_events.hpp"

#include <fmt/format.h>

#include "gainsay/base/print.hpp"
#include "gainsay/execution/world/faults/cut.hpp"
#include "gainsay/execution/world/faults/faults.hpp"
#include "gainsay/scenario/task_host.hpp"

namespace gainsay {
namespace {

std::string printed(const Kernel& kernel, ValueId id) {
  const InternedValue& value = kernel.value(id);
  return print(*value.type, value.data, [&](ActorId actor) { return kernel.directory().name_of(actor); });
}

std::string partition_text(const Kernel& kernel, std::uint32_t index) {
  const PartitionPlan& plan = kernel.blueprint().faults.partitions[index];
  std::vector<std::string> blocks;
  for (const auto& block : plan.blocks) {
    std::vector<std::string> members;
    for (const ActorId id : block) members.push_back(kernel.directory().name_of(id));
    blocks.push_back(fmt::format("{}", fmt::join(members, " ")));
  }
  return fmt::format("{}: {}", plan.name, fmt::join(blocks, " | "));
}

}  // namespace

GraphEvent EventBook::describe(const Place& place, const std::vector<DataChoice>& answers,
                               std::uint64_t identity) const {
  GraphEvent event;
  event.kind = place.kind;
  event.answers = answers;
  event.identity = identity;
  const Directory& directory = kernel_.directory();
  if (place.envelope != 0) {
    const Envelope& envelope = kernel_.envelope(place.envelope);
    if (envelope.receiver != nobody) event.receiver = directory.name_of(envelope.receiver);
    if (place.kind != EventKind::start && envelope.from != nobody)
      event.sender = directory.name_of(envelope.from);
    if (envelope.message != 0) event.message = printed(kernel_, envelope.message);
    if (place.kind == EventKind::lost) event.message += " in " + cut_name(kernel_.blueprint(), place.cut);
  } else if (place.kind == EventKind::partition) {
    event.message = partition_text(kernel_, place.target);
  } else if (place.kind == EventKind::heal) {
    event.message = cut_name(kernel_.blueprint(), place.cut);
  } else if (place.kind == EventKind::isolate) {
    event.receiver = directory.name_of(directory.id_of(place.target));
  } else if (place.kind != EventKind::stop) {
    event.receiver = directory.name_of(directory.id_of(actor_of(kernel_.blueprint(), place.target)));
    const std::size_t plan = plan_of(kernel_.blueprint(), place.target);
    if (plan != 0) event.message = fmt::format("plan {}", plan);
  }
  event.text = kind_name(event.kind);
  if (!event.message.empty()) event.text += " " + event.message;
  if (!event.sender.empty() && event.sender != event.receiver) event.text += " from " + event.sender;
  if (!event.receiver.empty())
    event.text += (scheduled_as(event.kind) == EventKind::deliver ? " to " : " at ") + event.receiver;
  return event;
}

std::uint32_t EventPages::number(Engine& engine, const WorldState& world, const Alternative& alternative,
                                 const Leaf* leaf) {
  static const std::vector<DataChoice> nothing;
  EventBook::Place place;
  place.kind = alternative.kind;
  if (concerns_pending(alternative)) {
    place.envelope = world.pending[alternative.target].envelope;
  } else {
    place.target = alternative.target;
  }
  if (place.kind == EventKind::lost || place.kind == EventKind::heal) place.cut = world.partition;
  const std::uint64_t answered = leaf != nullptr ? leaf->answers_hash : 0;
  const std::uint64_t key =
      mix(mix((std::uint64_t{place.envelope} << 32U) | place.target,
              (std::uint64_t{place.cut} << 8U) | static_cast<std::uint64_t>(place.kind)),
          answered);
  const auto [where, added] = known_.try_emplace(key, 0);
  if (added) {
    const auto held = engine.front.lock();
    where->second = book_.number(place, leaf != nullptr ? leaf->answers : nothing, [&] {
      return is_ordinary(place.kind) ? engine.hash.class_of(place.envelope) : std::uint64_t{0};
    });
  }
  return where->second;
}

std::string cell_text(const Kernel& kernel, CellId id) {
  if (id == 0) return "";
  const Cell& cell = kernel.cell(id);
  std::string text = cell.value != 0 ? printed(kernel, cell.value) : std::string("()");
  if (cell.durable != 0) text += ", durable " + printed(kernel, cell.durable);
  if (cell.synced != 0) text += ", synced " + printed(kernel, cell.synced);
  if (cell.status == ActorStatus::crashed) text += ", crashed";
  if (cell.spawned != 0) text += fmt::format(", {} spawned", cell.spawned);
  if (cell.invoked != 0) text += fmt::format(", {} invoked", cell.invoked);
  constexpr const char* disks[] = {"", ", disk fails", ", disk tears", ", disk caches", ", disk cached"};
  return text + disks[static_cast<std::size_t>(cell.disk)];
}

}  // namespace gainsay
