#include "gainsay/explorer/record.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>

#include <boost/container/small_vector.hpp>

#include "gainsay/execution/world/queue_order.hpp"

namespace gainsay {
namespace {

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

// The places of pending events, in an order that equal states have in common and that keeps every queue. Messages on
// links in causal order stand by how many pending sendings they know of: whatever one of them waits for knows of less.
Places places_of(const WorldState& world, Network& network, RecordOrder order) {
  std::vector<std::uint64_t> when;  // what tells equal events apart, by position
  const bool by_sending = world.queued && order == RecordOrder::canonical;
  if (world.timed || by_sending) {
    std::vector<std::uint64_t> labels;
    for (const Pending& pending : world.pending) labels.push_back(pending.envelope);
    if (world.timed) {
      network.time().signatures(world, labels, when);
    } else {
      QueueOrder::signatures(world, labels, when);
    }
  }
  Places places;
  for (const std::size_t place : world.pending.each_place())
    places.push_back(static_cast<std::uint32_t>(place));
  if (!network.unordered() && (order == RecordOrder::any || network.has_copies())) return places;
  struct Key {
    std::uint32_t rank = 0;  // 0: in no order; 1: in a queue; 2: in causal order
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::uint32_t place = 0;
    auto operator<=>(const Key&) const = default;
  };
  // What causal order makes others wait for, by sender; of one sender in the order of sending.
  Places sendings;
  if (world.causal) {
    std::copy_if(places.begin(), places.end(), std::back_inserter(sendings),
                 [&](std::uint32_t place) { return world.pending[place].is_sending(); });
    std::stable_sort(sendings.begin(), sendings.end(), [&](std::uint32_t a, std::uint32_t b) {
      return world.pending[a].sender < world.pending[b].sender;
    });
  }
  boost::container::small_vector<Key, 64> keys;
  for (std::size_t position = 0; position < places.size(); ++position) {
    const std::uint32_t place = places[position];
    const Pending& pending = world.pending[place];
    if (pending.order == Delivery::mailbox) {
      keys.push_back({1, pending.to, 0, place});
    } else if (pending.order == Delivery::fifo ||
               (pending.order == Delivery::causal && pending.sender == Route::from_outside)) {
      keys.push_back({1, pending.to, pending.sender + std::uint64_t{1}, place});
    } else {
      std::uint64_t known = 0;  // how much is known, and a number that tells apart of what
      std::uint64_t mixed = 0;
      for (std::size_t k = 0; k < sendings.size(); ++k) {
        if (!world.known_by.has(place, sendings[k])) continue;
        ++known;
        mixed = mix(mixed + 1, k);
      }
      if (pending.order == Delivery::causal) {
        keys.push_back({2, known, pending.envelope, place});
      } else {
        keys.push_back({0, pending.envelope, when.empty() ? mixed : mix(mixed, when[position]), place});
      }
    }
  }
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 0; i < keys.size(); ++i) places[i] = keys[i].place;
  return places;
}

// A set of places as a row of bits, by the order in which places are written.
void write_places(const BitTable& table, std::size_t of, const Places& places, std::uint8_t* to,
                  std::size_t row) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (table.has(of, places[i])) set_bit(to, row, i);
  }
}

// Of which pending messages everybody knows.
void write_known(const WorldState& world, const Places& places, std::size_t cells, std::uint8_t* to,
                 std::size_t row) {
  GAINSAY_CHECK(world.known_at.rows() >= cells, "of every actor it is known what it knows of");
  for (std::size_t slot = 0; slot < cells; ++slot, to += row)
    write_places(world.known_at, slot, places, to, row);
  for (const std::uint32_t place : places) {
    write_places(world.known_by, place, places, to, row);
    to += row;
  }
}

// What has been sent for certain, and what was sent before each.
void write_sendings(const WorldState& world, const Places& places, std::uint8_t* to, std::size_t row) {
  GAINSAY_CHECK(world.earlier.rows() == world.pending.behind(), "every pending event has a place");
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (world.sent[places[i]]) set_bit(to, row, i);
  }
  for (const std::uint32_t place : places) write_places(world.earlier, place, places, to += row, row);
}

