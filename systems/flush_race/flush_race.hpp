// A shutdown that races with a log message.
//
// The handler serves a request: it logs, then asks the terminator to shut down; the terminator has the logger
// flush and close its file. Nothing orders the log before the flush. The fixed form counts: `Terminate` and
// `Flush` say how many logs were sent before them, and the logger does not take a flush until it has seen
// that many.
//
// Example 6.1 of Filip Niksic, "Combinatorial Constructions for Effective Testing" (2019), after a bug in the
// load-testing tool Gatling (Tasharofi et al., "Bita: Coverage-guided, automatic testing of actor programs",
// 2013).
#pragma once

#include <cstdint>

#include "gainsay/gainsay.hpp"

namespace flush_race {

enum class Bug { none, overtake, sandwich };

struct Request {};
struct Log {};
struct Terminate {
  std::uint32_t logs = 0;  // how many logs the flush must wait for
};
struct Flush {
  std::uint32_t logs = 0;
};
struct Flushed {};

struct Logger {
  using Receives = gainsay::Messages<Log, Flush>;
  bool tolerant = false;  // keeps a late log in memory instead of writing to the closed file
  std::uint32_t logs = 0;
  bool open = true;
  bool late = false;  // it has kept such a log

  bool accepts(const Flush& flush) const { return logs >= flush.logs; }

  void on(const Log&, gainsay::Context& ctx) {
    ++logs;
    if (open) return;
    ctx.check(tolerant, "log arrived after flush");
    late = tolerant;
  }
  void on(const Flush&, gainsay::Context& ctx) {
    open = false;
    ctx.reply(Flushed{});
  }
};

struct Terminator {
  using Receives = gainsay::Messages<Terminate, Flushed>;
  gainsay::Ref<Logger> logger;
  bool asked = false;
  bool done = false;

  bool waiting() const { return asked && !done; }

  void on(const Terminate& terminate, gainsay::Context& ctx) {
    asked = true;
    ctx.send(logger, Flush{.logs = terminate.logs});
  }
  void on(const Flushed&) { done = true; }
};

struct Handler {
  using Receives = gainsay::Messages<Request>;
  gainsay::Ref<Logger> logger;
  gainsay::Ref<Terminator> terminator;
  bool counts_logs = true;

  void on(const Request&, gainsay::Context& ctx) {
    ctx.send(logger, Log{});
    ctx.send(terminator, Terminate{.logs = counts_logs ? 1U : 0U});
  }
};

}  // namespace flush_race
