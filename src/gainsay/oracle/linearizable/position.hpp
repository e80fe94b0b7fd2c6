// Position: where a search stands, as plain numbers, and the moves from there. Shared by the two searches.
//
// A position is (base, state, bits, counts) as problem.hpp describes it. A move places a required operation or
// uses a crashed one; after each, every pending operation that leaves all states as they are and fits now is
// placed at once ("settling"). That loses nothing: in any order that continues from here it can be moved to the
// front. It must hold in every state, which is what SpecType::pure promises.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gainsay/base/hash.hpp"
#include "gainsay/oracle/linearizable/problem.hpp"

namespace gainsay::linearizable {

struct Position {
  std::uint32_t base = 0;
  std::uint32_t state = 0;
  std::uint64_t zobrist = 0;  // of the required operations that are placed

  std::uint64_t hash() const { return scramble(mix(zobrist, state)); }
};

class Moves {
 public:
  // An operation placed: an index into `required`, or crashed_flag with a class above it.
  static constexpr std::uint32_t crashed_flag = 0x80000000U;

  Moves(const Problem& problem, StateSpace& space) : problem_(problem), space_(space) {}

  const Problem& problem() const { return problem_; }
  StateSpace& space() { return space_; }
  // Words of a position: its bits, then its counts.
  std::uint32_t words() const { return problem_.mask_words + problem_.lanes.words; }

  bool is_placed(const Position& at, const std::uint64_t* words, std::uint32_t i) const {
    if (i <= at.base) return i < at.base;
    const std::uint32_t slot = problem_.required[i].slot;
    return (words[slot / 64] >> (slot % 64) & 1U) != 0;
  }

  void place(Position& at, std::uint64_t* words, std::uint32_t i) const {
    const Problem::Required& placed = problem_.required[i];
    at.zobrist ^= placed.zobrist;
    if (i != at.base) {
      words[placed.slot / 64] |= std::uint64_t{1} << (placed.slot % 64);
      return;
    }
    const std::uint32_t end = problem_.end();
    while (++at.base < end) {
      const std::uint32_t slot = problem_.required[at.base].slot;
      const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
      if ((words[slot / 64] & bit) == 0) break;
      words[slot / 64] &= ~bit;
    }
  }

  // Whether another crashed operation of this class may be used here.
  bool may_use(const Position& at, const std::uint64_t* words, std::size_t cls) const {
    const Problem::Crashed& crashed = problem_.crashed[cls];
    const std::uint64_t used = problem_.lanes.get(words + problem_.mask_words, cls);
    return used < crashed.operations.size() && crashed.from_base[used] <= at.base;
  }
  void use(std::uint64_t* words, std::size_t cls) const {
    problem_.lanes.increment(words + problem_.mask_words, cls);
  }

  // Places whatever leaves all states as they are and fits; appends it to `order`.
  void settle(Position& at, std::uint64_t* words, std::vector<std::uint32_t>& order) {
    for (bool again = true; again && at.base < problem_.end();) {
      again = false;
      const std::uint32_t base = at.base;
      const std::size_t end = problem_.candidates_begin[base + 1];
      for (std::size_t c = problem_.candidates_begin[base]; c < end; ++c) {
        const std::uint32_t i = problem_.candidates[c];
        const Problem::Required& each = problem_.required[i];
        if (!each.pure || is_placed(at, words, i)) continue;
        if (space_.step(at.state, each.cls) == refused) continue;
        place(at, words, i);
        order.push_back(i);
        if (at.base == base) continue;
        again = true;  // more may have been invoked by now
        if (at.base >= problem_.end()) break;
      }
    }
  }

  // Whether what the next to return saw, or the next observation that nothing can come between, is out of reach: a
  // value that only grows has already grown into another one.
  bool is_hopeless(const Position& at, const std::uint64_t* words) {
    if (!space_.looks_ahead() || at.base >= problem_.end()) return false;
    std::uint32_t seen = problem_.next_observer[at.base];
    const std::uint32_t end = std::min(problem_.end(), problem_.observers_end);
    while (seen < end && is_placed(at, words, seen)) seen = problem_.next_observer[seen + 1];
    const bool observed = seen < end && problem_.required[seen].returned <= problem_.next_reset[at.base];
    const bool returned = at.base < end && space_.has_result(problem_.required[at.base].cls);
    if (!observed && !returned) return false;
    for (std::size_t c = problem_.candidates_begin[at.base]; c < problem_.candidates_begin[at.base + 1];
         ++c) {
      const std::uint32_t i = problem_.candidates[c];
      if (problem_.required[i].resets && !is_placed(at, words, i)) return false;
    }
    for (std::size_t cls = 0; cls < problem_.crashed.size(); ++cls) {
      if (problem_.crashed[cls].resets && may_use(at, words, cls)) return false;
    }
    return (returned && !space_.may_reach(at.state, problem_.required[at.base].cls)) ||
           (observed && !space_.may_reach(at.state, problem_.required[seen].cls));
  }

 private:
  const Problem& problem_;
  StateSpace& space_;
};

}  // namespace gainsay::linearizable
