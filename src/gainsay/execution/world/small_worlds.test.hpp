// Small actors and worlds that several tests use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gainsay/scenario/world.hpp"

namespace gainsay::small_worlds {

// --- a register that answers at once ---

struct Read {};
struct Number {
  int number = 0;
};
struct Write {
  int number = 0;
};
struct Written {};

struct Register {
  using Receives = Messages<Read, Write>;
  int number = 0;
  void on(const Read&, Context& ctx) { ctx.reply(Number{number}); }
  void on(const Write& write, Context& ctx) {
    number = write.number;
    ctx.reply(Written{});
  }
};

// --- the first half of two-phase commit ---

struct Ask {};
struct Vote {
  int who = 0;
  bool yes = false;
};
struct Collector {
  using Receives = Messages<Vote>;
  std::vector<int> votes;
  void on(const Vote& vote) { votes.push_back(vote.yes ? vote.who + 1 : -vote.who - 1); }
};
struct Voter {
  using Receives = Messages<Ask>;
  Ref<Collector> collector{nobody};
  int self = 0;
  void on(const Ask&, Context& ctx) { ctx.send(collector, Vote{self, ctx.choose(2) == 1}); }
};

// Each of n voters is asked, chooses yes or no, and answers one collector: 2^n n! trace classes.
inline void voters(World& world, std::uint64_t n) {
  const auto collector = world.spawn<Collector>("collector");
  for (std::uint64_t i = 0; i < n; ++i)
    world.send(world.spawn("voter" + std::to_string(i), Voter{collector, static_cast<int>(i)}), Ask{});
}

}  // namespace gainsay::small_worlds
