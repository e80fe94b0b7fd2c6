#include "gainsay/explorer/record.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include <boost/container/small_vector.hpp>

#include "gainsay/execution/world/queue_order.hpp"

namespace gainsay {
namespace {

using Sendings = boost::container::small_vector<Sending, 64>;

// Whether records say what is ready: where it does not go without saying, nor is asked of starts and gates alone.
bool keeps_ready(const Network& network) { return !network.may_be_free(); }

bool has_bit(const std::uint8_t* row, std::size_t bytes, std::size_t place) {
  const std::size_t chunk = place / 64 * 8;
  return ((bit_rows::load(row + chunk, std::min<std::size_t>(bytes, 8)) >> (place % 64)) & 1U) != 0;
}
void set_bit(std::uint8_t* row, std::size_t bytes, std::size_t place) {
  const std::size_t chunk = place / 64 * 8;
  const std::size_t width = std::min<std::size_t>(bytes, 8);
  bit_rows::store(row + chunk, width,
                  bit_rows::load(row + chunk, width) | (std::uint64_t{1} << (place % 64)));
}

using Places = boost::container::small_vector<std::uint32_t, 64>;

// The pending events in an order that equal states have in common and that keeps every queue. Messages on links in
// causal order stand by how many pending sendings they know of: whatever one of them waits for knows of less.
Places places_of(const WorldState& world, Network& network, RecordOrder order) {
  std::vector<std::uint64_t> when;  // simulated time: what tells equal events apart
  if (world.timed) {
    std::vector<std::uint64_t> labels;
    for (const Pending& pending : world.pending) labels.push_back(pending.envelope);
    network.time().signatures(world, labels, when);
  } else if (world.queued && order == RecordOrder::canonical) {
    std::vector<std::uint64_t> labels;
    for (const Pending& pending : world.pending) labels.push_back(pending.envelope);
    QueueOrder::signatures(world, labels, when);
  }
  struct Key {
    std::uint32_t rank = 0;  // 0: in no order; 1: in a queue; 2: in causal order
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    auto operator<=>(const Key&) const = default;
  };
  Places places(world.pending.size());
  std::iota(places.begin(), places.end(), 0U);
  if (network.unordered()) {
    std::sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (world.pending[a].envelope != world.pending[b].envelope || when.empty())
        return world.pending[a].envelope < world.pending[b].envelope;
      return std::tie(when[a], a) < std::tie(when[b], b);
    });
    return places;
  }
  if (order == RecordOrder::any || network.has_copies()) return places;
  Sendings sendings;
  find_sendings(world, network, sendings);
  boost::container::small_vector<Key, 64> keys;
  for (std::size_t i = 0; i < world.pending.size(); ++i) {
    const Pending& pending = world.pending[i];
    const Network::Route& route = network.route(pending.envelope);
    if (route.order == Delivery::mailbox) {
      keys.push_back({1, route.to, 0});
    } else if (route.order == Delivery::fifo ||
               (route.order == Delivery::causal && route.sender == Network::from_outside)) {
      keys.push_back({1, route.to, route.sender + std::uint64_t{1}});
    } else {
      std::uint64_t known = 0;  // a number that tells clocks apart, and how much is known
      std::uint64_t mixed = 0;
      if (world.causal) {
        for (std::size_t k = 0; k < sendings.size(); ++k) {
          if (world.clock_of(i)[sendings[k].sender] < sendings[k].sent) continue;
          ++known;
          mixed = mix(mixed + 1, k);
        }
      }
      if (route.order == Delivery::causal) {
        keys.push_back({2, known, pending.envelope});
      } else {
        keys.push_back({0, pending.envelope, when.empty() ? mixed : mix(mixed, when[i])});
      }
    }
  }
  std::sort(places.begin(), places.end(),
            [&](std::uint32_t a, std::uint32_t b) { return std::tie(keys[a], a) < std::tie(keys[b], b); });
  return places;
}

// Of which pending messages everybody knows.
void write_known(const WorldState& world, Network& network, const Places& places, std::size_t cells,
                 std::uint8_t* to, std::size_t row) {
  GAINSAY_CHECK(world.clock_width >= cells, "every actor has a clock");
  const auto write_knowledge = [&](const std::uint32_t* clock) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Network::Route& route = network.route(world.pending[places[i]].envelope);
      if (is_sending(route) && clock[route.sender] >= world.clock_of(places[i])[route.sender])
        set_bit(to, row, i);
    }
    to += row;
  };
  for (std::size_t slot = 0; slot < cells; ++slot)
    write_knowledge(&world.actor_clocks[slot * world.clock_width]);
  for (const std::uint32_t place : places) write_knowledge(world.clock_of(place));
}

// What has been sent for certain, and what was sent before each.
void write_sendings(const WorldState& world, const Places& places, std::uint8_t* to, std::size_t row) {
  GAINSAY_CHECK(world.earlier.size() == places.size(), "every pending event has a place");
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (world.sent[places[i]]) set_bit(to, row, i);
  }
  for (const std::uint32_t place : places) {
    to += row;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (world.earlier[place][places[i]]) set_bit(to, row, i);
    }
  }
}

