// Bitstate: the set of fingerprints seen as a table of bits, a few for each state, shared by all workers without
// locks.
//
// Holzmann's bitstate hashing ("An Analysis of Bitstate Hashing", Formal Methods in System Design 13, 1998): a
// state is known if all its bits are set. A new state whose bits all happen to be set already is taken for a
// known one and omitted, and what only it leads to with it; so the search is never complete, but it goes on
// where no table of fingerprints has room. `expected_omissions` says how many states were missed directly.
//
// Which of two states is omitted depends on which came first: with several workers, counts differ a little from
// one search to the next.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "gainsay/base/hash.hpp"
#include "gainsay/base/prefetch.hpp"

namespace gainsay {

class Bitstate {
 public:
  static constexpr unsigned probes = 3;  // bits for each state, as SPIN has it

  // REQUIRES: at least 64 bytes; they are taken from the system as they are touched.
  explicit Bitstate(std::uint64_t bytes);

  // Whether the state was not there. Safe for concurrent callers: of several that add one state, one is told so.
  bool insert(std::uint64_t fingerprint) {
    const Places places = places_of(fingerprint);
    // The last bit that is missing is set last, and who sets it has added the state. Whoever looks at the state
    // meanwhile misses that bit as well and loses it to the first.
    unsigned missing = 0;
    bool found[probes] = {};
    for (unsigned i = probes; i-- > 0;) {
      found[i] = (word(places, i).load(std::memory_order_acquire) & bit(places, i)) != 0;
      if (!found[i] && missing == 0) missing = i + 1;
    }
    if (missing == 0) return false;
    const unsigned last = missing - 1;
    for (unsigned i = 0; i < last; ++i) {
      if (!found[i]) word(places, i).fetch_or(bit(places, i), std::memory_order_release);
    }
    return (word(places, last).fetch_or(bit(places, last), std::memory_order_acq_rel) & bit(places, last)) ==
           0;
  }

  void prefetch(std::uint64_t fingerprint) const {
    const Places places = places_of(fingerprint);
    for (unsigned i = 0; i < probes; ++i) prefetch_to_write(&words_[places.at[i] >> 6U]);
  }

  std::uint64_t bits() const { return bits_; }
  std::uint64_t bytes() const { return bits_ / 8; }
  // The bits themselves, in so many words. REQUIRES: no concurrent callers.
  std::uint64_t words() const { return (bits_ + 63) / 64; }
  std::uint64_t word_at(std::uint64_t place) const { return words_[place].load(std::memory_order_relaxed); }
  void put_word(std::uint64_t place, std::uint64_t word) {
    words_[place].store(word, std::memory_order_relaxed);
  }

  // How many distinct states M are expected to have been taken for known ones while `states` were added to a
  // table of `bits`. A state that nobody has met finds all its bits set with probability p(y) = (1 -
  // exp(-probes y / bits)) ^ probes after y distinct states; omitted ones among them, whose bits are set as
  // well. So dM/dx = p / (1 - p) at y = x + M, for x from 0 to `states`. Assumes that fingerprints are
  // independent and uniform; states that only omitted ones lead to are beyond what it can know.
  static double expected_omissions(std::uint64_t states, std::uint64_t bits);

 private:
  struct Places {
    std::uint64_t at[probes];
  };

  // Fingerprints look random already; the second round makes the places of one state independent of each other.
  Places places_of(std::uint64_t fingerprint) const {
    Places places;
    for (unsigned i = 0; i < probes; ++i) {
      const std::uint64_t hash = scramble(fingerprint + (i + 1ULL) * 0x9e3779b97f4a7c15ULL);
      places.at[i] = static_cast<std::uint64_t>((static_cast<Uint128>(hash) * bits_) >> 64U);
    }
    return places;
  }
  std::atomic<std::uint64_t>& word(const Places& places, unsigned i) const {
    return words_[places.at[i] >> 6U];
  }
  static std::uint64_t bit(const Places& places, unsigned i) {
    return std::uint64_t{1} << (places.at[i] & 63U);
  }

  struct Unmap {
    Unmap() : bytes(0) {}
    explicit Unmap(std::size_t size) : bytes(size) {}
    void operator()(std::atomic<std::uint64_t>* words) const;
    std::size_t bytes;
  };

  std::uint64_t bits_ = 0;
  std::unique_ptr<std::atomic<std::uint64_t>[], Unmap> words_;
};

}  // namespace gainsay
