#include "gainsay/explorer/record.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include <boost/container/small_vector.hpp>

namespace gainsay {
namespace {

// A pending message that causal order makes others wait for.
struct Sending {
  Slot sender = 0;
  std::uint32_t sent = 0;
  friend auto operator<=>(const Sending&, const Sending&) = default;
};
using Sendings = boost::container::small_vector<Sending, 64>;

constexpr std::size_t row_words(std::size_t width) { return (width + 3) / 4; }

Sendings pending_sendings(const WorldState& world, Network& network) {
  Sendings sendings;
  for (std::size_t i = 0; i < world.pending.size(); ++i) {
    const Network::Route& route = network.route(world.pending[i].envelope);
    if (route.order == Delivery::causal && route.sender != Network::from_outside)
      sendings.push_back({route.sender, world.clock_of(i)[route.sender]});
  }
  std::sort(sendings.begin(), sendings.end());
  sendings.erase(std::unique(sendings.begin(), sendings.end()), sendings.end());
  return sendings;
}

// Of how many of the pending sendings of each sender the owner of the clock knows.
void write_clock(const Sendings& sendings, const std::uint32_t* clock, std::uint8_t* row) {
  for (std::size_t i = 0; i < sendings.size();) {
    const Slot sender = sendings[i].sender;
    const std::uint32_t known = clock[sender];
    std::uint32_t count = 0;
    for (; i < sendings.size() && sendings[i].sender == sender; ++i)
      count += sendings[i].sent <= known ? 1 : 0;
    if (count > 0xffU)
      throw UserError("more than 255 messages of one actor are pending; explore cannot hold such a world");
    row[sender] = static_cast<std::uint8_t>(count);
  }
}

void read_clock(const std::uint8_t* row, std::size_t width, std::uint32_t* clock) {
  for (std::size_t k = 0; k < width; ++k) clock[k] = row[k];
}

std::uint8_t* bytes_of(std::uint32_t& word) { return reinterpret_cast<std::uint8_t*>(&word); }
const std::uint8_t* bytes_of(const std::uint32_t* word) {
  return reinterpret_cast<const std::uint8_t*>(word);
}

using Places = boost::container::small_vector<std::uint32_t, 64>;

// The pending events in an order that equal states have in common and that keeps every queue. Messages on links in
// causal order stand by how many pending sendings they know of: whatever one of them waits for knows of less.
Places places_of(const WorldState& world, Network& network, const Sendings& sendings, RecordOrder order) {
  std::vector<std::uint64_t> when;  // simulated time: what tells equal events apart
  if (world.timed) {
    std::vector<std::uint64_t> labels;
    for (const Pending& pending : world.pending) labels.push_back(pending.envelope);
    network.time().signatures(world, labels, when);
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

void write_clocks(const WorldState& world, const Sendings& sendings, const Places& places, std::size_t cells,
                  std::vector<std::uint32_t>& out) {
  GAINSAY_CHECK(world.clock_width >= cells, "every actor has a clock");
  std::size_t at = out.size();
  out.resize(at + (cells + places.size()) * row_words(cells), 0);
  for (std::size_t slot = 0; slot < cells; ++slot, at += row_words(cells))
    write_clock(sendings, &world.actor_clocks[slot * world.clock_width], bytes_of(out[at]));
  for (const std::uint32_t place : places) {
    write_clock(sendings, world.clock_of(place), bytes_of(out[at]));
    at += row_words(cells);
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
  const Sendings sendings = network.causal() ? pending_sendings(world, network) : Sendings();
  const Places places = places_of(world, network, sendings, order);
  for (const std::uint32_t place : places) out.push_back(world.pending[place].envelope);
  if (!network.has_more()) return;
  out.push_back(static_cast<std::uint32_t>(world.budgets.size()));
  out.insert(out.end(), world.budgets.begin(), world.budgets.end());
  out.push_back(world.partition);
  out.push_back(world.partition_steps_left);
  if (network.causal()) write_clocks(world, sendings, places, cells, out);
  if (network.timed()) write_time(world, network, places, out);
}

void decode(const RecordView& record, Engine& engine, WorldState& world) {
  const Kernel& kernel = engine.kernel();
  Network& network = engine.network;
  const auto cells = record.cells();
  world.cells.assign(cells.begin(), cells.end());
  world.classes.assign(cells.size(), 0);
  world.starts_pending = 0;
  world.waiting = 0;
  world.steps = 0;
  world.causal = network.causal();
  world.timed = network.timed();
  world.gated = false;
  world.hot_since.assign(kernel.monitors().size(), no_step);
  for (const CellId cell : cells) world.gated = world.gated || (cell != 0 && kernel.cell(cell).type->gated);
  const auto pending = record.pending();
  world.pending.resize(pending.size());
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const Network::Route& route = network.route(pending[i]);
    Pending& entry = world.pending[i];
    entry.envelope = pending[i];
    entry.to = route.to;
    entry.kind = route.kind;
    entry.ready = true;
    entry.refused = false;
    if (route.kind == EventKind::start) ++world.starts_pending;
  }
  if (network.has_more()) {
    const std::uint32_t* next = record.words + RecordView::header + cells.size() + record.pending_count();
    const std::uint32_t budgets = *next++;
    world.budgets.assign(next, next + budgets);
    next += budgets;
    if (network.has_faults()) world.fault_ordinals.assign(cells.size(), 0);
    world.partition = *next++;
    world.partition_steps_left = *next++;
    if (world.causal) {
      const std::size_t width = cells.size();
      world.clock_width = record.cells_count();
      world.actor_clocks.assign(width * width, 0);
      for (std::size_t slot = 0; slot < cells.size(); ++slot, next += row_words(width))
        read_clock(bytes_of(next), width, &world.actor_clocks[slot * width]);
      world.pending_clocks.resize(width * pending.size());
      for (std::size_t i = 0; i < pending.size(); ++i, next += row_words(width))
        read_clock(bytes_of(next), width, &world.pending_clocks[i * width]);
    }
    if (world.timed) read_time(next, network, world);
  }
  if (network.may_wait(world)) network.refresh_all(world);
}

std::size_t record_words(const RecordView& record, const Network& network) {
  std::size_t words = RecordView::header + record.cells_count() + record.pending_count();
  if (!network.has_more()) return words;
  const std::uint32_t budgets = record.words[words];
  words += 1 + budgets + 2;
  if (network.timed()) words += time_words(record.pending_count(), network.kernel(), network.time());
  if (!network.causal()) return words;
  return words + (record.cells_count() + record.pending_count()) * row_words(record.cells_count());
}

}  // namespace gainsay
