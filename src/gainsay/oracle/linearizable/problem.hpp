// Problem: one object's history, prepared for a search.
//
// *Required* operations returned; they stand in the order of their returns. A search has always placed a prefix
// of them and, beyond its end (the *base*: the first return that is not accounted for), some of those that were
// invoked before the base returned. These overlap in time, so each gets a slot that no overlapping one has, and
// what is placed is (base, one bit for each slot): the key does not grow with the history. (Lowe 2017 calls such
// a configuration just-in-time; the window of Knossos.) Where the history is quiescent all bits are zero, so that
// whatever came before is remembered by its states alone: cuts need no code of their own.
//
// *Crashed* operations have unknown outcomes. Equal ones form a class; the one invoked first can do whatever a
// later one can, so a search only counts how many of a class it has used.
//
// Operations that leave every state as it is, and whose result nobody knows, fit anywhere: they are left out.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/oracle/history.hpp"
#include "gainsay/oracle/linearizable/states.hpp"
#include "gainsay/oracle/linearizable/visited.hpp"

namespace gainsay::linearizable {

struct Problem {
  struct Required {
    std::uint32_t operation;  // index in the history
    std::uint32_t cls;
    std::uint32_t slot;
    bool pure;
    bool resets;
    std::uint64_t invoked;
    std::uint64_t returned;
    std::uint64_t zobrist;
  };
  struct Crashed {
    std::uint32_t cls;
    bool resets;
    std::vector<std::uint32_t> operations;  // by invocation
    std::vector<std::uint32_t> from_base;   // of each: the first base at which it may be used
  };

  std::vector<Required> required;
  std::vector<Crashed> crashed;
  std::vector<std::uint32_t> candidates;      // for each base: those that may come next, by return
  std::vector<std::size_t> candidates_begin;  // by base; one more at the end
  std::vector<std::uint32_t> next_observer;   // by base: the first pure one from there on
  std::vector<std::uint64_t> next_reset;  // by base: when the next resetting one is invoked after its return
  std::vector<std::uint32_t> anywhere;    // returned, but left out: they fit wherever they are
  std::uint32_t mask_words = 0;
  Lanes lanes;

  // A search ends at this base, and looks ahead only at observers before the other one. Both stand at the end unless
  // somebody asks how far an order gets.
  std::uint32_t goal = 0;
  std::uint32_t observers_end = 0;

  std::uint32_t end() const { return goal; }
  std::uint64_t bytes() const;
};

// `operations` are indices into the history, ascending; none of them failed. Those that `forgotten` marks (by
// index in the history; null: none) count as crashed. Calls `space.start()`.
Problem make_problem(const History& history, const std::vector<std::uint32_t>& operations,
                     const SpecType& spec, StateSpace& space, const std::vector<bool>* forgotten = nullptr);

}  // namespace gainsay::linearizable
