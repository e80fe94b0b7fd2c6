#include "gainsay/execution/world/world_hash.hpp"

#include <algorithm>

namespace gainsay {

WorldHash::WorldHash(const Kernel& kernel, const Network& network, Through through)
    : kernel_(kernel),
      network_(network),
      views_(through == Through::views && !kernel.blueprint().abstractions.empty()) {}

bool WorldHash::possible(const WorldState& world) const {
  return !network_.timed() && std::none_of(world.live.begin(), world.live.end(),
                                           [](const LiveActor& actor) { return actor.is_opaque(); });
}

std::uint64_t WorldHash::seen(const ValueType& type, const void* data) const {
  if (views_) {
    for (const Abstraction& abstraction : kernel_.blueprint().abstractions) {
      if (abstraction.type != &type) continue;
      const AnyValue view = abstraction.view(data);
      return mix(type.name_hash, Interner::value_hash(view.type(), view.data()));
    }
  }
  return Interner::value_hash(type, data);
}

std::uint64_t WorldHash::seen(ValueId id) const {
  if (id == 0) return 0;
  const InternedValue& value = kernel_.value(id);
  if (!views_) return value.hash;
  const auto [where, added] = seen_.try_emplace(id, 0);
  if (added) where->second = seen(*value.type, value.data);
  return where->second;
}

std::uint64_t WorldHash::class_of(EnvelopeId id) const {
  const Envelope& envelope = kernel_.envelope(id);
  return views_ ? Interner::envelope_hash(envelope, seen(envelope.message)) : envelope.hash;
}

std::uint64_t WorldHash::cell_sum(const WorldState& world, Slot slot) const {
  if (world.cells[slot] != live_cell && !views_) return kernel_.cell_fingerprint(slot, world.cells[slot]);
  std::uint64_t hash = 0;
  if (world.cells[slot] != live_cell) {
    const Cell& cell = kernel_.cell(world.cells[slot]);
    hash = Interner::cell_hash(cell, seen(cell.value), seen(cell.durable), seen(cell.initial),
                               seen(cell.synced));
  } else {
    const LiveActor& actor = world.live[slot];
    Cell cell;
    cell.type = actor.type;
    cell.spawned = actor.spawned;
    cell.invoked = actor.invoked;
    cell.status = actor.status;
    cell.disk = actor.disk;
    const auto stored = [this](const AnyValue& value) {
      return value.has_value() ? seen(value.type(), value.data()) : 0;
    };
    hash = Interner::cell_hash(cell, seen(*actor.type->value, actor.object()), stored(actor.durable),
                               seen(*actor.type->value, actor.initial().data()), stored(actor.synced));
  }
  return scramble(mix(hash, kernel_.directory().id_of(slot).raw + 1ULL));
}

std::uint64_t WorldHash::of(const WorldState& world) const {
  std::uint64_t sum = 0;
  for (Slot slot = 0; slot < world.cells.size(); ++slot) {
    if (world.cells[slot] != 0) sum += cell_sum(world, slot);
  }
  if (network_.unordered()) {
    for (const Pending& pending : world.pending) sum += class_of(pending.envelope);
  } else {
    sum += ordered_sum(world);
  }
  std::uint64_t rest = 0;
  for (const std::uint32_t budget : world.budgets) rest = mix(rest + 1, budget);
  if (world.partition != 0)
    rest = mix(rest, (static_cast<std::uint64_t>(world.partition) << 32U) + world.partition_steps_left);
  if (rest != 0) sum += scramble(rest);
  return sum != 0 ? sum : 1;
}

// A message's label is its class and its rank among equal ones, which every order but `unordered` makes
// canonical: equal messages share a link. What matters of the order is then, for fifo and mailbox, who
// stands before whom in a queue; for causal delivery, which pending sends are in the past of which, and which
// are known to which actor.
std::uint64_t WorldHash::ordered_sum(const WorldState& world) const {
  const std::size_t width = world.clock_width;
  queue_.clear();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < world.pending.size(); ++i) {
    const Envelope& envelope = kernel_.envelope(world.pending[i].envelope);
    Queued queued;
    queued.event = class_of(world.pending[i].envelope);
    queued.to = envelope.to;
    queued.from = envelope.from;
    queued.message = envelope.kind == EventKind::deliver;
    queued.order = network_.order_of(envelope);
    if (queued.order == Delivery::causal && queued.message && envelope.from != outside) {
      queued.sender = kernel_.directory().slot_of(envelope.from);
      queued.sent = world.pending_clocks[i * width + queued.sender];
    }
    std::uint64_t rank = 0;
    if (queued.order != Delivery::unordered || !queued.message) {
      for (const Queued& before : queue_) rank += before.event == queued.event ? 1 : 0;
    }
    queued.label = mix(queued.event, rank + 1);
    sum += scramble(queued.label);
    queue_.push_back(queued);
  }
  const auto knows = [&](std::size_t index, const Queued& of) {
    return world.pending_clocks[index * width + of.sender] >= of.sent;
  };
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const Queued& later = queue_[i];
    // As Network::enabled has it.
    const auto waits_for = [&](const Queued& earlier) {
      if (earlier.to != later.to || !earlier.message) return false;
      switch (later.order) {
        case Delivery::unordered:
          return false;
        case Delivery::fifo:
          return earlier.from == later.from;
        case Delivery::mailbox:
          return earlier.order == Delivery::mailbox;
        case Delivery::causal:
          break;
      }
      if (earlier.order != Delivery::causal) return false;
      return earlier.from == outside ? later.from == outside : knows(i, earlier);
    };
    if (later.message && later.order != Delivery::unordered) {
      for (std::size_t j = 0; j < i; ++j) {
        if (waits_for(queue_[j])) sum += scramble(mix(queue_[j].label, later.label));
      }
    }
    if (later.sender == Directory::no_slot)
      continue;  // nobody will have to wait for it because he knows of it
    // Who knows of this sending: later messages of those actors will have to wait for it.
    for (Slot slot = 0; slot < world.cells.size(); ++slot) {
      if (world.actor_clocks[slot * width + later.sender] >= later.sent) {
        sum += scramble(mix(later.label, kernel_.directory().id_of(slot).raw + 0x100000001ULL));
      }
    }
    for (std::size_t j = 0; j < queue_.size(); ++j) {
      if (j != i && knows(j, later)) sum += scramble(mix(later.label + 1, queue_[j].label));
    }
  }
  return sum;
}

}  // namespace gainsay
