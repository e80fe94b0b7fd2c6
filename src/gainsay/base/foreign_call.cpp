#include "gainsay/base/foreign_call.hpp"

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <mutex>

#include "gainsay/base/user_call.hpp"

namespace gainsay {
namespace {

constexpr std::array signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
std::array<struct sigaction, signals.size()> former;
thread_local sigjmp_buf* way_back = nullptr;

// Not in a foreign call: whoever handled the signal before handles it now.
void pass_on(int number) {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i] != number) continue;
    sigaction(number, &former[i], nullptr);
    raise(number);
    return;
  }
}

void on_signal(int number) {
  if (way_back != nullptr) siglongjmp(*way_back, number);
  pass_on(number);
}

void install() {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;  // the handler may be left by a jump
    sigaction(signals[i], &action, &former[i]);
  }
}

// Where the handler runs when the fault is that there is no stack left.
class OtherStack {
 public:
  OtherStack() {
    stack_t now{};
    sigaltstack(nullptr, &now);
    if ((now.ss_flags & SS_DISABLE) == 0) return;  // there is one
    memory_ = std::malloc(bytes);
    if (memory_ == nullptr) return;
    stack_t mine{};
    mine.ss_sp = memory_;
    mine.ss_size = bytes;
    sigaltstack(&mine, nullptr);
  }
  ~OtherStack() {
    if (memory_ == nullptr) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    std::free(memory_);
  }
  OtherStack(const OtherStack&) = delete;
  OtherStack& operator=(const OtherStack&) = delete;

 private:
  static constexpr std::size_t bytes = 64 << 10;
  void* memory_ = nullptr;
};

}  // namespace

namespace detail {

int call_contained(void (*call)(void*), void* data) {
  static std::once_flag installed;
  std::call_once(installed, install);
  thread_local const OtherStack other_stack;
  sigjmp_buf here;
  sigjmp_buf* const outer = way_back;
  const int number = sigsetjmp(here, 0);
  if (number != 0) {
    way_back = outer;
    return number;
  }
  way_back = &here;
  try {
    call(data);
  } catch (...) {
    way_back = outer;
    throw;
  }
  way_back = outer;
  return 0;
}

}  // namespace detail

std::string signal_text(int number) { return Death{0, DeathKind::signal, number}.text(); }

}  // namespace gainsay
