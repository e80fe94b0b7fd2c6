// What the systems that vote have in common: majorities, and the vote that binds a proposer.
//
// After Lamport, "Paxos Made Simple" (2001), section 2.2: whoever hears of votes in earlier ballots must propose the
// value of the highest one.
#pragma once

#include <cstdint>

namespace paxos {

// Whether `n` of `all` are more than half.
constexpr bool is_majority(std::uint64_t n, std::uint64_t all) { return n > all / 2; }

// A vote for a value in a ballot; a ballot less than every real one means that there is none.
template <class Ballot, class Value> struct Vote {
  Ballot ballot{};
  Value value{};

  // Takes the other one if its ballot is higher.
  void raise_to(const Vote& other) {
    if (ballot < other.ballot) *this = other;
  }
};

}  // namespace paxos
