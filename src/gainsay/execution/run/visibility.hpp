// Visibility: whose changes which global properties read, and what searches may know of a world before it runs.
//
// Only global properties (Property::is_global) matter to searches, but where keys part the steps of one actor.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/execution/kernel/interner.hpp"
#include "gainsay/strategy/world_traits.hpp"

namespace gainsay {

// Bit i, or the last bit for all from 63 on.
constexpr std::uint64_t bit_of(std::size_t i) { return std::uint64_t{1} << (i < 63 ? i : 63); }

class Visibility {
 public:
  explicit Visibility(const Blueprint& blueprint);

  // The global properties that read this actor (or monitor), as bits.
  std::uint64_t readers_of(Slot slot) const {
    return everywhere_ | (slot < by_slot_.size() ? by_slot_[slot] : 0);
  }
  bool any() const { return any_; }
  // Those that this actor alone decides.
  std::uint64_t own_of(Slot slot) const { return slot < own_by_slot_.size() ? own_by_slot_[slot] : 0; }
  bool any_own() const { return any_own_; }
  // Whether some invariant or goal, global or not, looks at this actor between steps.
  bool watched(Slot slot) const { return watches_all_ || (slot < watched_.size() && watched_[slot]); }

 private:
  std::uint64_t everywhere_ = 0;
  std::vector<std::uint64_t> by_slot_;
  std::vector<std::uint64_t> own_by_slot_;
  bool any_ = false;
  bool any_own_ = false;
  bool watches_all_ = false;
  std::vector<bool> watched_;
};

WorldTraits traits_of(const Blueprint& blueprint);

}  // namespace gainsay
