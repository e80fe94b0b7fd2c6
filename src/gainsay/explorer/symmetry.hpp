// Symmetry: images of local states, messages and worlds under the permutations of a SymmetryGroup, and the canonical
// member of a world's orbit.
//
// The search keeps one world of each orbit (Ip and Dill, "Better Verification Through Symmetry", Formal Methods in
// System Design 9, 1996): the one with the least fingerprint. A fingerprint is a sum over cells and pending events,
// and the image of each is interned once, so a permutation costs one sum of remembered numbers; no user code and no
// reflection runs for a state. What the sum leaves out (the order of messages) decides among the least ones.
//
// Used by one thread; those that share a kernel have one each, and hold the kernel's mutex only where an image
// is met for the first time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/execution/world/engine.hpp"
#include "gainsay/explorer/symmetry_group.hpp"

namespace gainsay {

class Symmetry {
 public:
  // Throws UserError where the world has something that does not go with symmetry.
  Symmetry(Engine& engine, const SymmetryGroup& group);

  const SymmetryGroup& group() const { return group_; }
  std::size_t order() const { return group_.order(); }

  // Images under the permutation with this number; 0 is the identity.
  Slot slot(std::size_t permutation, Slot slot) const;
  CellId cell(std::size_t permutation, CellId cell);
  EnvelopeId envelope(std::size_t permutation, EnvelopeId envelope);
  void image(std::size_t permutation, const WorldState& world, WorldState& out);
  void image(std::size_t permutation, std::span<const CellId> cells, std::vector<CellId>& out);

  // Successors in an unordered world, before they are built. `begin` takes the world that is expanded; then
  // `after` gives the fingerprint of the canonical member of a successor's orbit, and the permutation that
  // leads to it. REQUIRES: the step changes its actor, takes its event and sends, and nothing else; no
  // partition is in force.
  void begin(std::span<const CellId> cells, std::span<const EnvelopeId> pending, std::uint64_t fingerprint);
  std::pair<std::uint64_t, std::uint32_t> after(Slot slot, CellId before, EnvelopeId taken, const Leaf& leaf);
  // The image of a record that is built so far: header, cells, sorted pending events.
  void rename(std::size_t permutation, std::vector<std::uint32_t>& words, std::size_t cells);

  // Puts the canonical member of its orbit in the place of the world, and gives its fingerprint.
  std::uint64_t canonicalise(WorldState& world);
  // That fingerprint alone.
  std::uint64_t fingerprint(const WorldState& world);
  // A number that is the same for the cells of all worlds of an orbit, and for others by chance only.
  std::uint64_t orbit_of(std::span<const CellId> cells);
  // The permutation that takes the world to one with this fingerprint; nothing where none does.
  std::optional<std::size_t> permutation_to(const WorldState& world, std::uint64_t fingerprint);

  // Throws UserError unless every permutation leaves this world, the first one, as it is.
  void require_fixed(const WorldState& first);

  // Repeats the making of an image (execution/kernel/derivation.hpp); false where there is nothing to make it of.
  bool derive(const Derivation& how);

  std::uint64_t bytes() const { return bytes_; }

 private:
  using Hashes = std::unique_ptr<std::uint64_t[]>;  // by permutation
  using Ids = std::unique_ptr<std::uint32_t[]>;     // by permutation

  const std::uint64_t* cell_hashes(Slot slot, CellId cell);
  const std::uint64_t* envelope_hashes(EnvelopeId envelope);
  ValueId value(std::size_t permutation, ValueId value);
  std::uint32_t cut(std::size_t permutation, std::uint32_t cut) const;
  std::uint32_t* ids_of(std::vector<Ids>& all, std::uint32_t id);
  void add(const std::uint64_t* hashes);
  std::size_t least(const WorldState& world);

  Engine& engine_;
  Kernel& kernel_;
  const SymmetryGroup& group_;
  std::vector<Renaming> renamings_;
  std::vector<Ids> values_;                                       // by value; 0 where not made yet
  std::vector<Ids> cells_;                                        // by cell
  std::vector<Ids> envelopes_;                                    // by envelope
  std::vector<Hashes> envelope_hashes_;                           // by envelope
  boost::unordered_flat_map<std::uint64_t, Hashes> cell_hashes_;  // by slot and cell
  std::vector<std::uint64_t> sums_;                               // scratch, by permutation
  boost::unordered_flat_map<const Leaf*, Hashes> leaf_hashes_;    // what a step adds
  std::vector<std::uint64_t> base_;                               // of the world that is expanded
  std::vector<std::uint32_t> words_;                              // scratch
  WorldState image_;                                              // scratch
  WorldState best_;                                               // scratch: what `least` found
  std::uint64_t best_fingerprint_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace gainsay
