// Record: a world as a row of 32-bit words, as it waits in the frontier.
//
//   [fingerprint low, high][cells | pending << 16][cells...][pending envelopes...][rest...]
//
// In unordered worlds the envelopes are sorted, so equal ones stand together. Where nothing but starts and gates can
// make an event wait, that is all. Otherwise `rest` has two rows of bits, one for each pending event: which are ready
// and which are refused (execution/world/network.hpp). Budgets and the cut in force follow where the world has any.
// Under causal order a row of bits for each actor and then for each pending event says of which pending messages it
// knows: what clocks say of messages that have arrived matters to nobody. Records hold interned ids and are only
// meaningful beside the kernel that made them.
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
  const std::uint32_t* rest() const { return words + header + cells_count() + pending_count(); }
  // How many words a row of bits takes.
  static constexpr std::size_t row_words(std::size_t pending) { return (pending + 31) / 32; }
  std::size_t row_words() const { return row_words(pending_count()); }
};

// The rest of a record. What the world does not have is null, or empty, or 0.
struct RecordRest {
  RecordRest() = default;
  RecordRest(const RecordView& record, const Network& network);

  const std::uint32_t* ready = nullptr;
  const std::uint32_t* refused = nullptr;
  std::span<const std::uint32_t> budgets;
  std::uint32_t partition = 0;
  std::uint32_t partition_steps_left = 0;
  const std::uint32_t* actors_know = nullptr;
  const std::uint32_t* pending_know = nullptr;
  const std::uint32_t* end = nullptr;  // of the record
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
