// Supervision: work that runs the user's code is done in a process of its own, so that a crash there ends neither the
// campaign nor what it has found.
//
// The parent forks a worker and waits. A worker that comes to its end gives the exit code. One that dies in a call of
// the user's code (signal, exit, no return, memory) leaves the name of the call on the board that both share
// (gainsay/base/user_call.hpp). The parent enters the death and starts the work anew: by determinism it comes to the
// same call, which is now a violation instead of a call. Nothing is ever called ok after a death that was not met
// again.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace gainsay::tools {

struct Supervision {
  bool in_process = false;  // no worker: a debugger sees everything in this process
  std::chrono::milliseconds handler_timeout{5000};
  std::optional<std::uint64_t> memory_bytes_max;  // unset: three quarters of the machine's
  // Exit code 0 says that there is no violation, which is never true after a death.
  bool zero_is_clean = true;
};

// Does the work and returns its exit code.
int supervised(const Supervision& how, const std::function<int()>& work);

// How the work that is being done was begun: deaths so far, and how long the longest attempt took.
struct Attempt {
  std::uint32_t deaths = 0;
  std::chrono::nanoseconds longest{0};
  std::chrono::nanoseconds spent{0};  // by all attempts before this one
  bool last = false;                  // there were too many: only the first violation counts now
  int journal = -1;                   // a file in memory that all attempts share; -1: there is none
};
Attempt current_attempt();
// Whether somebody sent a signal to this process, the parent, that was meant for the work.
bool signal_came();

}  // namespace gainsay::tools
