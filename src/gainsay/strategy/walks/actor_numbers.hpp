// ActorNumbers: actors, counted from 0 in the order in which they are first met. Those of the scenario have
// small ids and are found at once; spawned ones are looked up.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gainsay/base/ids.hpp"

namespace gainsay {

class ActorNumbers {
 public:
  [[gnu::always_inline]] std::uint32_t of(ActorId actor) {
    if (actor.raw < small_.size() && small_[actor.raw] != unmet) [[likely]]
      return small_[actor.raw];
    return meet(actor);
  }
  std::uint32_t count() const { return count_; }
  void clear() {
    small_.clear();
    large_.clear();
    count_ = 0;
  }

 private:
  static constexpr std::uint64_t small_ids = 1U << 16U;
  static constexpr std::uint32_t unmet = 0xffffffffU;

  [[gnu::noinline]] std::uint32_t meet(ActorId actor) {
    if (actor.raw < small_ids) {
      if (actor.raw >= small_.size()) small_.resize(actor.raw + 1, unmet);
      return small_[actor.raw] = count_++;
    }
    const auto [found, fresh] = large_.try_emplace(actor, count_);
    if (fresh) ++count_;
    return found->second;
  }

  std::vector<std::uint32_t> small_;
  std::map<ActorId, std::uint32_t> large_;
  std::uint32_t count_ = 0;
};

}  // namespace gainsay
