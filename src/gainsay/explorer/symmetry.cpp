#include "gainsay/explorer/symmetry.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/execution/world/faults/cut.hpp"

namespace gainsay {
namespace {

void refuse_what_does_not_go_with_symmetry(const Blueprint& blueprint) {
  if (blueprint.has_liveness()) {
    throw UserError(
        "--symmetry does not support liveness monitors, because merged states do not show whether a loop is "
        "fair; remove --symmetry or the monitor");
  }
  const FaultPlan& faults = blueprint.faults;
  const char* own = !faults.corruptions.empty() ? "corrupts messages"
                    : !faults.tears.empty()     ? "tears writes"
                    : faults.failing_writes.budget > 0 || faults.losing_writes.budget > 0 ? "loses writes"
                    : !faults.clock_jumps.empty()                                         ? "moves clocks"
                                                                                          : nullptr;
  if (own != nullptr) {
    throw UserError(fmt::format(
        "--symmetry: the scenario {}, which may not treat members alike; remove --symmetry", own));
  }
}

}  // namespace

Symmetry::Symmetry(Engine& engine, const SymmetryGroup& group)
    : engine_(engine), kernel_(engine.kernel()), group_(group) {
  refuse_what_does_not_go_with_symmetry(kernel_.blueprint());
  for (const std::vector<ActorId>& images : group_.images) renamings_.emplace_back(images);
  sums_.resize(order());
  base_.resize(order());
}

Slot Symmetry::slot(std::size_t permutation, Slot slot) const {
  if (slot >= kernel_.blueprint().actors.size())
    throw UserError("--symmetry does not support spawned actors; remove --symmetry");
  return static_cast<Slot>(group_.images[permutation][slot].raw);
}

std::uint32_t* Symmetry::ids_of(std::vector<Ids>& all, std::uint32_t id) {
  if (all.size() <= id) all.resize(id + std::size_t{1} + id / 2);
  if (!all[id]) {
    all[id] = std::make_unique<std::uint32_t[]>(order());
    all[id][0] = id;
    bytes_ += order() * sizeof(std::uint32_t);
  }
  return all[id].get();
}

ValueId Symmetry::value(std::size_t permutation, ValueId id) {
  if (id == 0) return 0;
  const InternedValue& value = kernel_.value(id);
  if (value.type->rename == nullptr) return id;
  const ValueId known = ids_of(values_, id)[permutation];
  if (known != 0) return known;
  AnyValue renamed(*value.type, value.data);
  try {
    value.type->rename(renamed.data(), renamings_[permutation]);
  } catch (const CannotRename& error) {
    throw UserError(fmt::format("--symmetry: a {} cannot be renamed: {}; remove --symmetry", value.type->name,
                                error.what()));
  }
  const auto held = engine_.front.lock();
  const ValueId image = kernel_.noted({DerivationKind::value_image, 0, 0, id, permutation},
                                      [&] { return kernel_.interner().value(*value.type, renamed.data()); });
  return ids_of(values_, id)[permutation] = image;
}

CellId Symmetry::cell(std::size_t permutation, CellId id) {
  if (id == 0) return 0;
  GAINSAY_CHECK(id != live_cell, "explored actors are values");
  const CellId known = ids_of(cells_, id)[permutation];
  if (known != 0) return known;
  Cell image = kernel_.cell(id);
  image.value = value(permutation, image.value);
  image.durable = value(permutation, image.durable);
  image.initial = value(permutation, image.initial);
  const auto held = engine_.front.lock();
  return ids_of(cells_, id)[permutation] = kernel_.noted({DerivationKind::cell_image, 0, 0, id, permutation},
                                                         [&] { return kernel_.interner().cell(image); });
}

EnvelopeId Symmetry::envelope(std::size_t permutation, EnvelopeId id) {
  if (id == 0) return 0;
  const EnvelopeId known = ids_of(envelopes_, id)[permutation];
  if (known != 0) return known;
  const Envelope& original = kernel_.envelope(id);
  const Slot to = slot(permutation, original.to);
  const ActorId from = renamings_[permutation](original.from);
  const ValueId message = value(permutation, original.message);
  const auto held = engine_.front.lock();
  return ids_of(envelopes_, id)[permutation] =
             kernel_.noted({DerivationKind::envelope_image, 0, 0, id, permutation}, [&] {
               return kernel_.interner().envelope(from, to, kernel_.directory().id_of(to), original.kind,
                                                  message, original.call);
             });
}

bool Symmetry::derive(const Derivation& how) {
  const Interner& interner = kernel_.interner();
  if (how.number >= order()) return false;
  switch (how.kind) {
    case DerivationKind::value_image:
      if (how.other >= interner.values()) return false;
      value(how.number, how.other);
      return true;
    case DerivationKind::cell_image:
      if (how.other >= interner.cells()) return false;
      cell(how.number, how.other);
      return true;
    case DerivationKind::envelope_image:
      if (how.other >= interner.envelopes()) return false;
      envelope(how.number, how.other);
      return true;
    default:
      return false;
  }
}

const std::uint64_t* Symmetry::cell_hashes(Slot at, CellId id) {
  Hashes& hashes = cell_hashes_[(static_cast<std::uint64_t>(at) << 32U) | id];
  if (!hashes) {
    auto made = std::make_unique<std::uint64_t[]>(order());
    for (std::size_t p = 0; p < order(); ++p) made[p] = kernel_.cell_fingerprint(slot(p, at), cell(p, id));
    bytes_ += order() * sizeof(std::uint64_t) + 32;
    hashes = std::move(made);
  }
  return hashes.get();
}

const std::uint64_t* Symmetry::envelope_hashes(EnvelopeId id) {
  if (envelope_hashes_.size() <= id) envelope_hashes_.resize(id + std::size_t{1} + id / 2);
  Hashes& hashes = envelope_hashes_[id];
  if (!hashes) {
    auto made = std::make_unique<std::uint64_t[]>(order());
    for (std::size_t p = 0; p < order(); ++p) made[p] = kernel_.envelope(envelope(p, id)).hash;
    bytes_ += order() * sizeof(std::uint64_t);
    hashes = std::move(made);
  }
  return hashes.get();
}

void Symmetry::add(const std::uint64_t* hashes) {
  for (std::size_t p = 0; p < sums_.size(); ++p) sums_[p] += hashes[p];
}

std::uint64_t Symmetry::orbit_of(std::span<const CellId> cells) {
  std::fill(sums_.begin(), sums_.end(), 0);
  for (Slot at = 0; at < cells.size(); ++at) {
    if (cells[at] != 0) add(cell_hashes(at, cells[at]));
  }
  return *std::min_element(sums_.begin(), sums_.end());
}

void Symmetry::image(std::size_t permutation, std::span<const CellId> cells, std::vector<CellId>& out) {
  out.assign(cells.size(), 0);
  for (Slot at = 0; at < cells.size(); ++at) {
    if (cells[at] != 0) out[slot(permutation, at)] = cell(permutation, cells[at]);
  }
}

// Of a partition of the scenario, or of the isolation of an actor.
std::uint32_t Symmetry::cut(std::size_t permutation, std::uint32_t number) const {
  if (number == 0) return 0;
  const FaultPlan& plan = kernel_.blueprint().faults;
  const auto partitions = static_cast<std::uint32_t>(plan.partitions.size());
  if (number <= partitions) return cut_of_partition(group_.partitions[permutation][number - 1]);
  return cut_of_isolation(plan, slot(permutation, number - partitions - 1));
}

void Symmetry::image(std::size_t permutation, const WorldState& world, WorldState& out) {
  GAINSAY_CHECK(world.live.empty() && world.windows.empty(), "the world is a value without time");
  out = world;
  if (permutation == 0) return;
  image(permutation, world.cells, out.cells);
  for (const std::size_t place : world.pending.each_place()) {
    Pending& pending = out.pending[place];
    pending.envelope = envelope(permutation, pending.envelope);
    static_cast<Route&>(pending) = engine_.network.route(pending.envelope);
  }
  for (Slot at = 0; at < world.classes.size(); ++at) out.classes[slot(permutation, at)] = world.classes[at];
  for (Slot at = 0; at < world.fault_ordinals.size(); ++at)
    out.fault_ordinals[slot(permutation, at)] = world.fault_ordinals[at];
  out.partition = cut(permutation, world.partition);
  const auto move_rows = [](const BitTable& rows, BitTable& moved, const auto& to) {
    for (std::size_t r = 0; r < rows.rows(); ++r) std::copy_n(rows.row(r), rows.words(), moved.row(to(r)));
  };
  const auto place_of = [&](std::size_t at) { return slot(permutation, static_cast<Slot>(at)); };
  move_rows(world.at, out.at, place_of);
  move_rows(world.known_at, out.known_at, place_of);
  move_rows(world.from, out.from, [&](std::size_t row) {  // the first one is the outside
    return row == 0 ? row : place_of(row - 1) + std::size_t{1};
  });
}

void Symmetry::begin(std::span<const CellId> cells, std::span<const EnvelopeId> pending,
                     std::uint64_t fingerprint) {
  orbit_of(cells);
  for (const EnvelopeId id : pending) add(envelope_hashes(id));
  // Budgets are the same for all.
  const std::uint64_t rest = fingerprint - sums_[0];
  for (std::size_t p = 0; p < order(); ++p) base_[p] = sums_[p] + rest;
}

std::pair<std::uint64_t, std::uint32_t> Symmetry::after(Slot at, CellId before, EnvelopeId taken,
                                                        const Leaf& leaf) {
  const std::uint64_t* change = nullptr;
  if (const auto known = leaf_hashes_.find(&leaf); known != leaf_hashes_.end()) {
    change = known->second.get();
  } else {
    auto made = std::make_unique<std::uint64_t[]>(order());
    const auto fold = [&](const std::uint64_t* hashes, bool leaves) {
      for (std::size_t p = 0; p < order(); ++p) made[p] += leaves ? 0 - hashes[p] : hashes[p];
    };
    fold(cell_hashes(at, before), true);
    fold(cell_hashes(at, leaf.transition.next), false);
    fold(envelope_hashes(taken), true);
    for (const EnvelopeId sent : leaf.transition.outs()) fold(envelope_hashes(sent), false);
    GAINSAY_CHECK(made[0] == leaf.delta, "the identity changes a fingerprint as the step does");
    bytes_ += order() * sizeof(std::uint64_t) + 32;
    change = leaf_hashes_.emplace(&leaf, std::move(made)).first->second.get();
  }
  std::uint64_t least = base_[0] + change[0];
  std::uint32_t best = 0;
  for (std::uint32_t p = 1; p < order(); ++p) {
    const std::uint64_t sum = base_[p] + change[p];
    if (sum < least) {
      least = sum;
      best = p;
    }
  }
  return {least, best};
}

void Symmetry::rename(std::size_t permutation, std::vector<std::uint32_t>& words, std::size_t cells) {
  const std::size_t header = words.size() >= 3 ? 3 : 0;
  GAINSAY_CHECK(header + cells <= words.size(), "the record has its cells");
  words_.assign(words.begin() + static_cast<std::ptrdiff_t>(header), words.end());
  for (Slot at = 0; at < cells; ++at) words[header + slot(permutation, at)] = cell(permutation, words_[at]);
  for (std::size_t i = cells; i < words_.size(); ++i) words[header + i] = envelope(permutation, words_[i]);
  std::sort(words.begin() + static_cast<std::ptrdiff_t>(header + cells), words.end());
}

// Leaves the canonical member in `best_`, and says which permutation leads to it.
std::size_t Symmetry::least(const WorldState& world) {
  orbit_of(world.cells);
  for (const Pending& pending : world.pending) add(envelope_hashes(pending.envelope));
  const std::uint64_t least = *std::min_element(sums_.begin(), sums_.end());
  // Those with the least sum have the same cells and the same multiset of messages. The rest decides.
  const bool sum_is_all = engine_.network.unordered() && world.partition == 0;
  std::size_t best = order();
  for (std::size_t p = 0; p < order(); ++p) {
    if (sums_[p] != least) continue;
    image(p, world, image_);
    const std::uint64_t fingerprint = engine_.hash.of(image_);
    if (best != order() && fingerprint >= best_fingerprint_) continue;
    best = p;
    best_fingerprint_ = fingerprint;
    std::swap(best_, image_);
    if (sum_is_all) break;
  }
  GAINSAY_CHECK(best < order(), "some permutation has the least sum");
  return best;
}

std::uint64_t Symmetry::canonicalise(WorldState& world) {
  least(world);
  std::swap(world, best_);
  return best_fingerprint_;
}

std::uint64_t Symmetry::fingerprint(const WorldState& world) {
  least(world);
  return best_fingerprint_;
}

std::optional<std::size_t> Symmetry::permutation_to(const WorldState& world, std::uint64_t fingerprint) {
  for (std::size_t p = 0; p < order(); ++p) {
    image(p, world, image_);
    if (engine_.hash.of(image_) == fingerprint) return p;
  }
  return std::nullopt;
}

void Symmetry::require_fixed(const WorldState& first) {
  const std::uint64_t fingerprint = engine_.hash.of(first);
  for (std::size_t p = 0; p < order(); ++p) {
    image(p, first, image_);
    if (engine_.hash.of(image_) == fingerprint) continue;
    throw UserError(
        fmt::format("--symmetry: the initial world is not the same with {}, because the order of the first "
                    "messages differs; remove --symmetry",
                    describe(group_.images[p], kernel_.blueprint())));
  }
}

}  // namespace gainsay
