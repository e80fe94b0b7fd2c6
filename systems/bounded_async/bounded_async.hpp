// Processes that count in rounds, never more than one apart.
//
// Each process asks the scheduler for leave to go on; when all have asked, the scheduler releases all. A
// released process counts, tells its count to both neighbours in the ring and asks again, until it has
// counted `rounds`. The property, checked where a neighbour's count arrives: one's own count is that count,
// or one less.
//
// It rests on causal delivery. A neighbour's count c is sent before its next request, hence before the
// release of round c+1, and so arrives first. Where messages of different senders may overtake each other it
// does not hold. Roles and messages follow the BoundedAsync sample of P# (Deligiannis et al., PLDI 2015).
#pragma once

#include <cstdint>
#include <string>

#include "gainsay/gainsay.hpp"

namespace bounded_async {

enum class Bug { none, early_release };

struct Req {};
struct Resp {};
struct MyCount {
  std::uint32_t count = 0;
};

struct Scheduler;

struct Process {
  using Receives = gainsay::Messages<Resp, MyCount>;
  gainsay::Ref<Scheduler> scheduler;
  gainsay::Ref<Process> left;
  gainsay::Ref<Process> right;
  std::uint32_t rounds = 0;
  std::uint32_t count = 0;

  bool waiting() const { return count < rounds; }

  void on_start(gainsay::Context& ctx);
  void on(const Resp&, gainsay::Context& ctx);
  void on(const MyCount& theirs, gainsay::Context& ctx) {
    ctx.check(count == theirs.count || count + 1 == theirs.count, [&] {
      return "a process that has counted to " + std::to_string(count) + " hears that its neighbour is at " +
             std::to_string(theirs.count);
    });
  }
};

struct Scheduler {
  using Receives = gainsay::Messages<Req>;
  gainsay::Group<Process> processes;
  Bug bug = Bug::none;
  std::uint32_t asked = 0;

  void on(const Req&, gainsay::Context& ctx) {
    ++asked;
    const std::uint32_t awaited = bug == Bug::early_release ? processes.count - 1 : processes.count;
    if (asked < awaited) return;
    asked = 0;
    ctx.send(processes, Resp{});
  }
};

inline void Process::on_start(gainsay::Context& ctx) { ctx.send(scheduler, Req{}); }

inline void Process::on(const Resp&, gainsay::Context& ctx) {
  if (count == rounds) return;
  ++count;
  ctx.send(left, MyCount{count});
  ctx.send(right, MyCount{count});
  if (count < rounds) ctx.send(scheduler, Req{});
}

}  // namespace bounded_async
