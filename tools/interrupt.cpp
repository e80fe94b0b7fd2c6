#include "tools/interrupt.hpp"

namespace gainsay::tools {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

// Brings the defaults back for all of them: whichever comes next ends the program.
void raise_flag(int) {
  interrupted = true;
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (const int number : Interrupt::signals) sigaction(number, &standard, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = raise_flag;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &old_[i]);
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &old_[i], nullptr);
}

const std::atomic<bool>* Interrupt::flag() const { return &interrupted; }

}  // namespace gainsay::tools
