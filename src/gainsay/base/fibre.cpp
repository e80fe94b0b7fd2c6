#include "gainsay/base/fibre.hpp"

#include <cstdint>
#include <utility>

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define GAINSAY_FIBRE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GAINSAY_FIBRE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define GAINSAY_FIBRE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GAINSAY_FIBRE_TSAN 1
#endif
#endif

#ifdef GAINSAY_FIBRE_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef GAINSAY_FIBRE_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;
}  // namespace __cxxabiv1

namespace gainsay {
namespace {

// The C++ runtime's record of caught and uncaught exceptions of a thread (Itanium C++ ABI, 2.2.2).
struct Exceptions {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

void exchange_exceptions(Exceptions& kept) {
  auto* present = reinterpret_cast<Exceptions*>(__cxxabiv1::__cxa_get_globals());
  std::swap(*present, kept);
}

}  // namespace

struct Fibre::Stack {
  std::function<void()> body;
  std::byte* memory = nullptr;  // a guard page, then the stack
  std::size_t memory_bytes = 0;
  std::size_t guard_bytes = 0;
  ucontext_t own{};
  ucontext_t resumer{};
  Exceptions exceptions;  // of the side that does not run
  std::exception_ptr error;
  bool started = false;
  bool finished = false;
  bool inside = false;
  bool abandoned = false;
  // What sanitizers want to know of both sides.
  void* own_fake = nullptr;
  void* resumer_fake = nullptr;
  const void* resumer_bottom = nullptr;
  std::size_t resumer_bytes = 0;
  void* own_tsan = nullptr;
  void* resumer_tsan = nullptr;

  static void entry(unsigned int high, unsigned int low) {
    const std::uintptr_t address = (static_cast<std::uintptr_t>(high) << 32U) | low;
    reinterpret_cast<Stack*>(address)->run();
  }

  void run() {
    arrived(nullptr);
    try {
      if (!abandoned) body();
    } catch (const Abandoned&) {
    } catch (...) {
      error = std::current_exception();
    }
    finished = true;
    leave(nullptr);
    GAINSAY_CHECK(false, "a finished fibre is not resumed");
  }

  // On the fibre: control has come here.
  void arrived([[maybe_unused]] void* fake) {
#ifdef GAINSAY_FIBRE_ASAN
    __sanitizer_finish_switch_fiber(fake, &resumer_bottom, &resumer_bytes);
#endif
  }
  // On the fibre: control goes back. A null `fake` ends the fibre.
  void leave([[maybe_unused]] void** fake) {
#ifdef GAINSAY_FIBRE_ASAN
    __sanitizer_start_switch_fiber(fake, resumer_bottom, resumer_bytes);
#endif
#ifdef GAINSAY_FIBRE_TSAN
    __tsan_switch_to_fiber(resumer_tsan, 0);
#endif
    swapcontext(&own, &resumer);
  }

  void enter() {
    exchange_exceptions(exceptions);
    inside = true;
#ifdef GAINSAY_FIBRE_TSAN
    resumer_tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(own_tsan, 0);
#endif
#ifdef GAINSAY_FIBRE_ASAN
    __sanitizer_start_switch_fiber(&resumer_fake, memory + guard_bytes, memory_bytes - guard_bytes);
#endif
    swapcontext(&resumer, &own);
#ifdef GAINSAY_FIBRE_ASAN
    __sanitizer_finish_switch_fiber(resumer_fake, nullptr, nullptr);
#endif
    inside = false;
    exchange_exceptions(exceptions);
  }
};

Fibre::Fibre(std::function<void()> body, std::size_t stack_bytes) : stack_(std::make_unique<Stack>()) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  stack_->body = std::move(body);
  stack_->guard_bytes = page;
  stack_->memory_bytes = page + (stack_bytes + page - 1) / page * page;
  void* memory =
      mmap(nullptr, stack_->memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  stack_->memory = static_cast<std::byte*>(memory);
  GAINSAY_CHECK(mprotect(memory, page, PROT_NONE) == 0, "a guard page");
  GAINSAY_CHECK(getcontext(&stack_->own) == 0, "a context");
  stack_->own.uc_stack.ss_sp = stack_->memory + page;
  stack_->own.uc_stack.ss_size = stack_->memory_bytes - page;
  stack_->own.uc_link = nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(stack_.get());
  makecontext(&stack_->own, reinterpret_cast<void (*)()>(&Stack::entry), 2,
              static_cast<unsigned int>(address >> 32U), static_cast<unsigned int>(address));
#ifdef GAINSAY_FIBRE_TSAN
  stack_->own_tsan = __tsan_create_fiber(0);
#endif
}

Fibre::~Fibre() {
  GAINSAY_CHECK(!stack_->inside, "a fibre does not destroy itself");
  // Code that catches Abandoned and yields again gets it again; where it never ends, its stack is left alone.
  constexpr int most_tries = 100;
  stack_->abandoned = true;
  for (int i = 0; i < most_tries && stack_->started && !stack_->finished; ++i) stack_->enter();
  if (stack_->started && !stack_->finished) {
    static_cast<void>(stack_.release());
    return;
  }
#ifdef GAINSAY_FIBRE_TSAN
  __tsan_destroy_fiber(stack_->own_tsan);
#endif
  munmap(stack_->memory, stack_->memory_bytes);
}

void Fibre::resume() {
  GAINSAY_CHECK(!stack_->finished && !stack_->inside, "a suspended fibre is resumed");
  stack_->started = true;
  stack_->enter();
  if (stack_->error) std::rethrow_exception(std::exchange(stack_->error, nullptr));
}

void Fibre::yield() {
  GAINSAY_CHECK(stack_->inside, "yield is called by the fibre's own body");
  stack_->leave(&stack_->own_fake);
  stack_->arrived(stack_->own_fake);
  if (stack_->abandoned) throw Abandoned{};
}

bool Fibre::finished() const { return stack_->finished; }
bool Fibre::inside() const { return stack_->inside; }

}  // namespace gainsay
