#include "gainsay/execution/world_hash.hpp"

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
    hash = Interner::cell_hash(cell, seen(cell.value), seen(cell.durable), seen(cell.initial));
  } else {
    const LiveActor& actor = world.live[slot];
    Cell cell;
    cell.type = actor.type;
    cell.spawned = actor.spawned;
    cell.invoked = actor.invoked;
    cell.status = actor.status;
    const AnyValue& durable = actor.durable;
    hash = Interner::cell_hash(cell, seen(*actor.type->value, actor.object()),
                               durable.has_value() ? seen(durable.type(), durable.data()) : 0,
                               seen(*actor.type->value, actor.initial().data()));
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
  const std::size_t n = world.pending.size();
  std::vector<std::uint64_t> classes(n);
  std::vector<std::uint64_t> labels(n);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    classes[i] = class_of(world.pending[i].envelope);
    const Envelope& envelope = kernel_.envelope(world.pending[i].envelope);
    std::uint64_t rank = 0;
    if (network_.order_of(envelope) != Delivery::unordered || envelope.kind != EventKind::deliver) {
      for (std::size_t j = 0; j < i; ++j) rank += classes[j] == classes[i] ? 1 : 0;
    }
    labels[i] = mix(classes[i], rank + 1);
    sum += scramble(labels[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Envelope& later = kernel_.envelope(world.pending[i].envelope);
    for (std::size_t j = 0; j < i; ++j) {
      if (network_.waits(world, i, j)) sum += scramble(mix(labels[j], labels[i]));
    }
    if (later.kind != EventKind::deliver || later.from == outside ||
        network_.order_of(later) != Delivery::causal) {
      continue;  // nobody will have to wait for it because he knows of it
    }
    // Who knows of this sending: later messages of those actors will have to wait for it.
    const Slot sender = kernel_.directory().slot_of(later.from);
    const std::uint32_t sent = world.pending_clocks[i * world.clock_width + sender];
    for (Slot slot = 0; slot < world.cells.size(); ++slot) {
      if (world.actor_clocks[slot * world.clock_width + sender] >= sent) {
        sum += scramble(mix(labels[i], kernel_.directory().id_of(slot).raw + 0x100000001ULL));
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i && world.pending_clocks[j * world.clock_width + sender] >= sent) {
        sum += scramble(mix(labels[i] + 1, labels[j]));
      }
    }
  }
  return sum;
}

}  // namespace gainsay
