// Single-decree Paxos, written by hand in plain C++: the yardstick for the kernel's speed and counts.
//
// P proposers, A acceptors, unordered delivery, one outside Start pending for each proposer. Two loops drive
// the same handlers, and neither knows anything of the library:
//   - RandomWalk, written to be fast, delivers a uniformly random pending message until none is left, checks
//     agreement after every step that changed a proposer, and records the executed steps;
//   - explore(), written to be obviously right, is the naive twin of the explicit-state search: breadth first
//     over a std::set of whole states with a std::multiset of pending messages, nothing interned or hashed.
//
// Invariant of a run: for each pair (p, a) at most one of Prepare/Promise and one of Accept/Accepted is in
// flight, so at most 2PA + P messages are ever pending and a run has at most P + 4PA steps.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <span>
#include <vector>

namespace paxos_baseline {

enum class Bug : std::uint8_t { none, lowest };

struct Config {
  int proposers = 2;
  int acceptors = 3;
  Bug bug = Bug::none;
};

inline constexpr int actors_max = 16;
inline constexpr std::uint8_t outside = 255;

enum class Kind : std::uint8_t { start, prepare, promise, accept, accepted };

// Actors are numbered proposers first. Fields that a kind does not use are zero.
struct Message {
  std::uint8_t dst = 0;
  std::uint8_t src = 0;
  Kind kind = Kind::start;
  std::int8_t ballot = 0;
  std::int16_t vb = 0;
  std::int16_t v = 0;
  auto operator<=>(const Message&) const = default;
};
static_assert(sizeof(Message) == 8);

struct Proposer {
  std::int16_t ballot = 0;
  std::int16_t own = 0;
  std::int16_t phase = 0;
  std::int16_t promises = 0;
  std::int16_t bestb = -1;
  std::int16_t bestv = 0;
  std::int16_t accepted = 0;
  auto operator<=>(const Proposer&) const = default;

  // What this proposer proposes; fixed once it is in phase 2, since Promises are then ignored.
  std::int16_t value() const { return bestb >= 0 ? bestv : own; }
};

struct Acceptor {
  std::int16_t promised = -1;
  std::int16_t vb = -1;
  std::int16_t v = 0;
  auto operator<=>(const Acceptor&) const = default;
};

// The handlers. Both return whether the actor's state changed; `send(Message)` takes what they send.
template <class Send>
inline bool deliver(const Message& m, Proposer& self, const Config& config, Send&& send) {
  const int majority = config.acceptors / 2 + 1;
  const auto broadcast = [&](Message out) {
    for (int a = 0; a < config.acceptors; ++a) {
      out.dst = static_cast<std::uint8_t>(config.proposers + a);
      send(out);
    }
  };
  switch (m.kind) {
    case Kind::start:
      self.ballot = m.dst;
      self.own = static_cast<std::int16_t>(100 + m.dst);
      self.phase = 1;
      broadcast({.src = m.dst, .kind = Kind::prepare, .ballot = static_cast<std::int8_t>(self.ballot)});
      return true;
    case Kind::promise: {
      if (m.ballot != self.ballot || self.phase != 1) return false;
      ++self.promises;
      const bool keeps = config.bug == Bug::lowest ? self.bestb < 0 || m.vb < self.bestb : m.vb > self.bestb;
      if (m.vb >= 0 && keeps) {
        self.bestb = m.vb;
        self.bestv = m.v;
      }
      if (self.promises >= majority) {
        self.phase = 2;
        broadcast({.src = m.dst,
                   .kind = Kind::accept,
                   .ballot = static_cast<std::int8_t>(self.ballot),
                   .v = self.value()});
      }
      return true;
    }
    case Kind::accepted:
      if (m.ballot != self.ballot) return false;
      ++self.accepted;
      return true;
    default:
      return false;
  }
}

template <class Send> inline bool deliver(const Message& m, Acceptor& self, const Config&, Send&& send) {
  switch (m.kind) {
    case Kind::prepare:
      if (m.ballot <= self.promised) return false;
      self.promised = m.ballot;
      send(Message{
          .dst = m.src, .src = m.dst, .kind = Kind::promise, .ballot = m.ballot, .vb = self.vb, .v = self.v});
      return true;
    case Kind::accept:
      if (m.ballot < self.promised) return false;
      self.promised = m.ballot;
      self.vb = m.ballot;
      self.v = m.v;
      send(Message{.dst = m.src, .src = m.dst, .kind = Kind::accepted, .ballot = m.ballot, .v = m.v});
      return true;
    default:
      return false;
  }
}

// Two proposers that have each counted a majority of Accepted had sent the same value.
inline bool agreement(std::span<const Proposer> proposers, int acceptors) {
  int decided = -1;
  for (const Proposer& p : proposers) {
    if (p.accepted * 2 <= acceptors) continue;
    if (decided >= 0 && decided != p.value()) return false;
    decided = p.value();
  }
  return true;
}

// xoshiro256++ (Blackman and Vigna), seeded by splitmix64.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) {
    for (std::uint64_t& word : s_) {
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = rotl(s_[0] + s_[3], 23) + s_[0];
    const std::uint64_t t = s_[1] << 17;
    s_[2] ^= s_[0];
    s_[3] ^= s_[1];
    s_[1] ^= s_[2];
    s_[0] ^= s_[3];
    s_[2] ^= t;
    s_[3] = rotl(s_[3], 45);
    return result;
  }