void read_sendings(const RecordRest& rest, WorldState& world) {
  const std::size_t count = world.pending.size();
  world.sent.clear();
  world.earlier.assign(count, {});
  for (std::size_t i = 0; i < count; ++i) {
    world.sent.set(i, has_bit(rest.sent, rest.row, i));
    for (std::size_t k = 0; k < count; ++k)
      world.earlier[i].set(k, has_bit(rest.sent + (i + 1) * rest.row, rest.row, k));
  }
}

// 64 bits each.
void write_word(std::uint64_t word, std::vector<std::uint32_t>& out) {
  out.push_back(static_cast<std::uint32_t>(word));
  out.push_back(static_cast<std::uint32_t>(word >> 32U));
}
std::uint64_t read_word(const std::uint32_t* words) {
  return words[0] | (static_cast<std::uint64_t>(words[1]) << 32U);
}

bool has_jumps(const Kernel& kernel) {
  return kernel.origin() == Kernel::Origin::counted && !kernel.blueprint().faults.clock_jumps.empty();
}

std::size_t time_words(std::size_t pending, const Kernel& kernel, const WorldTime& time) {
  return 2 * ((has_jumps(kernel) ? kernel.blueprint().actors.size() : 0) + time.written_size(pending));
}

void write_time(const WorldState& world, Network& network, const Places& places,
                std::vector<std::uint32_t>& out) {
  if (has_jumps(network.kernel())) {
    for (Slot slot = 0; slot < network.kernel().blueprint().actors.size(); ++slot)
      write_word(static_cast<std::uint64_t>(world.clock_jump(slot)), out);
  }
  std::vector<double> bounds;
  network.time().write(world, {places.data(), places.size()}, bounds);
  for (const double bound : bounds) write_word(std::bit_cast<std::uint64_t>(bound == 0 ? 0.0 : bound), out);
}

void read_time(const std::uint32_t* next, Network& network, WorldState& world) {
  if (has_jumps(network.kernel())) {
    world.clock_jumps_ns.clear();
    for (std::size_t slot = 0; slot < network.kernel().blueprint().actors.size(); ++slot, next += 2)
      world.clock_jumps_ns.push_back(static_cast<std::int64_t>(read_word(next)));
  }
  std::vector<double> bounds(network.time().written_size(world.pending.size()));
  for (double& bound : bounds) {
    bound = std::bit_cast<double>(read_word(next));
    next += 2;
  }
  network.time().read(world, bounds);
}

}  // namespace

RecordRest::RecordRest(const RecordView& record, const Network& network) : end(record.rest()) {
  GAINSAY_CHECK(keeps_ready(network) || !network.timed(), "where there is time, not all is free");
  if (!keeps_ready(network)) return;
  if (network.has_budgets()) {
    budgets = {end, network.budgets().initial().size()};
    end += budgets.size();
    partition = *end++;
    partition_steps_left = *end++;
  }
  row = bit_rows::bytes(record.pending_count());
  ready = reinterpret_cast<const std::uint8_t*>(end);
  refused = ready + row;
  std::size_t rows = 2;
  if (network.causal()) {
    actors_know = refused + row;
    pending_know = actors_know + record.cells_count() * row;
    rows += record.cells_count() + record.pending_count();
  }
  if (network.queued()) {
    sent = ready + rows * row;
    rows += 1 + record.pending_count();
  }
  end += words_of_rows(rows, row);
  if (!network.timed()) return;
  time = end;
  end += time_words(record.pending_count(), network.kernel(), network.time());
}

void encode(const WorldState& world, std::uint64_t fingerprint, Network& network,
            std::vector<std::uint32_t>& out, RecordOrder order) {
  if (world.cells.size() > most_pending || world.pending.size() > most_pending) throw UserError(too_large);
  // Places for actors that this world does not have say nothing about it; how many there are depends on what
  // was explored before.
  std::size_t cells = world.cells.size();
  while (cells > 0 && world.cells[cells - 1] == 0) --cells;
  out.push_back(static_cast<std::uint32_t>(fingerprint));
  out.push_back(static_cast<std::uint32_t>(fingerprint >> 32U));
  out.push_back(static_cast<std::uint32_t>(cells) |
                (static_cast<std::uint32_t>(world.pending.size()) << 16U));
  out.insert(out.end(), world.cells.begin(), world.cells.begin() + static_cast<std::ptrdiff_t>(cells));
  const Places places = places_of(world, network, order);
  for (const std::uint32_t place : places) out.push_back(world.pending[place].envelope);
  if (!keeps_ready(network)) return;
  if (network.has_budgets()) {
    GAINSAY_CHECK(world.budgets.size() == network.budgets().initial().size(), "every budget has its place");
    out.insert(out.end(), world.budgets.begin(), world.budgets.end());
    out.push_back(world.partition);
    out.push_back(world.partition_steps_left);
  }
  const std::size_t row = bit_rows::bytes(places.size());
  const std::size_t first = out.size();
  const std::size_t known = 2 + (network.causal() ? cells + places.size() : 0);
  out.resize(first + RecordRest::words_of_rows(known + (network.queued() ? 1 + places.size() : 0), row), 0);
  auto* to = reinterpret_cast<std::uint8_t*>(out.data() + first);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (world.is_ready(places[i])) set_bit(to, row, i);
    if (world.pending[places[i]].refused) set_bit(to + row, row, i);
  }
  if (network.causal()) write_known(world, network, places, cells, to + 2 * row, row);
  if (network.queued()) write_sendings(world, places, to + known * row, row);
  if (network.timed()) write_time(world, network, places, out);
}