// Rows of bits, one after the other.
void read_places(const std::uint8_t* from, std::size_t row, std::size_t rows, BitTable& table) {
  table.set_rows(rows);
  for (std::size_t r = 0; r < rows; ++r, from += row) {
    for (std::size_t at = 0; at < row; at += 8)
      table.row(r)[at / 8] = bit_rows::load(from + at, std::min<std::size_t>(row, 8));
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
  std::vector<double> bounds(network.time().written_size(world.pending.count()));
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
  if (world.cells.size() > most_pending || world.pending.count() > most_pending) throw UserError(too_large);
  // Places for actors that this world does not have say nothing about it; how many there are depends on what
  // was explored before.
  std::size_t cells = world.cells.size();
  while (cells > 0 && world.cells[cells - 1] == 0) --cells;
  out.push_back(static_cast<std::uint32_t>(fingerprint));
  out.push_back(static_cast<std::uint32_t>(fingerprint >> 32U));
  out.push_back(static_cast<std::uint32_t>(cells) |
                (static_cast<std::uint32_t>(world.pending.count()) << 16U));
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
    if (world.refused[places[i]]) set_bit(to + row, row, i);
  }
  if (network.causal()) write_known(world, places, cells, to + 2 * row, row);
  if (network.queued()) write_sendings(world, places, to + known * row, row);
  if (network.timed()) write_time(world, network, places, out);
}

void decode(const RecordView& record, Engine& engine, WorldState& world) {
  const Kernel& kernel = engine.kernel();
  Network& network = engine.network;
  const RecordRest rest(record, network);
  const auto cells = record.cells();
  world.cells.assign(cells.begin(), cells.end());
  world.classes.assign(cells.size(), 0);
  world.starts_pending = 0;
  world.starting.clear();
  world.set_all_ready();
  world.steps = 0;
  world.causal = network.causal();
  world.queued = network.queued();
  world.timed = network.timed();
  world.gated = false;
  world.heat.assign(kernel.blueprint().liveness_rows(), HeatSpan{});
  for (const CellId cell : cells) world.gated = world.gated || (cell != 0 && kernel.cell(cell).type->gated);
  const auto pending = record.pending();
  world.pending.clear();
  world.messages_in.assign(network.budgets().groups().size(), 0);
  world.ordered = !network.unordered();
  world.lay_out(cells.size(), pending.size());
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const Route& route = network.route(pending[i]);
    world.append(route, EventId{}, pending[i], no_step);
    if (!route.is_message()) world.own.set(i);
    if (world.ordered && route.is_message()) world.from.set(WorldState::sender_row(route.sender), i);
    if (rest.ready != nullptr && !has_bit(rest.ready, rest.row, i)) world.set_ready(i, false);
    if (rest.refused != nullptr && has_bit(rest.refused, rest.row, i)) world.refused.set(i);
    if (route.kind == EventKind::start) world.add_start(route.to);
  }
  world.budgets.assign(rest.budgets.begin(), rest.budgets.end());
  if (network.has_faults()) world.fault_ordinals.assign(cells.size(), 0);
  world.partition = rest.partition;
  world.partition_steps_left = rest.partition_steps_left;
  if (world.causal) {
    read_places(rest.actors_know, rest.row, cells.size(), world.known_at);
    read_places(rest.pending_know, rest.row, pending.size(), world.known_by);
  }
  if (world.queued) {
    world.sent.fill(pending.size(), [&](std::size_t i) { return has_bit(rest.sent, rest.row, i); });
    read_places(rest.sent + rest.row, rest.row, pending.size(), world.earlier);
  }
  if (world.timed) read_time(rest.time, network, world);
  if (rest.ready == nullptr && network.may_wait(world)) network.refresh_all(world);
}

std::size_t record_words(const RecordView& record, const Network& network) {
  return static_cast<std::size_t>(RecordRest(record, network).end - record.words);
}

}  // namespace gainsay
