// Interrupt: while alive, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP (the terminal is gone) raises a flag instead of
// ending the program; the second one ends it.
//
// Whoever works looks at the flag, ends soon and reports what there is so far. One at a time.
#pragma once

#include <array>
#include <atomic>
#include <csignal>

namespace gainsay::tools {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>* flag() const;

  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

 private:
  std::array<struct sigaction, signals.size()> old_{};
};

}  // namespace gainsay::tools