namespace {

// Clocks that count, of each sender, the sendings that are pending.
void read_clocks(const RecordView& record, const RecordRest& rest, Network& network, WorldState& world) {
  const std::size_t width = record.cells_count();
  const std::size_t row = rest.row;
  const auto pending = record.pending();
  // The how-manieth pending sending of its sender a message is. A copy knows what its original knows, and is the same
  // sending; of two others of one sender the later one knows more.
  boost::container::small_vector<std::uint32_t, 64> sent(pending.size(), 0);
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const Network::Route route = network.route(pending[i]);
    if (!is_sending(route)) continue;
    const std::uint8_t* known = rest.pending_know + i * row;
    GAINSAY_CHECK(has_bit(known, row, i), "a message knows of its own sending");
    for (std::size_t j = 0; j < pending.size(); ++j) {
      if (!has_bit(known, row, j) || network.route(pending[j]).sender != route.sender) continue;
      bool first = true;
      for (std::size_t k = 0; k < j && first && network.has_copies(); ++k) {
        first = !is_sending(network.route(pending[k])) || network.route(pending[k]).sender != route.sender ||
                !std::equal(rest.pending_know + k * row, rest.pending_know + (k + 1) * row,
                            rest.pending_know + j * row);
      }
      sent[i] += first ? 1 : 0;
    }
  }
  const auto read_clock = [&](const std::uint8_t* known, std::uint32_t* clock) {
    for (std::size_t i = 0; i < pending.size(); ++i) {
      if (!has_bit(known, row, i)) continue;
      std::uint32_t& count = clock[network.route(pending[i]).sender];
      count = std::max(count, sent[i]);
    }
  };
  world.clock_width = record.cells_count();
  world.actor_clocks.assign(width * width, 0);
  world.pending_clocks.assign(width * pending.size(), 0);
  for (std::size_t slot = 0; slot < width; ++slot)
    read_clock(rest.actors_know + slot * row, &world.actor_clocks[slot * width]);
  for (std::size_t i = 0; i < pending.size(); ++i)
    read_clock(rest.pending_know + i * row, &world.pending_clocks[i * width]);
}

}  // namespace

void decode(const RecordView& record, Engine& engine, WorldState& world) {
  const Kernel& kernel = engine.kernel();
  Network& network = engine.network;
  const RecordRest rest(record, network);
  const auto cells = record.cells();
  world.cells.assign(cells.begin(), cells.end());
  world.classes.assign(cells.size(), 0);
  world.starts_pending = 0;
  world.set_all_ready();
  world.steps = 0;
  world.causal = network.causal();
  world.queued = network.queued();
  world.timed = network.timed();
  world.gated = false;
  world.heat.assign(kernel.blueprint().liveness_rows(), HeatSpan{});
  for (const CellId cell : cells) world.gated = world.gated || (cell != 0 && kernel.cell(cell).type->gated);
  const auto pending = record.pending();
  world.pending.resize(pending.size());
  world.messages_in.assign(network.budgets().groups().size(), 0);
  world.ordered = !network.unordered();
  world.links.clear();
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const Network::Route& route = network.route(pending[i]);
    Pending& entry = world.pending[i];
    entry.envelope = pending[i];
    entry.to = route.to;
    entry.kind = route.kind;
    entry.group = route.group & 0x7fU;
    if (route.group != 0) ++world.messages_in[route.group];
    if (world.ordered) world.links.push_back(WorldState::link(route.to, Network::sender_byte(route)));
    entry.blocker = 0;
    entry.refused = rest.refused != nullptr && has_bit(rest.refused, rest.row, i);
    if (rest.ready != nullptr && !has_bit(rest.ready, rest.row, i)) world.set_ready(i, false);
    if (route.kind == EventKind::start) ++world.starts_pending;
  }
  world.budgets.assign(rest.budgets.begin(), rest.budgets.end());
  if (network.has_faults()) world.fault_ordinals.assign(cells.size(), 0);
  world.partition = rest.partition;
  world.partition_steps_left = rest.partition_steps_left;
  if (world.causal) read_clocks(record, rest, network, world);
  if (world.queued) read_sendings(rest, world);
  if (world.timed) read_time(rest.time, network, world);
  if (rest.ready == nullptr && network.may_wait(world)) network.refresh_all(world);
}

std::size_t record_words(const RecordView& record, const Network& network) {
  return static_cast<std::size_t>(RecordRest(record, network).end - record.words);
}

}  // namespace gainsay
