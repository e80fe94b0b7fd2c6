// Record: a world as a row of 32-bit words, as it waits in the frontier.
//
//   [fingerprint low, high][cells | pending << 16][cells...][pending envelopes...][rest...]
//
// In unordered worlds the envelopes are sorted, so equal ones stand together. Where nothing but starts and gates can
// make an event wait, that is all. Otherwise `rest` has budgets and the cut in force, if the world has any, and rows
// of bits, one bit for each pending event: which are ready and which are refused (execution/world/network.hpp). Under
// causal order a row for each actor and then for each pending event says of which pending messages it knows. Under
// queue order a row says which messages have been sent for certain, and one for each pending event which of them were
// sent before. In simulated time the class comes last, after jumps of clocks where anybody reads them. Records hold
// interned ids and are only meaningful beside the kernel that made them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "gainsay/execution/world/engine.hpp"

namespace gainsay {

inline constexpr std::size_t most_pending = 0xffffU;
inline constexpr const char* too_large =
    "a world has more than 65,535 actors or pending events, which explore does not support";

struct RecordView {
  const std::uint32_t* words = nullptr;

  static constexpr std::size_t header = 3;

  std::uint64_t fingerprint() const { return words[0] | (static_cast<std::uint64_t>(words[1]) << 32U); }
  std::uint32_t cells_count() const { return words[2] & 0xffffU; }
  std::uint32_t pending_count() const { return words[2] >> 16U; }
  std::span<const std::uint32_t> cells() const { return {words + header, cells_count()}; }
  std::span<const std::uint32_t> pending() const { return {words + header + cells_count(), pending_count()}; }
  const std::uint32_t* rest() const { return words + header + cells_count() + pending_count(); }
};

// Rows of bits as records have them: 1, 2, 4 or a multiple of 8 bytes each.
namespace bit_rows {

constexpr std::size_t bytes(std::size_t bits) {
  if (bits <= 16) return (bits + 7) / 8;
  return bits <= 32 ? 4 : (bits + 63) / 64 * 8;
}
// REQUIRES: at most 64 bits.
inline std::uint64_t load(const std::uint8_t* row, std::size_t bytes) {
  const auto load_as = [row](auto value) {
    std::memcpy(&value, row, sizeof(value));
    return std::uint64_t{value};
  };
  switch (bytes) {
    case 0:
      return 0;
    case 1:
      return *row;
    case 2:
      return load_as(std::uint16_t{});
    case 4:
      return load_as(std::uint32_t{});
    default:
      return load_as(std::uint64_t{});
  }
}
inline void store(std::uint8_t* row, std::size_t bytes, std::uint64_t bits) {
  const auto store_as = [row](auto value) { std::memcpy(row, &value, sizeof(value)); };
  switch (bytes) {
    case 0:
      return;
    case 1:
      *row = static_cast<std::uint8_t>(bits);
      return;
    case 2:
      return store_as(static_cast<std::uint16_t>(bits));
    case 4:
      return store_as(static_cast<std::uint32_t>(bits));
    default:
      return store_as(bits);
  }
}

}  // namespace bit_rows

// The rest of a record. What the world does not have is null, or empty, or 0.
struct RecordRest {
  RecordRest() = default;
  RecordRest(const RecordView& record, const Network& network);

  std::span<const std::uint32_t> budgets;
  std::uint32_t partition = 0;
  std::uint32_t partition_steps_left = 0;
  std::size_t row = 0;  // bytes of a row
  const std::uint8_t* ready = nullptr;
  const std::uint8_t* refused = nullptr;
  const std::uint8_t* actors_know = nullptr;
  const std::uint8_t* pending_know = nullptr;
  const std::uint8_t* sent = nullptr;   // and what was sent before each behind it
  const std::uint32_t* time = nullptr;  // the class of times
  const std::uint32_t* end = nullptr;   // of the record

  // How many words all rows take.
  static constexpr std::size_t words_of_rows(std::size_t rows, std::size_t row) {
    return (rows * row + 3) / 4;
  }
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
