// Small scenarios for the tests of the command line: each misbehaves in one way.
#pragma once

#include <csignal>
#include <stdexcept>
#include <string>
#include <utility>

#include "gainsay/gainsay.hpp"

namespace gainsay::cli_test {

// --- Two messages race; with bug=both there are two different ways to lose.

struct Ping {
  int number = 0;
};
enum class Bug { none, first, both };
struct RaceOptions {
  Bug bug = Bug::none;
  std::uint32_t racers = 2;

  static void describe(Describe<RaceOptions>& d) {
    d.field(&RaceOptions::bug, "which order is wrong");
    d.value(Bug::first, "number 1 must come first");
    d.value(Bug::both, "number 1 must come first, and the last number must not come second");
    d.field(&RaceOptions::racers, "how many messages race").range(2, 5);
  }
};
struct Judge {
  using Receives = Messages<Ping>;
  Bug bug = Bug::none;
  int last = 2;
  int seen = 0;

  void on(const Ping& ping, Context& ctx) {
    ++seen;
    ctx.check(bug == Bug::none || seen > 1 || ping.number == 1, "number 1 was overtaken");
    ctx.check(bug != Bug::both || seen != 2 || ping.number != last, "the last came second");
  }
};

// --- A handler that throws.

struct Go {};
struct Thrower {
  using Receives = Messages<Go>;
  void on(const Go&) { throw std::runtime_error("out of\ncheese"); }
};

// --- A check whose text is not UTF-8.

struct Latin {
  using Receives = Messages<Go>;
  void on(const Go&, Context& ctx) { ctx.check(false, "caf\xe9"); }
};

struct Nul {
  using Receives = Messages<Go>;
  void on(const Go&, Context& ctx) { ctx.check(false, std::string("one\0two", 7)); }
};

// --- A handler that cheats: what it does depends on how often it was called before.

inline int calls_so_far = 0;
struct Cheat {
  using Receives = Messages<Go>;
  int count = 0;
  void on(const Go&) { count = ++calls_so_far; }
};

// --- One that sends itself messages forever.

struct Tick {};
struct Runner {
  using Receives = Messages<Tick>;
  std::uint64_t ticks = 0;
  void on(const Tick&, Context& ctx) {
    ++ticks;
    ctx.send(ctx.self(*this), Tick{});
  }
};

// --- The same, but somebody presses Ctrl-C in the middle.

inline bool pressed = false;  // once: the second time would end the test
struct Impatient {
  using Receives = Messages<Tick>;
  std::uint64_t ticks = 0;
  void on(const Tick&, Context& ctx) {
    if (++ticks == 50 && !std::exchange(pressed, true)) std::raise(SIGINT);
    ctx.send(ctx.self(*this), Tick{});
  }
};

}  // namespace gainsay::cli_test
