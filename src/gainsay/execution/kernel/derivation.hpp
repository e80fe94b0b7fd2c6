// Derivation: one act of a kernel that may have interned something new.
//
// Ids depend on the order of discovery. Whoever repeats the derivations of a kernel in their order, on a new kernel of
// the same world and the same code, comes to the same ids: handlers are functions. So rows of ids can be kept in a
// file without a word about what the user's values look like (explorer/checkpoint.hpp).
#pragma once

#include <cstdint>
#include <vector>

namespace gainsay {

enum class DerivationKind : std::uint8_t {
  leaves,        // all that comes of `envelope` at `cell`, within the times of `clock`
  crashed,       // cells that follow from `cell`
  restarted,     //
  recreated,     //
  with_disk,     // `other` is the Disk
  own_envelope,  // of the slot `other` to itself; `number` is its EventKind
  corrupted,     // what becomes of `envelope`
  value_image,  // of a value, cell or envelope `other` under the permutation `number` (explorer/symmetry.hpp)
  cell_image,   //
  envelope_image,  //
};
inline constexpr auto last_derivation_kind = DerivationKind::envelope_image;

struct Derivation {
  DerivationKind kind = DerivationKind::leaves;
  std::uint32_t cell = 0;
  std::uint32_t envelope = 0;
  std::uint32_t other = 0;
  std::uint64_t number = 0;
  std::int64_t earliest_ns = 0;
  std::int64_t latest_ns = 0;
};

using Derivations = std::vector<Derivation>;

// How much a kernel has interned, and a hash of all of it in the order of ids.
struct KernelDigest {
  std::uint64_t values = 0;
  std::uint64_t cells = 0;
  std::uint64_t envelopes = 0;
  std::uint64_t actors = 0;
  std::uint64_t hash = 0;

  friend bool operator==(const KernelDigest&, const KernelDigest&) = default;
};

}  // namespace gainsay
