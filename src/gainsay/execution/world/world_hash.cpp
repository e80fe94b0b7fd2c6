#include "gainsay/execution/world/world_hash.hpp"

#include <algorithm>

#include "gainsay/execution/world/queue_order.hpp"

namespace gainsay {
namespace {

constexpr std::uint64_t fingerprint_call = 0x66696e67;  // tells the call from that of a handler

}  // namespace

WorldHash::WorldHash(Kernel& kernel, Network& network, Through through)
    : kernel_(kernel),
      network_(network),
      views_(through == Through::views && !kernel_.blueprint().abstractions.empty()),
      copies_(network.has_copies()) {}

bool WorldHash::possible(const WorldState& world) const {
  if (network_.timed() && kernel_.clock_read() && kernel_.origin() != Kernel::Origin::counted) return false;
  return std::none_of(world.live.begin(), world.live.end(), [](const LiveActor& actor) {
    return actor.is_opaque() && actor.type->fingerprint == nullptr;
  });
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

std::uint64_t WorldHash::seen(ValueId id) {
  if (id == 0) return 0;
  const InternedValue& value = kernel_.value(id);
  if (!views_) return value.hash;
  const auto [where, added] = seen_.try_emplace(id, 0);
  if (added) where->second = seen(*value.type, value.data);
  return where->second;
}

void WorldHash::find_class(EnvelopeId id) {
  if (id >= classes_.size()) classes_.resize(id + std::size_t{1}, 0);
  const Envelope& envelope = kernel_.envelope(id);
  classes_[id] = views_ ? Interner::envelope_hash(envelope, seen(envelope.message)) : envelope.hash;
}

std::uint64_t WorldHash::cell_sum(const WorldState& world, Slot slot) {
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
    if (actor.is_opaque()) {
      const UserCall running(mix(actor.past, fingerprint_call));
      hash = Interner::cell_hash(cell, actor.type->fingerprint(actor.object()), stored(actor.durable), 0,
                                 stored(actor.synced));
    } else {
      hash = Interner::cell_hash(cell, seen(*actor.type->value, actor.object()), stored(actor.durable),
                                 seen(*actor.type->value, actor.initial().data()), stored(actor.synced));
    }
  }
  return scramble(mix(hash, kernel_.directory().id_of(slot).raw + 1ULL));
}

std::uint64_t WorldHash::cell_sums(const WorldState& world) {
  if (summed_.size() < world.cells.size()) summed_.resize(world.cells.size());
  std::uint64_t sum = 0;
  for (Slot slot = 0; slot < world.cells.size(); ++slot) {
    const CellId cell = world.cells[slot];
    if (cell == 0) continue;
    Summed& summed = summed_[slot];
    if (cell == live_cell) {
      sum += cell_sum(world, slot);
      continue;
    }
    if (summed.cell != cell) summed = {cell, cell_sum(world, slot)};
    sum += summed.sum;
  }
  return sum;
}

std::uint64_t WorldHash::rest_of(std::span<const std::uint32_t> budgets, std::uint32_t partition,
                                 std::uint32_t partition_steps_left) {
  std::uint64_t rest = 0;
  for (const std::uint32_t budget : budgets) rest = mix(rest + 1, budget);
  if (partition != 0) rest = mix(rest, (static_cast<std::uint64_t>(partition) << 32U) + partition_steps_left);
  return rest != 0 ? scramble(rest) : 0;
}

std::uint64_t WorldHash::of(const WorldState& world) {
  std::uint64_t sum = cell_sums(world);
  terms_.clear();
  if (network_.unordered()) {
    for (const Pending& pending : world.pending) {
      sum += class_of(pending.envelope);
      if (world.timed) terms_.push_back(class_of(pending.envelope));
    }
  } else {
    sum += ordered_sum(world);
  }
  if (world.timed) sum += time_sum(world);
  sum += rest_of(world.budgets, world.partition, world.partition_steps_left);
  return sum != 0 ? sum : 1;
}

// Of the class of times, and of the clocks that have jumped if anybody looks at them.
std::uint64_t WorldHash::time_sum(const WorldState& world) {
  GAINSAY_CHECK(terms_.size() == world.pending.count(), "every pending event has its summand");
  std::uint64_t sum = network_.time().hash(world, terms_);
  if (kernel_.origin() != Kernel::Origin::counted) return sum;
  for (std::size_t slot = 0; slot < world.clock_jumps_ns.size(); ++slot) {
    if (world.clock_jumps_ns[slot] != 0)
      sum += scramble(mix(slot + 0x400000007ULL, static_cast<std::uint64_t>(world.clock_jumps_ns[slot])));
  }
  return sum;
}

std::uint64_t WorldHash::weight(Slot sender) {
  while (weights_.size() <= sender) {
    const auto slot = static_cast<Slot>(weights_.size());
    weights_.push_back(scramble(kernel_.directory().id_of(slot).raw + 0x100000001ULL) | 1U);
  }
  return weights_[sender];
}

// Of how many of the pending sendings somebody knows, by sender. A copy is the sending that its original is.
inline std::uint64_t WorldHash::known_of(const WorldState& world, const BitTable& known,
                                         std::size_t row) const {
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < known.words(); ++w) {
    bits::each(known.word(row, w) & world.pending.places().word(w),
               [&](std::size_t index) { sum += place_weights_[w * 64 + index]; });
  }
  return sum;
}

