#include "gainsay/execution/world/queue_order.hpp"

#include <algorithm>
#include <numeric>

#include "gainsay/base/hash.hpp"

namespace gainsay {

void QueueOrder::added(WorldState& world) const {
  GAINSAY_CHECK(world.queued && world.earlier.rows() == world.pending.behind(), "the event is there");
  const std::size_t place = world.pending.behind() - 1;
  const Pending& added = world.pending[place];
  if (!added.is_message()) return;
  if (added.parent == no_step) {
    for (const std::size_t i : world.pending.each_place()) {
      if (i != place && world.pending[i].is_message() && world.pending[i].to == added.to)
        world.earlier.set(place, i);
    }
    world.sent.set(place);
    return;
  }
  for (const std::size_t i : world.pending.each_place()) {
    const Pending& other = world.pending[i];
    if (i != place && (world.sent[i] || (other.is_message() && other.parent == added.parent)))
      world.earlier.set(place, i);
  }
}

void QueueOrder::added_start(WorldState& world, std::uint32_t sent) const {
  const std::size_t place = world.pending.behind() - 1;
  GAINSAY_CHECK(world.queued && world.pending[place].kind == EventKind::start, "the event is a start");
  for (const std::size_t i : world.pending.each_place()) {
    if (sent == 0) break;
    if (!world.pending[i].is_message() || world.pending[i].parent != world.steps) continue;
    world.earlier.set(place, i);
    --sent;
  }
  GAINSAY_CHECK(sent == 0, "what a step has sent is pending when it ends");
}

void QueueOrder::copied(WorldState& world, std::size_t place) const {
  const std::size_t copy = world.pending.behind() - 1;
  GAINSAY_CHECK(world.queued && place < copy, "the copy is the last event");
  send(world, place);
  for (const std::size_t i : world.pending.each_place()) {
    if (i != copy && world.sent[i]) world.earlier.set(copy, i);
  }
  world.sent.set(copy);
}

void QueueOrder::taken(WorldState& world, std::size_t place) const {
  GAINSAY_CHECK(world.queued && world.pending.has(place), "the event is pending");
  const Pending& taken = world.pending[place];
  const PendingRow::Places places = world.pending.each_place();
  if (taken.kind == EventKind::start) {
    for (const std::size_t i : places) {
      if (world.earlier.has(place, i)) send(world, i);
    }
    return;
  }
  if (!taken.is_message()) return;
  send(world, place);
  if (taken.order != Delivery::queue) return;
  // It was first of those that its receiver could have taken: they, and what was sent after them, came after it and
  // after what was sent before it.
  BitRow after;
  for (const std::size_t i : places) {
    const Pending& other = world.pending[i];
    if (i == place || !other.is_message() || other.to != taken.to || world.refused[i]) continue;
    if (other.order != Delivery::queue) continue;
    if (world.partition != 0 && network_.cut(world, network_.kernel().envelope(other.envelope))) continue;
    GAINSAY_CHECK(!world.earlier.has(place, i), "what is taken is the first of its queue");
    after.set(i);
  }
  for (const std::size_t i : places) {
    bool later = after[i];
    for (const std::size_t k : places) later = later || (after[k] && world.earlier.has(i, k));
    if (!later) continue;
    for (const std::size_t k : places) {
      if (k == place || world.earlier.has(place, k)) world.earlier.set(i, k);
    }
    GAINSAY_CHECK(!world.earlier.has(i, i), "nothing was sent before itself");
  }
}

void QueueOrder::acts(WorldState& world, Slot slot) const {
  for (const std::size_t i : world.pending.each_place()) {
    if (world.pending[i].is_message() && world.pending[i].sender == slot) send(world, i);
  }
}

void QueueOrder::send(WorldState& world, std::size_t place) const {
  GAINSAY_CHECK(world.pending[place].is_message(), "messages are sent");
  if (world.sent[place]) return;
  world.sent.set(place);
  for (const std::size_t i : world.pending.each_place()) {
    if (world.earlier.has(place, i)) world.sent.set(i);
  }
}

// Colours are refined by those of what was sent before and after; the third round tells most orders apart.
void QueueOrder::signatures(const WorldState& world, std::span<const std::uint64_t> labels,
                            std::vector<std::uint64_t>& out) {
  const std::size_t count = world.pending.count();
  GAINSAY_CHECK(labels.size() == count && world.earlier.rows() == world.pending.behind(),
                "every pending event has a label");
  out.resize(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = mix(labels[i], world.sent[world.pending.place(i)] ? 2 : 1);
  std::vector<std::uint64_t> refined(count);
  for (int round = 0; round < 3; ++round) {
    std::fill(refined.begin(), refined.end(), 0);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < count; ++k) {
        if (!world.earlier.has(world.pending.place(i), world.pending.place(k))) continue;
        refined[i] += scramble(out[k] + 1);
        refined[k] += scramble(out[i] + 2);
      }
    }
    for (std::size_t i = 0; i < count; ++i) out[i] = scramble(mix(out[i], refined[i]));
  }
}

std::uint64_t QueueOrder::hash(const WorldState& world, std::span<const std::uint64_t> labels) {
  std::vector<std::uint64_t> colours;
  signatures(world, labels, colours);
  std::vector<std::uint32_t> positions(colours.size());
  std::iota(positions.begin(), positions.end(), 0U);
  std::sort(positions.begin(), positions.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(colours[a], a) < std::tie(colours[b], b);
  });
  Hasher all(colours.size());
  for (const std::uint32_t a : positions) {
    all.add(colours[a]);
    std::uint64_t row = 0;
    for (const std::uint32_t b : positions)
      row = mix(row, world.earlier.has(world.pending.place(a), world.pending.place(b)) ? 2 : 1);
    all.add(row);
  }
  return scramble(all.finish());
}

}  // namespace gainsay
