// Record: a world as a row of 32-bit words, as it waits in the frontier.
//
//   [fingerprint low, high][cells | pending << 16][cells...][pending envelopes...][extra...]
//
// In unordered worlds the envelopes are sorted, so equal ones stand together. `extra` holds budgets, the
// partition and causal clocks where the world has any. Clocks are written small: of each sender they count only what
// is still pending, which is all that matters, in one byte each. In simulated time the class comes last
// (WorldTime::write), after the jumps of clocks where anybody reads them. Records hold interned ids and are only meaningful
// beside the kernel that made them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gainsay/execution/world/engine.hpp"

namespace gainsay {

inline constexpr std::size_t most_pending = 0xffffU;
inline constexpr const char* too_large =
    "a world has more than 65,535 actors or pending events; explore cannot hold it";

struct RecordView {
  const std::uint32_t* words = nullptr;

  static constexpr std::size_t header = 3;

  std::uint64_t fingerprint() const { return words[0] | (static_cast<std::uint64_t>(words[1]) << 32U); }
  std::uint32_t cells_count() const { return words[2] & 0xffffU; }
  std::uint32_t pending_count() const { return words[2] >> 16U; }
  std::span<const std::uint32_t> cells() const { return {words + header, cells_count()}; }
  std::span<const std::uint32_t> pending() const { return {words + header + cells_count(), pending_count()}; }
};

// In which order the pending events of an ordered world are written: as they stand, which is faster, or so that equal
// states have equal records. REQUIRES (canonical): no copies under causal order (Network::has_copies).
enum class RecordOrder : std::uint8_t { any, canonical };

// Appends a record of the world; throws UserError for worlds too large for one (65,535 actors or pending
// events).
void encode(const WorldState& world, std::uint64_t fingerprint, Network& network,
            std::vector<std::uint32_t>& out, RecordOrder order = RecordOrder::any);
// The world of a record. Event ids are not kept.
void decode(const RecordView& record, Engine& engine, WorldState& world);
// How many words the record takes.
std::size_t record_words(const RecordView& record, const Network& network);

}  // namespace gainsay
