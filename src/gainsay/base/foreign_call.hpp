// foreign_call: a call of code that may fault, contained in this process.
//
// A fault inside (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) comes back as the number of the signal, and the rest of the
// call is never executed: no destructor, no clean-up. That is only right where all that the code owns can be thrown
// away as a whole, which is what ForeignHeap is for. So a campaign goes on after a fault at the price of one run,
// while a supervisor (tools/supervise.hpp) would have to begin again in a new process. What a signal cannot tell
// (an endless loop, exit()) is still the supervisor's.
//
// Between the call and a fault there must be no frame that has to be unwound, but those of the foreign code itself;
// callbacks into C++ are fine, since the foreign code faults between them and not in them.
#pragma once

#include <string>
#include <type_traits>

namespace gainsay {

namespace detail {
// 0, or the signal that ended it.
int call_contained(void (*call)(void*), void* data);
}  // namespace detail

// 0, or the signal that ended it. An exception passes.
template <class F> int foreign_call(F&& call) {
  using Function = std::remove_reference_t<F>;
  return detail::call_contained([](void* data) { (*static_cast<Function*>(data))(); }, &call);
}

// "SIGSEGV (invalid memory access)"
std::string signal_text(int number);

}  // namespace gainsay