// What knowing of each pending event adds, so that it is asked for once.
void WorldHash::find_place_weights(const WorldState& world) {
  if (!world.cells.empty()) (void)weight(static_cast<Slot>(world.cells.size() - 1));
  if (place_weights_.size() < world.pending.behind()) place_weights_.resize(world.pending.behind());
  for (const std::size_t place : world.pending.each_place()) {
    const Slot sender = world.pending[place].sender;
    const bool counts = sender < weights_.size() && (!copies_ || is_first_of_sending(world, place));
    place_weights_[place] = counts ? weights_[sender] : 0;
  }
}

bool WorldHash::is_first_of_sending(const WorldState& world, std::size_t place) const {
  for (const std::size_t other : world.pending.each_place()) {
    if (other >= place) return true;
    if (world.is_same_sending(other, place)) return false;
  }
  return true;
}

std::uint64_t WorldHash::ordered_sum(const WorldState& world) {
  std::uint64_t sum = 0;
  if (world.causal) find_place_weights(world);
  for (const std::size_t place : world.pending.each_place()) {
    const Pending& pending = world.pending[place];
    std::uint64_t term = class_of(pending.envelope);
    const bool outside_queue = pending.order == Delivery::causal && pending.sender == Route::from_outside;
    if (pending.order == Delivery::fifo || pending.order == Delivery::mailbox || outside_queue) {
      std::uint32_t rank = 0;
      world.at.each(pending.to, [&](std::size_t other) {
        const Pending& before = world.pending[other];
        rank += other < place && before.is_message() && before.order == pending.order &&
                (pending.order == Delivery::mailbox || before.sender == pending.sender);
      });
      term = queued(term, rank);
    }
    if (world.causal && pending.is_message()) term = knowing(term, known_of(world, world.known_by, place));
    sum += term;
    if (copies_ || world.timed || world.queued) terms_.push_back(term);
  }
  if (world.queued) sum += QueueOrder::hash(world, terms_);
  if (!world.causal) return sum;
  for (Slot slot = 0; slot < world.cells.size(); ++slot)
    sum += actor_knowing(actor_base(slot), known_of(world, world.known_at, slot));
  if (!copies_) return sum;
  // A copy knows what its original knows, but only what was sent after it appeared waits for it.
  for (const std::size_t later : world.pending.each_place()) {
    if (!world.pending[later].is_sending()) continue;
    world.at.each(world.pending[later].to, [&](std::size_t earlier) {
      if (earlier < later && world.pending[earlier].is_sending() && world.known_by.has(later, earlier))
        sum += scramble(mix(terms_[world.pending.position(earlier)], terms_[world.pending.position(later)]));
    });
  }
  return sum;
}

}  // namespace gainsay