  // Uniform in [0, n) up to a bias of n / 2^32.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }

 private:
  static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::array<std::uint64_t, 4> s_{};
};

// One walker makes any number of runs from one stream of random numbers. Its buffers are reused; a run
// allocates nothing.
class RandomWalk {
 public:
  RandomWalk(const Config& config, std::uint64_t seed) : config_(config), rng_(seed) {
    assert(config.proposers >= 1 && config.acceptors >= 1 &&
           config.proposers + config.acceptors <= actors_max);
    const auto pairs =
        static_cast<std::size_t>(config.proposers) * static_cast<std::size_t>(config.acceptors);
    const auto starts = static_cast<std::size_t>(config.proposers);
    pending_.resize(2 * pairs + starts);
    trace_.resize(4 * pairs + starts);
  }

  // Executes one run, until quiescence or the first violation. Returns whether agreement held.
  bool run() {
    const Config config = config_;
    Rng rng = rng_;  // a local copy stays in registers
    const auto proposer_count = static_cast<std::size_t>(config.proposers);
    const std::span<const Proposer> proposers(proposers_.data(), proposer_count);
    std::fill_n(proposers_.begin(), config.proposers, Proposer{});
    std::fill_n(acceptors_.begin(), config.acceptors, Acceptor{});
    Message* const pending = pending_.data();
    std::uint32_t pending_count = 0;
    Message* executed = trace_.data();
    for (int p = 0; p < config.proposers; ++p)
      pending[pending_count++] = {.dst = static_cast<std::uint8_t>(p), .src = outside};

    bool ok = true;
    const auto send = [&](const Message& m) { pending[pending_count++] = m; };
    while (pending_count > 0) {
      const std::uint32_t pick = rng.below(pending_count);
      const Message m = pending[pick];
      pending[pick] = pending[--pending_count];
      *executed++ = m;
      if (m.dst < proposer_count) {
        if (deliver(m, proposers_[m.dst], config, send) && !agreement(proposers, config.acceptors)) {
          ok = false;
          break;
        }
      } else {
        deliver(m, acceptors_[m.dst - proposer_count], config, send);
      }
    }
    rng_ = rng;
    step_count_ = static_cast<std::size_t>(executed - trace_.data());
    return ok;
  }

  // The steps of the last run, in order.
  std::span<const Message> trace() const { return {trace_.data(), step_count_}; }

 private:
  Config config_;
  Rng rng_;
  std::array<Proposer, actors_max> proposers_{};
  std::array<Acceptor, actors_max> acceptors_{};
  std::vector<Message> pending_;
  std::vector<Message> trace_;
  std::size_t step_count_ = 0;
};

struct WalkResult {
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  std::uint64_t buggy_runs = 0;
  // A sum over runs. It reads the traces, so that recording them cannot be optimised away.
  std::uint64_t last_receivers = 0;
};

inline WalkResult walk(const Config& config, std::uint64_t seed, std::uint64_t runs) {
  RandomWalk walker(config, seed);
  WalkResult result{.runs = runs};
  for (std::uint64_t i = 0; i < runs; ++i) {
    result.buggy_runs += !walker.run();
    result.steps += walker.trace().size();
    result.last_receivers += walker.trace().back().dst;
  }
  return result;
}

struct State {
  std::vector<Proposer> proposers;
  std::vector<Acceptor> acceptors;
  std::multiset<Message> pending;
  auto operator<=>(const State&) const = default;
};

struct ExploreResult {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;             // the steps of the longest shortest path
  std::uint64_t quiescent_states = 0;  // nothing pending
  std::uint64_t violating_states = 0;  // counted, and explored further
};

// Equal pending messages (same sender, receiver and payload) are one transition.
inline ExploreResult explore(const Config& config) {
  State initial;
  initial.proposers.resize(static_cast<std::size_t>(config.proposers));
  initial.acceptors.resize(static_cast<std::size_t>(config.acceptors));
  for (int p = 0; p < config.proposers; ++p)
    initial.pending.insert({.dst = static_cast<std::uint8_t>(p), .src = outside});

  std::set<State> seen;
  struct Open {
    const State* state;  // elements of a std::set stay where they are
    std::uint64_t depth;
  };
  std::deque<Open> open;
  open.push_back({&*seen.insert(initial).first, 0});

  ExploreResult result;
  while (!open.empty()) {
    const auto [state, depth] = open.front();
    open.pop_front();
    result.depth = depth;
    result.quiescent_states += state->pending.empty();
    result.violating_states += !agreement(state->proposers, config.acceptors);
    for (auto it = state->pending.begin(); it != state->pending.end(); it = state->pending.upper_bound(*it)) {
      const Message m = *it;
      State next = *state;
      next.pending.erase(next.pending.find(m));
      const auto send = [&](const Message& out) { next.pending.insert(out); };
      if (m.dst < config.proposers)
        deliver(m, next.proposers[m.dst], config, send);
      else
        deliver(m, next.acceptors[static_cast<std::size_t>(m.dst - config.proposers)], config, send);
      ++result.transitions;
      const auto [where, fresh] = seen.insert(std::move(next));
      if (fresh) open.push_back({&*where, depth + 1});
    }
  }
  result.states = seen.size();
  return result;
}

}  // namespace paxos_baseline
