#include "gainsay/execution/world/queue_order.hpp"

#include <algorithm>
#include <numeric>

#include "gainsay/base/hash.hpp"

namespace gainsay {
namespace {

bool is_message(const Pending& pending) { return pending.kind == EventKind::deliver; }

}  // namespace

void QueueOrder::added(WorldState& world) const {
  GAINSAY_CHECK(world.queued && world.earlier.size() == world.pending.size(), "the entry is there");
  const std::size_t index = world.pending.size() - 1;
  const Pending& added = world.pending[index];
  if (!is_message(added)) return;
  BitRow& row = world.earlier[index];
  if (added.parent == no_step) {
    for (std::size_t i = 0; i < index; ++i)
      row.set(i, is_message(world.pending[i]) && world.pending[i].to == added.to);
    world.sent.set(index, true);
    return;
  }
  for (std::size_t i = 0; i < index; ++i)
    row.set(i, world.sent[i] || (is_message(world.pending[i]) && world.pending[i].parent == added.parent));
}

void QueueOrder::added_start(WorldState& world, std::uint32_t sent) const {
  GAINSAY_CHECK(world.queued && world.pending.back().kind == EventKind::start, "the entry is a start");
  BitRow& row = world.earlier.back();
  for (std::size_t i = 0; i + 1 < world.pending.size() && sent > 0; ++i) {
    if (!is_message(world.pending[i]) || world.pending[i].parent != world.steps) continue;
    row.set(i, true);
    --sent;
  }
  GAINSAY_CHECK(sent == 0, "what a step has sent is pending when it ends");
}

void QueueOrder::copied(WorldState& world, std::size_t index) const {
  GAINSAY_CHECK(world.queued && index + 1 < world.pending.size(), "the copy is the last entry");
  send(world, index);
  const std::size_t copy = world.pending.size() - 1;
  for (std::size_t i = 0; i < copy; ++i) world.earlier[copy].set(i, world.sent[i]);
  world.sent.set(copy, true);
}

void QueueOrder::taken(WorldState& world, std::size_t index) const {
  GAINSAY_CHECK(world.queued && index < world.pending.size(), "the event is pending");
  const Pending& taken = world.pending[index];
  const std::size_t count = world.pending.size();
  if (taken.kind == EventKind::start) {
    for (std::size_t i = 0; i < count; ++i) {
      if (world.earlier[index][i]) send(world, i);
    }
    return;
  }
  if (!is_message(taken)) return;
  send(world, index);
  if (network_.route(taken.envelope).order != Delivery::queue) return;
  // It was first of those that its receiver could have taken: they, and what was sent after them, came after it and
  // after what was sent before it.
  BitRow after;
  for (std::size_t i = 0; i < count; ++i) {
    const Pending& other = world.pending[i];
    if (i == index || !is_message(other) || other.to != taken.to || other.refused) continue;
    if (network_.route(other.envelope).order != Delivery::queue) continue;
    if (world.partition != 0 && network_.cut(world, network_.kernel().envelope(other.envelope))) continue;
    GAINSAY_CHECK(!world.earlier[index][i], "what is taken is the first of its queue");
    after.set(i, true);
  }
  for (std::size_t i = 0; i < count; ++i) {
    bool later = after[i];
    for (std::size_t k = 0; k < count && !later; ++k) later = after[k] && world.earlier[i][k];
    if (!later) continue;
    for (std::size_t k = 0; k < count; ++k) {
      if (k == index || world.earlier[index][k]) world.earlier[i].set(k, true);
    }
    GAINSAY_CHECK(!world.earlier[i][i], "nothing was sent before itself");
  }
}

void QueueOrder::acts(WorldState& world, Slot slot) const {
  for (std::size_t i = 0; i < world.pending.size(); ++i) {
    if (is_message(world.pending[i]) && network_.route(world.pending[i].envelope).sender == slot)
      send(world, i);
  }
}

void QueueOrder::send(WorldState& world, std::size_t index) const {
  GAINSAY_CHECK(is_message(world.pending[index]), "messages are sent");
  if (world.sent[index]) return;
  world.sent.set(index, true);
  for (std::size_t i = 0; i < world.pending.size(); ++i) {
    if (world.earlier[index][i]) world.sent.set(i, true);
  }
}

// Colours are refined by those of what was sent before and after; the third round tells most orders apart.
void QueueOrder::signatures(const WorldState& world, std::span<const std::uint64_t> labels,
                            std::vector<std::uint64_t>& out) {
  const std::size_t count = world.pending.size();
  GAINSAY_CHECK(labels.size() == count && world.earlier.size() == count, "every pending event has a label");
  out.resize(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = mix(labels[i], world.sent[i] ? 2 : 1);
  std::vector<std::uint64_t> refined(count);
  for (int round = 0; round < 3; ++round) {
    std::fill(refined.begin(), refined.end(), 0);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < count; ++k) {
        if (!world.earlier[i][k]) continue;
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
  std::vector<std::uint32_t> places(colours.size());
  std::iota(places.begin(), places.end(), 0U);
  std::sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(colours[a], a) < std::tie(colours[b], b);
  });
  Hasher all(colours.size());
  for (const std::uint32_t a : places) {
    all.add(colours[a]);
    std::uint64_t row = 0;
    for (const std::uint32_t b : places) row = mix(row, world.earlier[a][b] ? 2 : 1);
    all.add(row);
  }
  return scramble(all.finish());
}

}  // namespace gainsay
