#include "gainsay/explorer/record.hpp"

#include <algorithm>

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

}  // namespace

void encode(const WorldState& world, std::uint64_t fingerprint, Network& network,
            std::vector<std::uint32_t>& out) {
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
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  for (const Pending& pending : world.pending) out.push_back(pending.envelope);
  if (network.unordered()) std::sort(out.begin() + first, out.end());
  if (!network.has_more()) return;
  out.push_back(static_cast<std::uint32_t>(world.budgets.size()));
  out.insert(out.end(), world.budgets.begin(), world.budgets.end());
  out.push_back(world.partition);
  out.push_back(world.partition_steps_left);
  if (!network.causal()) return;
  const std::size_t width = world.clock_width;
  GAINSAY_CHECK(width >= cells, "every actor has a clock");
  out.push_back(world.clock_width);
  const Sendings sendings = pending_sendings(world, network);
  std::size_t at = out.size();
  out.resize(at + (cells + world.pending.size()) * row_words(width), 0);
  for (std::size_t slot = 0; slot < cells; ++slot, at += row_words(width))
    write_clock(sendings, &world.actor_clocks[slot * width], bytes_of(out[at]));
  for (std::size_t i = 0; i < world.pending.size(); ++i, at += row_words(width))
    write_clock(sendings, world.clock_of(i), bytes_of(out[at]));
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
      world.clock_width = *next++;
      const std::size_t width = world.clock_width;
      world.actor_clocks.assign(width * width, 0);
      for (std::size_t slot = 0; slot < cells.size(); ++slot, next += row_words(width))
        read_clock(bytes_of(next), width, &world.actor_clocks[slot * width]);
      world.pending_clocks.resize(width * pending.size());
      for (std::size_t i = 0; i < pending.size(); ++i, next += row_words(width))
        read_clock(bytes_of(next), width, &world.pending_clocks[i * width]);
    }
  }
  if (network.may_wait(world)) network.refresh_all(world);
}

std::size_t record_words(const RecordView& record, const Network& network) {
  std::size_t words = RecordView::header + record.cells_count() + record.pending_count();
  if (!network.has_more()) return words;
  const std::uint32_t budgets = record.words[words];
  words += 1 + budgets + 2;
  if (!network.causal()) return words;
  const std::size_t width = record.words[words];
  return words + 1 + (record.cells_count() + record.pending_count()) * row_words(width);
}

}  // namespace gainsay
