// ExactStore: whole states, for the exact mode. Says under which key a state is filed: its fingerprint,
// unless another state has it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/base/hash.hpp"

namespace gainsay {

class ExactStore {
 public:
  // The key of this content; content that was not there is stored.
  std::uint64_t key_of(std::uint64_t fingerprint, std::span<const std::uint32_t> content) {
    for (std::uint64_t key = fingerprint;; key = scramble(key + 1) | 1U) {
      const auto [where, added] = places_.try_emplace(key, Place{words_.size(), content.size()});
      if (added) {
        words_.insert(words_.end(), content.begin(), content.end());
        return key;
      }
      const Place& place = where->second;
      if (std::equal(content.begin(), content.end(),
                     words_.begin() + static_cast<std::ptrdiff_t>(place.begin),
                     words_.begin() + static_cast<std::ptrdiff_t>(place.begin + place.count))) {
        return key;
      }
      ++collisions_;
    }
  }
  // visit(key, content) for each.
  template <class Visit> void each(const Visit& visit) const {
    for (const auto& [key, place] : places_) visit(key, std::span(words_).subspan(place.begin, place.count));
  }
  // Stores content under the key that it had before.
  void put(std::uint64_t key, std::span<const std::uint32_t> content) {
    places_.emplace(key, Place{words_.size(), content.size()});
    words_.insert(words_.end(), content.begin(), content.end());
  }
  std::size_t size() const { return places_.size(); }
  std::uint64_t collisions() const { return collisions_; }
  std::uint64_t bytes() const { return words_.capacity() * sizeof(std::uint32_t) + places_.size() * 28; }

 private:
  struct Place {
    std::size_t begin;
    std::size_t count;
  };
  struct Identity {
    using is_avalanching = void;
    std::size_t operator()(std::uint64_t x) const { return x; }
  };
  boost::unordered_flat_map<std::uint64_t, Place, Identity> places_;
  std::vector<std::uint32_t> words_;
  std::uint64_t collisions_ = 0;
};

}  // namespace gainsay
