// UserCall: the time during which code of the user runs, marked so that a process outside can tell in which call this
// one died.
//
// A crash, an endless loop or an exit() in a handler ends the process. A supervisor (tools/supervise.hpp) that shares
// the CallBoard sees which call it was, enters it as a death and begins again. The next time the same call comes up,
// it is not made: UserCall throws CallDied, and the death becomes a violation like any exception. So a call needs a
// name that is the same in every process: a hash of what determines it, never an address or the number of a run.
//
// Without a board, nothing is entered and nothing is ever thrown.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <span>
#include <string>

namespace gainsay {

enum class DeathKind : std::uint8_t { signal, exit, timeout, memory, sanitizer };

// How a call ended its process.
struct Death {
  std::uint64_t call = 0;
  DeathKind kind = DeathKind::signal;
  std::int64_t number = 0;        // the signal, the exit code, the milliseconds, the bytes
  std::array<char, 64> report{};  // of a sanitizer: which one, and what it was if it says so

  // "SIGSEGV (invalid memory access)"; completes "the code under test ended with ..."
  std::string text() const;
};

// Thrown in place of a call that is known to end the process.
class CallDied : public std::exception {
 public:
  explicit CallDied(const Death& death) : text_(death.text()) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

// What one thread is doing. Read by another process at any time. Threads do not write to each other's cache lines.
struct alignas(64) CallSlot {
  std::atomic<std::uint32_t> taken{0};
  std::atomic<std::uint32_t> patient{0};  // the call may take long: no timeout
  std::atomic<std::uint64_t> call{0};     // 0: no code of the user is running
  std::atomic<std::uint64_t> begun{0};    // how many calls this thread has made
};

// Memory that the supervisor and its worker share.
struct CallBoard {
  static constexpr std::size_t threads_max = 1056;
  static constexpr std::size_t deaths_max = 64;

  std::array<CallSlot, threads_max> slots;
  std::atomic<std::uint32_t> slots_used{0};  // no later one was ever taken
  std::array<Death, deaths_max> deaths;
  std::atomic<std::uint32_t> deaths_count{0};
  // How the worker dies, from itself where it can say so, or from whoever kills it. The first word counts.
  std::atomic<std::uint32_t> dying{0};  // 0: not; 1: being written; 2: written
  Death dying_of;
  std::atomic<std::int32_t> exit_code{-1};  // of a worker that came to its end
  // Whether calls whose names are dear to make (those of properties) have them. Not until one of them has died.
  std::atomic<bool> careful{false};

  std::span<CallSlot> used() { return {slots.data(), slots_used.load()}; }
  std::span<const Death> known() const { return {deaths.data(), deaths_count.load()}; }
  bool knows_any() const { return deaths_count.load(std::memory_order_acquire) != 0; }
  // False if a death was entered before. Does only what a signal handler may do.
  bool enter_dying(const Death& death) {
    std::uint32_t alive = 0;
    if (!dying.compare_exchange_strong(alive, 1)) return false;
    dying_of = death;
    dying = 2;
    return true;
  }
};

namespace detail {
extern CallBoard* call_board;
// Of this thread: on the board, if there is one; null: not known yet. Said to begin without code, so that no access
// asks for it first.
extern constinit thread_local CallSlot* call_slot;
CallSlot& find_call_slot();
}  // namespace detail

// From now on the calls of this process are entered on the board. REQUIRES: one thread; the board outlives it.
void use_call_board(CallBoard* board);
inline CallBoard* call_board() { return detail::call_board; }

// The name of all calls that have none, because a name is dear and nobody asks for it yet.
inline constexpr std::uint64_t nameless_call = 2;
inline bool calls_need_names() { return call_board() != nullptr && call_board()->careful.load(); }

// The place of this thread: on the board, if there is one.
inline CallSlot& call_slot() {
  if (detail::call_slot != nullptr) [[likely]]
    return *detail::call_slot;
  return detail::find_call_slot();
}
namespace detail {
void refuse_known(std::uint64_t call);
}  // namespace detail

// Throws CallDied if the call is known to end the process.
inline void refuse_deadly(std::uint64_t call) {
  if (call_board() != nullptr && call_board()->knows_any()) [[unlikely]]
    detail::refuse_known(call);
}

class UserCall {
 public:
  enum class Length : std::uint8_t { usual, any };

  [[gnu::always_inline]] explicit UserCall(std::uint64_t call, Length length = Length::usual)
      : UserCall(call_slot(), call, length) {}
  // Inline also where an exception passes: else the call would have to be in memory.
  [[gnu::always_inline]] ~UserCall() {
    slot_.call.store(outer_, std::memory_order_relaxed);
    slot_.patient.store(outer_patient_, std::memory_order_relaxed);
  }
  UserCall(const UserCall&) = delete;
  UserCall& operator=(const UserCall&) = delete;

  // The call got an answer: what follows depends on it, so it is another call from here on.
  void answered(std::uint32_t answer);

 private:
  [[gnu::always_inline]] UserCall(CallSlot& slot, std::uint64_t call, Length length)
      : slot_(slot),
        outer_(slot.call.load(std::memory_order_relaxed)),
        outer_patient_(slot.patient.load(std::memory_order_relaxed)) {
    refuse_deadly(call);
    slot.begun.store(slot.begun.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    slot.patient.store(length == Length::any ? 1 : 0, std::memory_order_relaxed);
    slot.call.store(call, std::memory_order_relaxed);
  }

  CallSlot& slot_;
  std::uint64_t outer_ = 0;
  std::uint32_t outer_patient_ = 0;
};

}  // namespace gainsay
