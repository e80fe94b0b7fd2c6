// Interrupt: while alive, the first Ctrl-C (SIGINT) or SIGTERM raises
// a flag instead of ending the program; the second one ends it.
//
// Whoever works looks at the flag, ends soon and reports what there is so far. One at a time.
#pragma once

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

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

}  // namespace gainsay::tools
